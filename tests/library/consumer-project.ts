import { execFile } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { at, root } from '../../scripts/root.mjs'
import type { TemporaryWorkspace } from '../../src/testing/index.ts'

const TSC = at('node_modules', 'typescript', 'bin', 'tsc')

/** The strictest that a project can ask for. */
const OPTIONS = {
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: ['node'],
}

export interface Consumer extends Disposable {
  readonly path: string
  /** Where the declarations of the package are. */
  readonly types: string
  /** The files that the package brings, from its root. */
  readonly packed: readonly string[]
  /** The output of the installed command on both streams, without a terminal. */
  run(args: readonly string[], workspace: TemporaryWorkspace): Promise<string>
  /** The same where no network is, not even the machine's own. */
  runOffline(args: readonly string[], workspace: TemporaryWorkspace): Promise<string>
  /** Compiles all files of a folder of tests/data/library with what the documents themselves take for granted. */
  compileFolder(name: string, paths: Readonly<Record<string, readonly string[]>>): Promise<readonly Complaint[]>
  /** Compiles one file and returns what the compiler says, line by line. */
  compile(name: string, source: string, more?: { readonly skipLibCheck: boolean }): Promise<readonly Complaint[]>
}

export interface Complaint {
  readonly line: number
  readonly text: string
}

/** A foreign project with the packed package installed, without optional packages. */
export async function consumerProject(): Promise<Consumer> {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-consumer-')))
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type: 'module' }))
  const installed = await installedIn(path)
  const packed = globSync('**', { cwd: installed, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(installed, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const types = join(installed, 'dist', 'types')
  const program = join(installed, 'dist', 'cli.cjs')
  return {
    path,
    types,
    packed,
    run: (args, { path: cwd, env }) => said(promisify(execFile)(process.execPath, [program, ...args], { cwd, env })),
    runOffline: (args, { path: cwd, env }) => {
      const offline = ['--dev-bind', '/', '/', '--unshare-net', process.execPath, program, ...args]
      return said(promisify(execFile)('bwrap', offline, { cwd, env: { PATH: process.env['PATH'], ...env } }))
    },
    compile(name, source, more = { skipLibCheck: true }) {
      writeFileSync(join(path, name), source)
      return compiled(path, { compilerOptions: { ...OPTIONS, ...more }, files: [name] })
    },
    compileFolder(name, paths) {
      cpSync(at('tests', 'data', 'library', name), join(path, name), { recursive: true })
      // Printed types say `limit?: number` and mean that nothing or undefined may be given.
      const compilerOptions = { ...OPTIONS, exactOptionalPropertyTypes: false, skipLibCheck: true, paths }
      return compiled(path, { compilerOptions, include: [name] })
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** What the compiler says of a project; the line is that of a file which the project names. */
async function compiled(
  path: string,
  config: Readonly<Record<string, unknown>> & { readonly files?: readonly string[] },
) {
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(config))
  const said = await tsc(['-p', path, '--pretty', 'false'], path)
  return said.split(/\n(?! )/).flatMap((text): readonly Complaint[] => {
    if (text.trim() === '') return []
    const place = /^(.*)\((\d+),\d+\): error (.*)/s.exec(text)
    return [{ line: config.files?.includes(place?.[1] ?? '') ? Number(place?.[2]) : 0, text }]
  })
}

/** Above this, npm takes seconds to compress a file that it decompresses at once. */
const LARGE_BYTES = 2_000_000

/**
 * Installs a copy of what the package lists, with its declarations: dist/ itself is in use by other tests. npm packs the
 * copy and unpacks it again in one go; the content of large files follows, where npm has packed them.
 */
async function installedIn(folder: string): Promise<string> {
  const copy = join(folder, 'package')
  for (const part of ['package.json', ...manifest.files.filter(name => !name.startsWith('!'))])
    cpSync(at(part), join(copy, part), { recursive: true, filter: name => name !== at('dist', 'types') })
  // What the sources themselves get wrong is told by `npm run check`.
  await tsc(['-p', at('tsconfig.build.json'), '--noCheck', '--outDir', join(copy, 'dist', 'types')], root)
  const large = globSync('**', { cwd: copy }).filter(file => statSync(join(copy, file)).size > LARGE_BYTES)
  for (const file of large) truncateSync(join(copy, file))
  const options = ['--install-links', '--ignore-scripts', '--omit=optional', '--prefer-offline', '--no-audit']
  await promisify(execFile)('npm', ['install', ...options, copy], { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  rmSync(copy, { recursive: true })
  const installed = join(folder, 'node_modules', manifest.name)
  for (const file of large.filter(name => existsSync(join(installed, name))))
    copyFileSync(at(file), join(installed, file))
  return installed
}

/** With one thread: several judge parts of the same types anew, and other tests have the other processors. */
const tsc = (args: readonly string[], cwd: string): Promise<string> =>
  said(promisify(execFile)(process.execPath, [TSC, '--singleThreaded', ...args], { cwd, maxBuffer: 64 * 1024 * 1024 }))

/** Programs end with another code than 0 where they have something to say. */
const said = async (done: Promise<{ readonly stdout: string; readonly stderr: string }>): Promise<string> => {
  const { stdout, stderr } = await done.catch((error: unknown) => Object(error))
  return `${stdout}${stderr}`
}
