// oxlint-disable vitest/no-standalone-expect -- the rule does not see that `needs` gives an `it`
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-checker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at } from '../../scripts/root.mjs'
import manifest from '../../package.json' with { type: 'json' }
import type { ContractId, ContractTools } from '../../src/index.ts'
import { loadContract } from '../../src/index.ts'
import { FORMS_FOLDER } from '../../src/surfaces/mcp/stored-forms.ts'
import { CONTRACT_IDS } from '../../src/toolkit.ts'
import { graphPackage } from '../../src/knowledge/code/graph/database/ladybug.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { connect } from '../mcp/connect.ts'
import { consumerProject, type Consumer } from './consumer-project.ts'
import { missingTargets } from './page-links.ts'
import { sizeOf } from './size-of.ts'

const source = (name: string): string => readFileSync(at('tests', 'data', 'library', name), 'utf8')

const entries = Object.values(manifest.exports).flatMap(entry => (typeof entry === 'string' ? [] : [entry.types]))

let consumer: Consumer
let editor: ReturnType<typeof editorOf>
beforeAll(async () => {
  consumer = await consumerProject()
  const installed = join(consumer.path, 'node_modules', 'toolwright')
  editor = editorOf(
    consumer.path,
    entries.map(entry => join(installed, entry)),
  )
}, 240_000)
afterAll(() => {
  editor[Symbol.dispose]()
  consumer[Symbol.dispose]()
})

describe('the library in a strict project', () => {
  it('compiles where it is used as it should be, its declarations too', async () => {
    expect(await consumer.compile('correct.ts', source('correct.ts'), { skipLibCheck: false })).toEqual([])
  }, 240_000)

  it('has the compiler name every misuse, and nothing else', async () => {
    const text = source('misuse.ts')
    const wanted = text.split('\n').flatMap((line, place) => {
      const [, part] = line.split(' //! ')
      return part === undefined ? [] : [{ line: place + 1, part }]
    })
    expect(wanted.length).toBeGreaterThan(30)
    const found = await consumer.compile('misuse.ts', text)
    expect(found.map(({ line }) => line)).toEqual(wanted.map(({ line }) => line))
    for (const [place, { part }] of wanted.entries()) expect(found[place]?.text).toContain(part)
  }, 240_000)

  it('has the types that the documents print, each from its own entry', async () => {
    const utils = './node_modules/toolwright/dist/types/documents/sage.d.ts'
    expect(await consumer.compileFolder('documents', { '@sage/utils': [utils] })).toEqual([])
  }, 240_000)

  it('completes the names of tools and of their inputs', () => {
    const offered = (text: string) => editor.completionsAt(text)
    const open = "import { openToolkit } from 'toolwright'\nconst kit = await openToolkit()\n"
    expect(offered(`${open}kit.run('¦')`)).toEqual(expect.arrayContaining(['read', 'write', 'grep', 'undo']))
    expect(offered(`${open}kit.run('read', { ¦ })`)).toEqual(['encoding', 'from', 'path', 'skip', 'to'])
    const sage = "import { openToolkit } from 'toolwright'\nconst kit = await openToolkit({ contract: 'sage' })\n"
    expect(offered(`${sage}kit.run('¦')`)).toEqual(['Bash', 'Edit', 'GraphQuery', 'Read', 'Write'])
  }, 120_000)

  it('documents every export of every entry point', () => {
    expect(entries.length).toBeGreaterThan(3)
    expect(editor.undocumented()).toEqual([])
  }, 120_000)
})

describe('the package, installed without optional packages', () => {
  it('brings every file that its pages link to', () => {
    expect(consumer.packed).toContain('README.md')
    expect(missingTargets(consumer.packed)).toEqual([])
  })

  it('brings the forms of all tools, and lists these over MCP', async () => {
    const installed = join(consumer.path, 'node_modules', 'toolwright', 'dist')
    const folder = join(installed, FORMS_FOLDER)
    expect(readdirSync(folder)).toEqual([...CONTRACT_IDS.map(id => `${id}.json`), 'inputs'].toSorted())
    expect(readdirSync(join(folder, 'inputs'))).toContain('read.json')
    const stored = readFileSync(join(folder, 'sage.json'), 'utf8')
    writeFileSync(join(folder, 'sage.json'), stored.replaceAll('"title":"', '"title":"Stored '))
    try {
      await using workspace = temporaryWorkspace()
      await using server = await connect(workspace, {
        program: join(installed, 'cli.cjs'),
        args: ['--contract', 'sage'],
      })
      const { tools } = await server.client.listTools()
      expect(tools.map(({ title }) => title)).toEqual(tools.map(() => expect.stringMatching(/^Stored /)))
    } finally {
      writeFileSync(join(folder, 'sage.json'), stored)
    }
  })

  it('is small', () => {
    const modules = join(consumer.path, 'node_modules')
    const names = globSync(['*/package.json', '@*/*/package.json'], { cwd: modules })
    // The model of the memory and what runs it have a bound of their own, so that they hide no other growth.
    const model = ['toolwright/models', 'toolwright/dist/onnxruntime']
    const bytes = sizeOf(
      modules,
      model.map(folder => `${folder}/**`),
    )
    console.log(`${(bytes / 1e6).toFixed(1)} MB in ${names.length} packages`)
    expect(names).toContain('toolwright/package.json')
    expect(names.length).toBeLessThan(20)
    expect(bytes).toBeLessThan(80e6)
    const modelBytes = model.reduce((sum, folder) => sum + sizeOf(join(modules, folder)), 0)
    expect(modelBytes).toBeGreaterThan(30e6)
    expect(modelBytes).toBeLessThan(40e6)
  })

  it('says which package brings what was left out', async () => {
    await using workspace = temporaryWorkspace({
      'a.ts': 'export function one() {}\n',
      'b.py': 'def two():\n  return 2\n',
    })
    const said = (...args: readonly string[]) => consumer.run(args, workspace)
    const graph = `npm install ${graphPackage(`${process.platform}-${process.arch}`)}`
    const doctor = await said('doctor')
    for (const words of [
      'cjs): npm install typescript@7',
      'no server for pyright (py, pyi): npm install pyright',
      'searching: @vscode/ripgrep has no program',
      'JavaScript and TypeScript: oxc-parser has no program',
      graph,
    ])
      expect(doctor).toContain(words)
    expect(await said('callers', 'one', '--file', 'a.ts')).toContain('npm install typescript@7')
    expect(await said('callers', 'two', '--file', 'b.py')).toContain('npm install pyright')
    expect(await said('graph', 'MATCH (a) RETURN a')).toContain(graph)
    expect(await said('grep', 'one')).toContain('npm install @vscode/ripgrep-')
    expect(await said('read', 'b.py')).toContain('def two')
  }, 120_000)

  needs('bubblewrap')(
    'DA-09: records and finds a fix by meaning with the network cut',
    async () => {
      await using workspace = temporaryWorkspace({ 'a.ts': 'export function one() {}\n' })
      const said = (...args: readonly string[]) => consumer.runOffline(['fixes', ...args], workspace)
      const given = [
        '--error',
        'listen EADDRINUSE :::3000',
        '--cause',
        'A second server',
        '--solution',
        'Stop the old one',
      ]
      expect(await said('add', ...given)).toMatch(/^Stored fix-/)
      expect(await said('search', 'the port is taken')).toMatch(/EADDRINUSE.*similarity 0\.\d/)
    },
    120_000,
  )
})

describe('the types of a contract', () => {
  /** Exhaustive by type: neither a tool nor a type is missing where the names are the same. */
  const NAMES: { readonly [Id in ContractId]: Readonly<Record<keyof ContractTools[Id], true>> } = {
    toolwright: {
      callers: true,
      check: true,
      context: true,
      delete: true,
      docs: true,
      edit: true,
      effects: true,
      fetch: true,
      find: true,
      fixes: true,
      graph: true,
      grep: true,
      index: true,
      list: true,
      move: true,
      patch: true,
      plan: true,
      read: true,
      refactor: true,
      remember: true,
      references: true,
      run: true,
      stage: true,
      symbols: true,
      undo: true,
      write: true,
    },
    sage: { Read: true, Write: true, Edit: true, Bash: true, GraphQuery: true },
    superconnect: { queryIndex: true, readFile: true, listFiles: true },
    autonomous: {
      list_dirs: true,
      list_files: true,
      read_file: true,
      search_code: true,
      todo_manager: true,
      validate_output: true,
    },
    'cli-agent': {
      create_file: true,
      read_file: true,
      replace_string_in_file: true,
      list_dir: true,
      file_search: true,
      grep_search: true,
      run_in_terminal: true,
      terminal_last_command: true,
      create_directory: true,
      fetch_webpage: true,
    },
    'debug-assistant': {
      read_file: true,
      web_search_wiki: true,
      get_code_context: true,
      find_callers_of_function: true,
      vector_search_db: true,
    },
  }

  it.each(Object.entries(NAMES))('%s are those of its tools', async (id, names) => {
    const { tools } = await loadContract(id)
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(names).toSorted())
  })
})

/** The package in the eyes of an editor, which reads libraries and declarations once for all that is asked. */
function editorOf(path: string, declared: readonly string[]) {
  const file = join(path, 'typed.ts')
  let text = ''
  let version = 0
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, strict: true, skipLibCheck: true }
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, types: [] }),
    getScriptFileNames: () => [file, ...declared],
    getScriptVersion: name => (name === file ? String(version) : '1'),
    getScriptSnapshot: name => {
      const content = name === file ? text : ts.sys.readFile(name)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => path,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
  return {
    /** What is offered at the mark. */
    completionsAt(marked: string): readonly string[] {
      text = marked.replace('¦', '')
      version++
      const found = service.getCompletionsAtPosition(file, marked.indexOf('¦'), undefined)?.entries ?? []
      return found.map(({ name }) => name).toSorted()
    },
    /** The exports of the entry points that have no comment where they are declared. */
    undocumented(): readonly string[] {
      const program = service.getProgram()
      const checker = program?.getTypeChecker()
      return declared.flatMap(entry => {
        const module = program?.getSourceFile(entry)
        const symbol = module && checker?.getSymbolAtLocation(module)
        if (!checker || !symbol) throw new Error(`${entry} exports nothing`)
        return checker.getExportsOfModule(symbol).flatMap(exported => {
          const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
          return target.getDocumentationComment(checker).length > 0 ? [] : [`${entry}: ${exported.name}`]
        })
      })
    },
    [Symbol.dispose]: () => service.dispose(),
  }
}
