import type { Node, Tree } from 'web-tree-sitter'
import { declares, fieldName, type LanguageRules, type Named } from '../rules.ts'

const isPublic = (_node: Node, name: string): boolean => !name.startsWith('_')

export const python: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm',
  wrappers: new Set(['decorated_definition']),
  symbols: {
    class_definition: declares('class', isPublic),
    function_definition: node => declares(isInClass(node) ? 'method' : 'function', isPublic)(node),
    assignment: node => (isAtTop(node) ? assigned(node.childForFieldName('left')) : undefined),
    type_alias_statement: declares('type', isPublic),
  },
  exports(root, path) {
    const names = listed(root)
    if (names) return { names, isAll: true }
    return /(^|\/)__init__\.pyi?$/.test(path) ? { names: passedOn(root), isAll: false } : undefined
  },
  tests: {
    class_definition: node => /TestCase\b/.test(node.childForFieldName('superclasses')?.text ?? ''),
    function_definition: node =>
      /^test(_|[A-Z]|$)/.test(fieldName(node) ?? '') &&
      (/\b(assert\w*|pytest|self\.fail)\b/.test(node.text) || takesTests(node)),
  },
}

/** Asked for each function of a file. */
const importers = new WeakMap<Tree, boolean>()

/** Whether pytest or unittest is imported, which is done at the top. */
function takesTests({ tree }: Node): boolean {
  const before = importers.get(tree)
  if (before !== undefined) return before
  const takes = tree.rootNode.namedChildren.some(
    statement =>
      statement !== null &&
      /^import(_from)?_statement$/.test(statement.type) &&
      /^(from\s+(pytest|unittest)\b|import\s+(.*,\s*)?(pytest|unittest)\b)/.test(statement.text),
  )
  importers.set(tree, takes)
  return takes
}

const isInClass = (node: Node): boolean => {
  const above = node.parent?.type === 'decorated_definition' ? node.parent.parent : node.parent
  return above?.parent?.type === 'class_definition'
}

/** Also inside `if` and `try`, where versions are told apart. */
function isAtTop(node: Node): boolean {
  for (let above = node.parent; above; above = above.parent)
    if (above.type === 'function_definition' || above.type === 'class_definition') return false
  return true
}

function assigned(left: Node | null): readonly Named[] {
  if (!left) return []
  const names = left.type === 'identifier' ? [left] : left.type === 'pattern_list' ? left.namedChildren : []
  return names.flatMap(each =>
    each?.type === 'identifier'
      ? { kind: 'variable' as const, name: each.text, isPublic: isPublic(each, each.text) }
      : [],
  )
}

/** The names in `__all__`, wherever the file adds to it. */
function listed(root: Node): readonly string[] | undefined {
  let found: string[] | undefined
  for (const statement of root.namedChildren) {
    const [first] = statement?.namedChildren ?? []
    if (!first || !/^__all__\b/.test(first.text)) continue
    const value = first.type === 'call' ? first.childForFieldName('arguments') : first.childForFieldName('right')
    const names = value?.descendantsOfType('string_content').map(each => each?.text ?? '') ?? []
    found = first.type === 'assignment' ? names : [...(found ?? []), ...names]
  }
  return found
}

/** What a package takes from its own modules is there for others. */
function passedOn(root: Node): readonly string[] {
  return root.namedChildren.flatMap(statement => {
    if (statement?.type !== 'import_from_statement') return []
    if (statement.childForFieldName('module_name')?.type !== 'relative_import') return []
    return statement.childrenForFieldName('name').flatMap(each => {
      const name = each?.childForFieldName('alias')?.text ?? each?.text ?? '_'
      return name.startsWith('_') ? [] : [name]
    })
  })
}
