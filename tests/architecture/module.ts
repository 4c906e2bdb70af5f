import { posix } from 'node:path'
import { parseSync, type ESTree } from 'rolldown/utils'

export interface Import {
  /** A file of the repository, or a package or built-in module as it is spelt. */
  readonly target: string
  /** Gone at run time. */
  readonly typeOnly: boolean
}

/** A source file as the rules see it. */
export interface Module {
  readonly file: string
  readonly lines: number
  /** The text with its comments blanked. */
  readonly code: string
  readonly imports: readonly Import[]
  readonly exports: readonly string[]
}

/** Reads one file; `file` is its path from the repository's root. */
export const readModule = (file: string, text: string): Module => {
  const { program, module, comments, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const lazy = module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
  return {
    file,
    lines: text.trimEnd().split('\n').length,
    code: comments.reduce((code, { start, end }) => blank(code, start, end), text),
    imports: [
      ...program.body.flatMap(staticImport),
      ...lazy.flatMap(source =>
        /^'[^']*'$|^"[^"]*"$/.test(source) ? [{ target: source.slice(1, -1), typeOnly: false }] : [],
      ),
    ].map(found => ({ ...found, target: resolve(file, found.target) })),
    exports: program.body.flatMap(exportedNames),
  }
}

type Statement = ESTree.Program['body'][number]

const staticImport = (node: Statement): readonly Import[] => {
  if (node.type === 'ImportDeclaration') return [{ target: node.source.value, typeOnly: node.importKind === 'type' }]
  if (node.type === 'ExportAllDeclaration') return [{ target: node.source.value, typeOnly: node.exportKind === 'type' }]
  if (node.type !== 'ExportNamedDeclaration' || !node.source) return []
  return [{ target: node.source.value, typeOnly: node.exportKind === 'type' }]
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

const blank = (code: string, start: number, end: number): string =>
  code.slice(0, start) + code.slice(start, end).replaceAll(/[^\n]/g, ' ') + code.slice(end)
