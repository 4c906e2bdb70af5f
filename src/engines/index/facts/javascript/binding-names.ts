import { isName, type Member, type Syntax } from './syntax.ts'

/** The names that a pattern binds, in order. */
export function bindingNames(pattern: Syntax, text: string): string[] {
  if (isName(pattern)) return [pattern.name]
  switch (pattern.type) {
    case 'AssignmentPattern':
      return bindingNames(pattern.left, text)
    case 'ArrayPattern':
      return inOrder(pattern, pattern.elements, text)
    case 'ObjectPattern':
      return inOrder(pattern, pattern.properties, text)
    case 'BindingProperty':
      return bindingNames(pattern.value, text)
    default:
      return []
  }
}

/** The tree does not say what takes the rest, which is the last and a name but in code that nobody writes. */
function inOrder(pattern: Syntax, parts: readonly (Syntax | null)[], text: string): string[] {
  let { start } = pattern
  const names: string[] = []
  for (const part of parts) {
    if (part === null) continue
    start = part.end
    names.push(...bindingNames(part, text))
  }
  const rest = REST.exec(text.slice(start, pattern.end))?.[1]
  return rest === undefined ? names : [...names, rest]
}

const REST = /\.\.\.\s*([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)/u

/** The name of a property or member; undefined where it is computed. */
export function keyName(key: Syntax, computed = false): string | undefined {
  if (key.type === 'StringLiteral') return key.value
  if (computed) return undefined
  if (isName(key)) return key.name
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  return key.type === 'NumericLiteral' ? String(key.value) : undefined
}

/** The name of what is taken of an object. */
export const memberName = ({ type, property }: Member): string | undefined =>
  keyName(property, type === 'ComputedMemberExpression')
