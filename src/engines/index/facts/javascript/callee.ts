import { memberName } from './binding-names.ts'
import type { Imported, Origin } from './imported.ts'
import { isMemberExpression, isName, type Syntax } from './syntax.ts'

let last: { readonly node: Syntax; readonly name: string | undefined } | undefined

/** The dotted name that is called or extended, such as `React.memo`; undefined where it is no plain name. */
export function dottedName(node: Syntax): string | undefined {
  // Several look at each call, one right after the other.
  if (last?.node !== node) last = { node, name: readName(node) }
  return last.name
}

function readName(node: Syntax): string | undefined {
  if (isName(node)) return node.name
  if (isMemberExpression(node)) {
    const object = readName(node.object)
    if (object === undefined) return undefined
    const name = memberName(node)
    return name === undefined ? undefined : `${object}.${name}`
  }
  if (node.type === 'SequenceExpression') {
    const value = node.expressions.at(-1)
    return value && readName(value)
  }
  if (node.type === 'TSNonNullExpression' || node.type === 'TSInstantiationExpression') return readName(node.expression)
  return undefined
}

/** The origin of a name: where its first part was imported from, and the member of it that is meant. */
export function originOf(name: string, { names }: Imported): Origin | undefined {
  const dot = name.indexOf('.')
  const origin = names.get(dot < 0 ? name : name.slice(0, dot))
  if (!origin || dot < 0) return origin
  const isWhole = origin.name === '*' || origin.name === 'default'
  const rest = name.slice(dot + 1).split('.')
  return {
    module: origin.module,
    name: isWhole ? (rest.find(part => part !== 'default') ?? origin.name) : origin.name,
  }
}
