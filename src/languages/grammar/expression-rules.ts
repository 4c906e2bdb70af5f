import type { Node } from 'web-tree-sitter'
import { childrenOf, countOf, field } from './describe.ts'
import type { Expression } from './grammar-language.ts'

type Rule = (node: Node) => Expression | undefined

const argumentsOf = (node: Node): number => countOf(field(node, 'arguments'))

export const name: Rule = ({ text }) => ({ is: 'name', name: text })

export const self = (): Expression => ({ is: 'this' })

export const base = (): Expression => ({ is: 'super' })

export const literal =
  (type: string): Rule =>
  () => ({ is: 'literal', type })

/** A number: its type by its form or suffix; unknown if it may be too large for the plain type. */
export const number =
  (integer: string, real: string, suffixes: Readonly<Record<string, string>> = {}): Rule =>
  ({ text }) => {
    const digits = text.toLowerCase().replaceAll(/[_']/g, '')
    const isBased = /^0[xbo]/.test(digits)
    const suffix = (isBased ? /[ul]*$/ : /[a-z]*$/).exec(digits)?.[0] ?? ''
    const plain = isBased || /^\d+$/.test(digits) ? integer : real
    const type = suffix === '' ? plain : suffixes[suffix]
    return type === undefined || (type === integer && digits.length > 9) ? undefined : { is: 'literal', type }
  }

/** A member, by the fields of the object and its name. */
export const member =
  (objectField: string, nameField: string, textOf = ({ text }: Node): string => text): Rule =>
  node => {
    const [of, nameNode] = [field(node, objectField), field(node, nameField)]
    return of && nameNode && { is: 'member', of, name: textOf(nameNode) }
  }

/** A call, by the field of the callee. */
export const call =
  (calleeField: string): Rule =>
  node => {
    const callee = field(node, calleeField)
    return callee && { is: 'call', callee, count: argumentsOf(node) }
  }

export const creation: Rule = node => {
  const type = field(node, 'type')
  return type && { is: 'new', type, count: argumentsOf(node) }
}

/** The value of this field, or else of the first child. */
export const same =
  (valueField?: string): Rule =>
  node => {
    const as = (valueField === undefined ? undefined : field(node, valueField)) ?? childrenOf(node)[0]
    return as && { is: 'same', as }
  }

export const withType =
  (typeField = 'type'): Rule =>
  node => {
    const type = field(node, typeField)
    return type && { is: 'typed', type }
  }

/** An element of this field, or else of the first child. */
export const element =
  (collectionField?: string): Rule =>
  node => {
    const of = collectionField === undefined ? childrenOf(node)[0] : field(node, collectionField)
    return of && { is: 'element', of }
  }
