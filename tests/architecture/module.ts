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

/** Reads one file; `file` is its path from the repository's root. */
export const readModule = (file: string, text: string): Module => {
  const { program, module, comments, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const lazy = module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
  const code = withoutComments(text, comments)
  return {
    file,
    lines: text.trimEnd().split('\n').length,
    code,
    imports: [
      ...program.body.flatMap(node => staticImport(node, code)),
      ...lazy.flatMap(source =>
        /^'[^']*'$|^"[^"]*"$/.test(source)
          ? [{ target: source.slice(1, -1), typeOnly: false, names: 'mentioned' as const }]
          : [],
      ),
      ...(/\bimport\(/.test(text) ? importTypes(program) : []),
    ].map(found => ({ ...found, target: resolve(file, found.target) })),
    exports: program.body.flatMap(exportedNames),
    get functions() {
      return functionsOf(program, text)
    },
  }
}

type Statement = ESTree.Program['body'][number]

const staticImport = (node: Statement, code: string): readonly Import[] => {
  if (node.type === 'ImportDeclaration')
    return [{ target: node.source.value, typeOnly: node.importKind === 'type', names: importedNames(node, code) }]
  if (node.type === 'ExportAllDeclaration')
    return [{ target: node.source.value, typeOnly: node.exportKind === 'type', names: 'all' }]
  if (node.type !== 'ExportNamedDeclaration' || !node.source) return []
  const names = node.specifiers.map(({ local }) => nameOf(local))
  return [{ target: node.source.value, typeOnly: node.exportKind === 'type', names }]
}

const importedNames = ({ specifiers }: ESTree.ImportDeclaration, code: string): Import['names'] => {
  const whole = specifiers.find(each => each.type === 'ImportNamespaceSpecifier')
  if (whole) return isPassedOn(whole.local.name, code) ? 'all' : 'mentioned'
  return specifiers.map(each => (each.type === 'ImportSpecifier' ? nameOf(each.imported) : 'default'))
}

/** Reports whether a namespace appears other than before a dot, its own import aside: another file may use any member. */
const isPassedOn = (name: string, code: string): boolean =>
  (code.match(new RegExp(`\\b${name}\\b(?!\\s*\\.)`, 'g')) ?? []).length > 1

const nameOf = (node: ESTree.ModuleExportName): string => (node.type === 'Literal' ? node.value : node.name)

/** Finds types such as `import('./a.ts').A`. */
const importTypes = (program: ESTree.Program): readonly Import[] => {
  const found: Import[] = []
  new Visitor({
    TSImportType: ({ source }) => void found.push({ target: source.value, typeOnly: true, names: 'mentioned' }),
  }).visit(program)
  return found
}

const exportedNames = (node: Statement): readonly string[] => {
  if (node.type !== 'ExportNamedDeclaration') return []
  const specified = node.specifiers.flatMap(({ exported }) => ('name' in exported ? [exported.name] : []))
  return [...specified, ...declaredNames(node.declaration)]
}

const declaredNames = (node: ESTree.ExportNamedDeclaration['declaration']): readonly string[] => {
  if (!node) return []
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => ('name' in id ? [id.name] : []))
  return 'id' in node && node.id && 'name' in node.id ? [node.id.name] : []
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
