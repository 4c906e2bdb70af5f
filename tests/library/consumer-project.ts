import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  /** What the installed command says, at a terminal of nobody's, wherever it says it. */
  run(args: readonly string[], workspace: TemporaryWorkspace): Promise<string>
  /** Compiles one file and returns what the compiler says, line by line. */
  compile(name: string, source: string, more?: { readonly skipLibCheck: boolean }): Promise<readonly Complaint[]>
}

export interface Complaint {
  readonly line: number
  readonly text: string
}

/** A project of somebody else with the tarball installed, without optional packages. */
export async function consumerProject(): Promise<Consumer> {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-consumer-')))
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type: 'module' }))
  await npm(['install', '--omit=optional', '--prefer-offline', '--no-audit', await packedIn(path)], path)
  const types = join(path, 'node_modules', 'toolwright', 'dist', 'types')
  return {
    path,
    types,
    run: async (args, { path: cwd, env }) => {
      const program = join(path, 'node_modules', 'toolwright', 'dist', 'cli.cjs')
      return said(promisify(execFile)(process.execPath, [program, ...args], { cwd, env }))
    },
    async compile(name, source, more = { skipLibCheck: true }) {
      writeFileSync(join(path, name), source)
      writeFileSync(
        join(path, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...OPTIONS, ...more }, files: [name] }),
      )
      const said = await tsc(['-p', path, '--pretty', 'false'], path)
      return said.split(/\n(?! )/).flatMap(text => {
        if (text.trim() === '') return []
        const place = /^(.*)\((\d+),\d+\): error (.*)/s.exec(text)
        return [{ line: place?.[1] === name ? Number(place[2]) : 0, text }]
      })
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** Packs a copy of what the package lists, with its declarations: dist/ itself is in use by other tests. */
async function packedIn(folder: string): Promise<string> {
  const copy = join(folder, 'package')
  for (const part of ['package.json', ...manifest.files.filter(name => !name.startsWith('!'))])
    cpSync(at(part), join(copy, part), { recursive: true, filter: name => name !== at('dist', 'types') })
  // What the sources themselves get wrong is told by `npm run check`.
  await tsc(['-p', at('tsconfig.build.json'), '--noCheck', '--outDir', join(copy, 'dist', 'types')], root)
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], copy)
  rmSync(copy, { recursive: true })
  return join(folder, `${manifest.name}-${manifest.version}.tgz`)
}

const npm = (args: readonly string[], cwd: string): Promise<unknown> =>
  promisify(execFile)('npm', args, { cwd, maxBuffer: 64 * 1024 * 1024 })

const tsc = (args: readonly string[], cwd: string): Promise<string> =>
  said(promisify(execFile)(process.execPath, [TSC, ...args], { cwd, maxBuffer: 64 * 1024 * 1024 }))

/** Programs end with another code than 0 where they have something to say. */
const said = async (done: Promise<{ readonly stdout: string; readonly stderr: string }>): Promise<string> => {
  const { stdout, stderr } = await done.catch((error: unknown) => Object(error))
  return `${stdout}${stderr}`
}
