import type { Node, Tree } from 'web-tree-sitter'
import { childrenOf, descendants, field, fieldsOf } from '../grammar/describe.ts'
import type { Imported } from '../grammar/grammar-language.ts'
import { isPackagePath } from '../file-model/path-kind.ts'

/** The explicit exports of a module; undefined if its names alone decide. */
export function exportsIn(
  root: Node,
  path: string,
): { readonly names: readonly string[]; readonly isAll: boolean } | undefined {
  const names = namesInAll(root)
  if (names) return { names, isAll: true }
  return isPackagePath(path) ? { names: passedOn(root), isAll: false } : undefined
}

/** The names in `__all__`, including later additions. */
function namesInAll(root: Node): readonly string[] | undefined {
  let allNames: string[] | undefined
  for (const statement of root.namedChildren) {
    const [first] = statement?.namedChildren ?? []
    if (!first || !/^__all__\b/.test(first.text)) continue
    const value = first.type === 'call' ? field(first, 'arguments') : field(first, 'right')
    const names = descendants(value, 'string_content').map(each => each.text)
    allNames = first.type === 'assignment' ? names : [...(allNames ?? []), ...names]
  }
  return allNames
}

/** Names that a package imports from its own modules are exported. */
const passedOn = (root: Node): readonly string[] =>
  childrenOf(root)
    .filter(each => each.type === 'import_from_statement' && field(each, 'module_name')?.type === 'relative_import')
    .flatMap(importedBy)
    .flatMap(({ local }) => (local === '' || local.startsWith('_') ? [] : local))

export function importedBy(node: Node): readonly Required<Imported>[] {
  const from = field(node, 'module_name')?.text
  const names = fieldsOf(node, 'name').map(each => ({
    name: field(each, 'name')?.text ?? each.text,
    local: field(each, 'alias')?.text,
  }))
  if (from === undefined)
    return names.map(({ name, local = name.replace(/\..*/, '') }) => ({ module: name, name: '*', local }))
  if (names.length === 0) return [{ module: from, name: '*', local: '' }]
  return names.map(({ name, local = name }) => ({ module: from, name, local }))
}

/** Cached: this is needed for each function of a file. */
const importers = new WeakMap<Tree, boolean>()

/** Reports whether the file imports pytest or unittest at its top. */
export function takesTests({ tree }: Node): boolean {
  const before = importers.get(tree)
  if (before !== undefined) return before
  const importsTests = childrenOf(tree.rootNode).some(
    ({ type, text }) =>
      /^import(_from)?_statement$/.test(type) &&
      /^(from\s+(pytest|unittest)\b|import\s+(.*,\s*)?(pytest|unittest)\b)/.test(text),
  )
  importers.set(tree, importsTests)
  return importsTests
}
