import type {
  BindingPattern,
  Expression,
  ImportDeclarationSpecifier,
  MemberExpression,
  ModuleExportName,
  Node,
  Program,
} from 'oxc-parser'

type BoundName = Extract<BindingPattern, { readonly type: 'Identifier' }>

/** The names that a pattern binds, with their positions, in order. */
export function boundNames(pattern: BindingPattern): readonly BoundName[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern]
    case 'AssignmentPattern':
      return boundNames(pattern.left)
    case 'ArrayPattern':
      return pattern.elements.flatMap(element =>
        element === null ? [] : boundNames(element.type === 'RestElement' ? element.argument : element),
      )
    case 'ObjectPattern':
      return pattern.properties.flatMap(property =>
        boundNames(property.type === 'RestElement' ? property.argument : property.value),
      )
  }
}

/** The names that a pattern binds, in order. */
export const bindingNames = (pattern: BindingPattern): readonly string[] => boundNames(pattern).map(({ name }) => name)

/** The name of a property or member; undefined if it is computed. */
export function keyName(key: Node, isComputed = false): string | undefined {
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value
  if (isComputed) return undefined
  if (key.type === 'Identifier') return key.name
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  return key.type === 'Literal' ? String(key.value) : undefined
}

/** A name in a list of imports or exports. */
export const listedName = (name: ModuleExportName): string => (name.type === 'Literal' ? name.value : name.name)

/** The imported name of a specifier; `*` for the whole module. */
export function importedName(specifier: ImportDeclarationSpecifier): string {
  if (specifier.type === 'ImportSpecifier') return listedName(specifier.imported)
  return specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*'
}

/** The name of an accessed member. */
export const memberName = ({ property, computed }: MemberExpression): string | undefined => keyName(property, computed)

const WRAPPERS = /^(__importStar|__importDefault|_interopRequire\w*|__toESM)$/

/** The module of `require('…')`, also inside of a compiler's wrapper. */
export function requiredBy(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node
  const [first] = node.arguments
  if (!first) return undefined
  if (callee.type === 'Identifier' && callee.name === 'require')
    return first.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined
  return isNamed(callee, WRAPPERS) ? requiredBy(first) : undefined
}

/** The top-level variables of a file with their initial values. */
export function topLevelValues({ body }: Program): ReadonlyMap<string, Expression> {
  const values = new Map<string, Expression>()
  for (const statement of body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) if (init && id.type === 'Identifier') values.set(id.name, init)
  }
  return values
}

/** Also true for a member, such as `tslib_1.__exportStar`. */
export function isNamed(callee: Node, name: RegExp): boolean {
  if (callee.type === 'Identifier') return name.test(callee.name)
  if (callee.type === 'MemberExpression') return name.test(memberName(callee) ?? '')
  return callee.type === 'SequenceExpression' && callee.expressions.some(one => isNamed(one, name))
}

/** The callee before a table of cases: `test.each(table)('…', …)` and `` test.each`table`('…', …) `` */
export const tableOf = (callee: Node): Node =>
  callee.type === 'CallExpression' ? callee.callee : callee.type === 'TaggedTemplateExpression' ? callee.tag : callee

/** The dotted name of a callee or base, such as `it.each`; undefined if it is no plain name. */
export function dottedName(node: Node): string | undefined {
  switch (node.type) {
    case 'Identifier':
      return node.name
    case 'MemberExpression': {
      const object = dottedName(node.object)
      const name = object === undefined ? undefined : memberName(node)
      return name === undefined ? undefined : `${object}.${name}`
    }
    case 'SequenceExpression': {
      const value = node.expressions.at(-1)
      return value && dottedName(value)
    }
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
      return dottedName(node.expression)
    default:
      return undefined
  }
}
