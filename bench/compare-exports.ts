import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import ts from 'typescript-checker'
import { factsOf, LARGEST } from '../src/knowledge/model/facts/facts-of.ts'
import { fileRecord } from '../src/knowledge/index/file-record.ts'
import { createFileTable } from '../src/knowledge/index/table/file-table.ts'
import { packFacts } from '../src/knowledge/index/table/pack-facts.ts'

export interface Difference {
  readonly path: string
  /** Names that the checker knows and we do not. */
  readonly missing: readonly string[]
  /** Names that we list and the checker does not know. */
  readonly extra: readonly string[]
}

export interface Compared {
  /** Modules that both have looked at. */
  readonly files: number
  /** Names that the checker knows, those that we list, and those of both. */
  readonly expected: number
  readonly listed: number
  readonly common: number
  readonly differences: readonly Difference[]
  /** Modules that pass on all names of a package that is not in the workspace: not compared. */
  readonly beyond: number
}

/** Compares the names that each module below a directory exports with those that TypeScript's checker finds. */
export async function compareExports(directory: string): Promise<Compared> {
  const paths = globSync('**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}', { cwd: directory, exclude: ['**/node_modules/**'] })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => statSync(join(directory, path)).isFile() && statSync(join(directory, path)).size <= LARGEST)
    .toSorted()
  const ours = await ownExports(directory, paths)
  const differences: Difference[] = []
  let [files, expected, listed, common, beyond] = [0, 0, 0, 0, 0]
  for (const [path, names] of checkedExports(directory, paths)) {
    const own = ours.get(path)
    if (!own) {
      beyond++
      continue
    }
    // `export =` is the module itself, which we call its default.
    if (names.isWhole) for (const each of [own, names.all]) each.delete('default')
    files++
    expected += names.all.size
    listed += own.size
    const missing = [...names.all].filter(name => !own.has(name))
    const extra = [...own].filter(name => !names.all.has(name))
    common += own.size - extra.length
    if (missing.length > 0 || extra.length > 0) differences.push({ path, missing, extra })
  }
  return { files, expected, listed, common, differences, beyond }
}

/** Without those that lead out of the workspace. */
async function ownExports(directory: string, paths: readonly string[]): Promise<Map<string, Set<string>>> {
  const table = createFileTable()
  const beyond = new Set<string>()
  for (const path of paths) {
    const bytes = readFileSync(join(directory, path))
    const found = await factsOf(path, bytes)
    // The name of a default export is ours to add; the checker knows `default` only.
    const { defaultName: _name, ...facts } = found ?? { exports: [], stars: [], tags: [], symbols: [], language: '' }
    table.put({ path, size: bytes.length, mtimeMs: 0, content: '', facts: packFacts(facts) })
  }
  for (const path of globSync('**/{package,tsconfig*}.json', { cwd: directory, exclude: ['**/node_modules/**'] })) {
    const bytes = readFileSync(join(directory, path))
    table.put({ path, size: bytes.length, mtimeMs: 0, content: '', ...(await fileRecord(path, bytes)) })
  }
  const isElsewhere = (path: string, star: string) =>
    !star.startsWith('.') && ![...table.links.places(path, star).files].some(each => table.has(each))
  for (const path of paths)
    if (table.get(path)?.facts?.stars.some(star => isElsewhere(path, star)))
      for (const each of [path, ...table.links.followers(path)]) beyond.add(each)
  return new Map(paths.filter(path => !beyond.has(path)).map(path => [path, new Set(table.get(path)?.exports)]))
}

const STAR_CALL =
  /\b(__exportStar|__reExport)\(|Object\.keys\(\w+\)\.forEach\(function \(key\)|,\s*require\(("|')[^"']+\2\),\s*module\.exports\)/

interface Checked {
  readonly all: Set<string>
  readonly isWhole: boolean
}

function* checkedExports(directory: string, paths: readonly string[]): Generator<readonly [string, Checked]> {
  const program = ts.createProgram(
    paths.map(path => join(directory, path)),
    OPTIONS,
    scriptsAmongScripts(),
  )
  const checker = program.getTypeChecker()
  for (const path of paths) {
    const source = program.getSourceFile(join(directory, path))
    // The checker does not follow what compilers write for `export *` in CommonJS; we do.
    if (source && STAR_CALL.test(source.text)) continue
    const symbol = source && checker.getSymbolAtLocation(source)
    if (!symbol) continue
    const names = checker.getExportsOfModule(symbol).map(each => ts.unescapeLeadingUnderscores(each.escapedName))
    // Nor does it tell the names of a CommonJS module that is handed on whole.
    if (names.includes(ts.InternalSymbolName.ExportEquals)) continue
    const isWhole = symbol.exports?.has(ts.InternalSymbolName.ExportEquals) ?? false
    yield [path, { all: new Set(names.filter(name => name !== 'prototype' && name !== '__esModule')), isWhole }]
  }
}

const OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  noEmit: true,
  noLib: true,
  types: [],
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  maxNodeModuleJsDepth: 0,
}

/** What a script passes on is what the script that it names exports: the types beside that are no names of it. */
function scriptsAmongScripts(): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS)
  host.resolveModuleNameLiterals = (literals, containing) =>
    literals.map(({ text }) => {
      const path = join(dirname(containing), text)
      const isPlain = SCRIPT.test(containing) && /^\.\.?\//.test(text) && SCRIPT.test(path) && existsSync(path)
      if (!isPlain) return ts.resolveModuleName(text, containing, OPTIONS, host)
      return { resolvedModule: { resolvedFileName: path, extension: extname(path), resolvedUsingTsExtension: false } }
    })
  return host
}

const SCRIPT = /\.[cm]?jsx?$/
