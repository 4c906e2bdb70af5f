import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import { rolldown, type OutputOptions } from 'rolldown'
import { allContracts } from '../src/contracts/load-contract.ts'
import { toolwright } from '../src/contracts/toolwright/contract.ts'
import { inputSchema } from '../src/kernel/json-schema.ts'
import { simpleInput } from '../src/kernel/simple-input.ts'
import { INPUTS_FOLDER, type StoredInput } from '../src/kernel/validate.ts'
import { OWN_PROGRAMS } from '../src/machine/own-program.ts'
import { FORMS_FOLDER, formsOf } from '../src/surfaces/mcp/stored-forms.ts'
import { buildConsole } from './build-console.ts'
import { LATE_CHUNK } from './compiled-code.ts'
import { BUILD_MARK, commandGate, keepCompiled, libraryGate, requireGate } from './entry-gate.ts'
import { packages as nodePackages } from './node24.mjs'
import { at, root } from './root.mjs'
import { handOver } from './run.mjs'

/** Each file of dist/ that a program imports, and its entry. */
const entries = {
  index: 'src/index.ts',
  contracts: 'src/contracts.ts',
  autonomous: 'src/documents/autonomous.ts',
  'cli-agent': 'src/documents/cli-agent.ts',
  'debug-assistant': 'src/documents/debug-assistant.ts',
  sage: 'src/documents/sage.ts',
  superconnect: 'src/documents/superconnect.ts',
  testing: 'src/testing/index.ts',
  adapters: 'src/adapters.ts',
  mcp: 'src/mcp.ts',
}

/** Each file of dist/ that is started, and its entry; `ownProgram` finds ours. */
const programs = {
  cli: 'src/surfaces/cli/main.ts',
  ...Object.fromEntries(Object.entries(OWN_PROGRAMS).map(([name, file]) => [name, posix.join('src', file)])),
}

/** Packages with native programs or libraries: loaded from where they are installed. */
const native =
  /^(@vscode\/ripgrep|@lydell\/node-pty|oxc-parser(?!\/src-js\/generated)|web-tree-sitter|@vscode\/tree-sitter-wasm)(\/|$)/

/** Packages used by named imports only: their default export differs under `require`, and would be empty. */
const requirable = /^(oxc-parser|web-tree-sitter|@vscode\/ripgrep|@lydell\/node-pty)$/

/** Grammars of packages with many other files: the build copies the grammars, and the rest is not installed. */
const copied = {
  '@tree-sitter-grammars/tree-sitter-kotlin': ['tree-sitter-kotlin.wasm'],
  '@repomix/tree-sitter-wasms': ['out/tree-sitter-c.wasm', 'out/tree-sitter-swift.wasm'],
}

/** The one file of the model's runtime that we load, of the 130 MB in its package. */
const runtime = ['onnxruntime-web', 'dist', 'ort-wasm-simd-threaded.wasm']

/** The MCP package would include a JSON Schema validator that we never call. */
const alias = { '@modelcontextprotocol/server/_shims': at('src', 'surfaces', 'mcp', 'sdk-shims.ts') }

const missing = Object.values({ ...entries, ...programs }).filter(file => !existsSync(at(file)))
if (missing.length > 0) {
  console.error(`Nothing was built: ${missing.join(', ')} ${missing.length === 1 ? 'does' : 'do'} not exist.`)
  process.exit(1)
}

// Built in another folder and then renamed, so that dist/ is never half written.
const fresh = at('.cache', `dist-${process.pid}`)
try {
  const packages = [
    ...(await bundle(entries, {
      dir: fresh,
      format: 'esm',
      entryFileNames: ({ name }) => entryFile(name),
      chunkFileNames: 'chunks/[name]-[hash].js',
    })),
    // Node loads CommonJS in half the time, so what is started uses it.
    ...(await bundle(programs, {
      dir: fresh,
      format: 'cjs',
      // The command loads its files itself (`keepingCompiled`), and Node lets only what its own loader loaded import.
      dynamicImportInCjs: false,
      entryFileNames: '[name].cjs',
      chunkFileNames: 'cli/[name]-[hash].cjs',
      // The command loads it when it needs a schema.
      codeSplitting: { groups: [{ name: LATE_CHUNK, test: /[\\/]node_modules[\\/]zod[\\/]/ }] },
      banner: ({ isEntry, name }) => (isEntry ? (name === 'cli' ? commandGate(nodePackages) : keepCompiled) : ''),
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    })),
  ]
  nameBuild()
  for (const [name, files] of Object.entries(copied)) {
    for (const file of files) cpSync(at('node_modules', name, file), join(fresh, 'grammars', posix.basename(file)))
    packages.push(at('node_modules', name))
  }
  mkdirSync(join(fresh, FORMS_FOLDER))
  for (const contract of await allContracts())
    writeFileSync(join(fresh, FORMS_FOLDER, `${contract.id}.json`), JSON.stringify(formsOf(contract)))
  mkdirSync(join(fresh, INPUTS_FOLDER))
  for (const tool of toolwright.tools) {
    const simple = simpleInput(tool.input)
    const stored: StoredInput = { schema: inputSchema(tool), ...(simple && { simple }) }
    writeFileSync(join(fresh, INPUTS_FOLDER, `${tool.name}.json`), JSON.stringify(stored))
  }
  packages.push(...(await buildConsole(join(fresh, 'console'))))
  cpSync(at('node_modules', ...runtime), join(fresh, 'onnxruntime', 'ort-wasm-simd-threaded.wasm'))
  chmodSync(join(fresh, 'cli.cjs'), 0o755)
  const notices = [...[...new Set(packages)].toSorted().map(notice), modelNotice()]
  writeFileSync(join(fresh, 'THIRD-PARTY.txt'), notices.join('\n'))
  const code = process.argv.includes('--types') ? await declarations(join(fresh, 'types')) : 0
  if (code === 0) {
    rmSync(at('dist'), { recursive: true, force: true })
    renameSync(fresh, at('dist'))
  }
  process.exitCode = code
} finally {
  rmSync(fresh, { recursive: true, force: true })
}

/** The file of a library entry. The imported file checks the version of Node before it loads this one. */
function entryFile(name: string): string {
  return `chunks/entry-${name}.js`
}

/** Writes a bundle with the imported files, and returns the folders of the bundled packages. */
async function bundle(input: Readonly<Record<string, string>>, options: OutputOptions): Promise<readonly string[]> {
  await using build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: [/^node:/, native],
    resolve: { alias },
    onLog: (level, log, print) => {
      // A missing package would become an import that fails on another machine.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
      // Its reader of PDF files goes on without fonts, which only drawing needs.
      if (log.code === 'EMPTY_IMPORT_META' && log.id?.includes('unpdf')) return
      print(level, log)
    },
  })
  const { output } = await build.write(options)
  const files = new Set(output.map(({ fileName }) => fileName))
  for (const file of output)
    if (options.format === 'cjs' && file.type === 'chunk')
      for (const name of file.imports)
        if (!files.has(name) && !isBuiltin(name) && !requirable.test(name))
          throw new Error(`${file.fileName} requires ${name}, whose default would be another: bundle it.`)
        else if (name === 'cli.cjs') throw new Error(`${file.fileName} requires the command, which is only started.`)
  for (const file of output)
    if (file.type === 'chunk' && file.fileName === entryFile(file.name)) {
      writeFileSync(join(options.dir ?? '.', `${file.name}.js`), libraryGate(file.fileName, file.exports))
      writeFileSync(join(options.dir ?? '.', `${file.name}.cjs`), requireGate(file.fileName))
    }
  const modules = output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
  return modules.flatMap(id => /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [])
}

/** Writes the name of this build into the command: a hash of all files that the command may load. */
function nameBuild(): void {
  const hash = createHash('sha256')
  for (const file of readdirSync(join(fresh, 'cli')).toSorted())
    hash.update(`${file}\0`).update(readFileSync(join(fresh, 'cli', file)))
  const command = join(fresh, 'cli.cjs')
  const text = readFileSync(command, 'utf8')
  if (!text.includes(BUILD_MARK)) throw new Error('The command has no place for the name of its build.')
  writeFileSync(command, text.replace(BUILD_MARK, hash.digest('hex').slice(0, 16)))
}

async function declarations(dir: string): Promise<number> {
  const tsc = at('node_modules', 'typescript', 'bin', 'tsc')
  return handOver(process.execPath, [tsc, '-p', at('tsconfig.build.json'), '--outDir', dir], { cwd: root })
}

/** The notice that a licence requires: the name of the package and the licence text. */
function notice(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
  // Some packages name their licence and leave its text in their repository.
  const text = [...(file ? [join(folder, file)] : []), at('scripts', 'licences', `${name}.txt`)].find(existsSync)
  if (!text) throw new Error(`${name} has no licence file, and is not bundled without one.`)
  return `${name} ${version}\n\n${readFileSync(text, 'utf8').trim()}\n`
}

/** The model in models/, which the package carries beside dist/. */
function modelNotice(): string {
  const licence = readFileSync(at('models', 'all-MiniLM-L6-v2-int8', 'LICENSE'), 'utf8').trim()
  const about =
    'by the authors of sentence-transformers (UKP Lab, Nils Reimers and others), exported to ONNX and quantised'
  return `all-MiniLM-L6-v2 ${about}\n\n${licence}\n`
}
