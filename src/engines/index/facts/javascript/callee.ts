import type { Node } from 'oxc-parser'
import { keyName } from './binding-names.ts'
import type { Imported, Origin } from './imported.ts'

/** The dotted name that is called or extended, such as `React.memo`; undefined where it is no plain name. */
export function dottedName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') {
    const object = dottedName(node.object)
    const name = keyName(node.property, node.computed)
    return object === undefined || name === undefined ? undefined : `${object}.${name}`
  }
  if (node.type === 'SequenceExpression') {
    const last = node.expressions.at(-1)
    return last && dottedName(last)
  }
  if (node.type === 'TSNonNullExpression' || node.type === 'TSInstantiationExpression')
    return dottedName(node.expression)
  return undefined
}

/** The origin of a name: where its first part was imported from, and the member of it that is meant. */
export function originOf(name: string, { names }: Imported): Origin | undefined {
  const [first = '', ...rest] = name.split('.')
  const origin = names.get(first)
  if (!origin) return undefined
  if (rest.length === 0) return origin
  const isWhole = origin.name === '*' || origin.name === 'default'
  return {
    module: origin.module,
    name: isWhole ? (rest.find(part => part !== 'default') ?? origin.name) : origin.name,
  }
}
