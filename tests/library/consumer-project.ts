import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { at, root } from '../../scripts/root.mjs'

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
  /** Compiles one file and returns what the compiler says, line by line. */
  compile(name: string, source: string, more?: { readonly skipLibCheck: boolean }): Promise<readonly Complaint[]>
}

export interface Complaint {
  readonly line: number
  readonly text: string
}

/** A project of somebody else that has the package installed, with its declarations as the build makes them. */
export async function consumerProject(): Promise<Consumer> {
  const path = mkdtempSync(join(tmpdir(), 'toolwright-consumer-'))
  const modules = join(path, 'node_modules')
  const types = join(modules, 'toolwright', 'dist', 'types')
  mkdirSync(types, { recursive: true })
  cpSync(at('package.json'), join(modules, 'toolwright', 'package.json'))
  for (const name of ['zod', '@types/node', 'undici-types', '@modelcontextprotocol/server', 'vscode-jsonrpc']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(at('node_modules', name), join(modules, name))
  }
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type: 'module' }))
  // What the sources themselves get wrong is told by `npm run check`.
  await tsc(['-p', at('tsconfig.build.json'), '--noCheck', '--outDir', types], root)
  return {
    path,
    types,
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

const tsc = async (args: readonly string[], cwd: string): Promise<string> => {
  const done = promisify(execFile)(process.execPath, [TSC, ...args], { cwd, maxBuffer: 64 * 1024 * 1024 })
  // The compiler ends with another code where it has something to say.
  return done.then(
    ({ stdout }) => stdout,
    (error: unknown) => String(Reflect.get(Object(error), 'stdout')),
  )
}
