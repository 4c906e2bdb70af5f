import type { BindingPattern, Node } from 'oxc-parser'

/** The names that a pattern binds, in order. */
export function bindingNames(pattern: BindingPattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'AssignmentPattern':
      return bindingNames(pattern.left)
    case 'ArrayPattern':
      return pattern.elements.flatMap(element =>
        element === null ? [] : bindingNames(element.type === 'RestElement' ? element.argument : element),
      )
    case 'ObjectPattern':
      return pattern.properties.flatMap(property =>
        bindingNames(property.type === 'RestElement' ? property.argument : property.value),
      )
  }
}

/** The name of a property or member; undefined where it is computed. */
export function keyName(key: Node, computed = false): string | undefined {
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value
  if (computed) return undefined
  if (key.type === 'Identifier') return key.name
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  return key.type === 'Literal' ? String(key.value) : undefined
}

/** What a call of `require` asks for. */
export function requiredBy(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || node.arguments.length !== 1) return undefined
  const [module] = node.arguments
  const isRequire = node.callee.type === 'Identifier' && node.callee.name === 'require'
  return isRequire && module?.type === 'Literal' && typeof module.value === 'string' ? module.value : undefined
}

/** The dotted name that is called, such as `it.each`; undefined where it is no plain name. */
export function dottedName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression') return undefined
  const object = dottedName(node.object)
  const name = keyName(node.property, node.computed)
  return object === undefined || name === undefined ? undefined : `${object}.${name}`
}
