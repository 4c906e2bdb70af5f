import type { BindingPattern, PropertyKey } from 'oxc-parser'

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
export function keyName(key: PropertyKey, computed = false): string | undefined {
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value
  if (computed) return undefined
  if (key.type === 'Identifier') return key.name
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  return key.type === 'Literal' ? String(key.value) : undefined
}
