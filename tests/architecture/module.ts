import { posix } from 'node:path'
import { parseSync, Visitor, type ESTree } from 'rolldown/utils'
import { functionsOf, type NamedFunction } from './functions.ts'

export interface Import {
  /** A file of the repository, or a package or built-in module as it is spelt. */
  readonly target: string
  /** Gone at run time. */
  readonly typeOnly: boolean
  /** The exports it uses: named ones, those that the importer mentions somewhere, or all because it passes them on. */
  readonly names: readonly string[] | 'mentioned' | 'all'
}

/** A source file as the rules see it. */
export interface Module {
  readonly file: string
  readonly lines: number
  /** The text with its comments blanked. */
  readonly code: string
  readonly imports: readonly Import[]
  readonly exports: readonly string[]
  /** The longest first. */
  readonly functions: readonly NamedFunction[]
}

/**
 * Reads one file; `file` is its path from the repository's root. What the parser says about imports and exports does
 * for most: to make the whole tree of a file takes several times as long.
 */
export const readModule = (file: string, text: string): Module => {
  const result = parseSync(file, text)
  const { module, comments, errors } = result
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const lazy = module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
  const code = withoutComments(text, comments)
  const mayHaveImportTypes = (code.match(/\bimport\(/g)?.length ?? 0) > lazy.length
  return {
    file,
    lines: text.trimEnd().split('\n').length,
    code,
    imports: [
      ...module.staticImports.map(each => staticImport(each, text, code)),
      ...module.staticExports.flatMap(each => reexport(each, text)),
      ...lazy.flatMap(source =>
        /^'[^']*'$|^"[^"]*"$/.test(source)
          ? [{ target: source.slice(1, -1), typeOnly: false, names: 'mentioned' as const }]
          : [],
      ),
      ...(mayHaveImportTypes ? importTypes(result.program) : []),
    ].map(found => ({ ...found, target: resolve(file, found.target) })),
    exports: module.staticExports.flatMap(exportedNames),
    get functions() {
      return functionsOf(result.program, text)
    },
  }
}

type Parsed = ReturnType<typeof parseSync>['module']
type StaticImport = Parsed['staticImports'][number]
type StaticExport = Parsed['staticExports'][number]

/** Reports whether the whole statement is about types, not only a name in its braces. */
const isAboutTypes = (text: string, { start }: { readonly start: number }): boolean =>
  /^(import|export)\s+type\s*[{*]|^import\s+type\s+(?!from\b)\w+\s+from\b/.test(text.slice(start, start + 200))

const staticImport = (statement: StaticImport, text: string, code: string): Import => ({
  target: statement.moduleRequest.value,
  typeOnly: isAboutTypes(text, statement),
  names: importedNames(statement, code),
})

const importedNames = ({ entries }: StaticImport, code: string): Import['names'] => {
  const whole = entries.find(({ importName }) => importName.kind === 'NamespaceObject')
  if (whole) return isPassedOn(whole.localName.value, code) ? 'all' : 'mentioned'
  return entries.map(({ importName }) => importName.name ?? 'default')
}

const reexport = (statement: StaticExport, text: string): readonly Import[] => {
  const { entries } = statement
  const target = entries[0]?.moduleRequest?.value
  if (target === undefined) return []
  const names = entries.flatMap(({ importName }) => importName.name ?? [])
  return [{ target, typeOnly: isAboutTypes(text, statement), names: names.length > 0 ? names : 'all' }]
}

const exportedNames = ({ entries }: StaticExport): readonly string[] =>
  entries.flatMap(({ importName, exportName }) =>
    importName.kind === 'All' || exportName.name === null ? [] : [exportName.name],
  )

/** Reports whether a namespace appears other than before a dot, its own import aside: another file may use any member. */
const isPassedOn = (name: string, code: string): boolean =>
  (code.match(new RegExp(`\\b${name}\\b(?!\\s*\\.)`, 'g')) ?? []).length > 1

/** Finds types such as `import('./a.ts').A`. */
const importTypes = (program: ESTree.Program): readonly Import[] => {
  const found: Import[] = []
  new Visitor({
    TSImportType: ({ source }) => void found.push({ target: source.value, typeOnly: true, names: 'mentioned' }),
  }).visit(program)
  return found
}

const resolve = (file: string, source: string): string =>
  source.startsWith('.') ? posix.join(posix.dirname(file), source) : source

const withoutComments = (
  text: string,
  comments: readonly { readonly start: number; readonly end: number }[],
): string => {
  const parts = comments.flatMap(({ start, end }, place) => [
    text.slice(comments[place - 1]?.end ?? 0, start),
    text.slice(start, end).replaceAll(/[^\n]/g, ' '),
  ])
  return [...parts, text.slice(comments.at(-1)?.end ?? 0)].join('')
}
