import type { Node, Program } from 'oxc-parser'
import { dottedName, memberName } from '../names.ts'
import { childrenOf } from '../scope.ts'
import { declaredValues, type DeclaredValues } from './declared-values.ts'
import { holderAt, type Holder } from './holders.ts'
import { receiversOf, typeName } from './receivers.ts'
import type { ComputedKey, ScriptMembers } from './script-members.ts'

/** Finds the computed keys of a script and what has members, without resolving a name. */
export function scriptMembers(program: Program): ScriptMembers {
  const values = declaredValues(program)
  const keys: ComputedKey[] = []
  const holders: Holder[] = []
  const open: (readonly [node: Node, parent: Node | undefined])[] = [[program, undefined]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, parent] = next
    const key = keyAt(node, parent, values)
    if (key) keys.push(key)
    const holder = holderAt(node)
    if (holder) holders.push(holder)
    for (const child of childrenOf(node).toReversed()) open.push([child, node])
  }
  return { keys, holders }
}

const LISTS = /^Object\.(keys|entries|values|getOwnPropertyNames|getOwnPropertyDescriptors)$|^Reflect\.ownKeys$/
const LOOKS_UP =
  /^Reflect\.(get|has|set|deleteProperty|getOwnPropertyDescriptor)$|^Object\.(hasOwn|getOwnPropertyDescriptor)$/

function keyAt(node: Node, parent: Node | undefined, values: DeclaredValues): ComputedKey | undefined {
  switch (node.type) {
    case 'MemberExpression':
      return node.computed ? one(node, node.object, node.property) : undefined
    case 'BinaryExpression':
      return node.operator === 'in' && node.left.type !== 'PrivateIdentifier'
        ? one(node, node.right, node.left)
        : undefined
    case 'ForInStatement':
      return all({ start: node.right.start, end: node.right.end }, node.right, 'names')
    case 'VariableDeclarator':
      return node.init ? destructuringKey(node.id, node.init) : undefined
    case 'AssignmentExpression':
      return destructuringKey(node.left, node.right)
    case 'CallExpression': {
      const name = dottedName(node.callee) ?? ''
      const [of, key] = node.arguments
      if (name.endsWith('.hasOwnProperty') && node.callee.type === 'MemberExpression' && of)
        return one(node, node.callee.object, of)
      if (!of) return undefined
      if (LOOKS_UP.test(name)) return key && one(node, of, key)
      // Their number has no names.
      const isCounted = parent?.type === 'MemberExpression' && memberName(parent) === 'length'
      return LISTS.test(name) && !isCounted ? all(node, of, name.endsWith('.values') ? 'values' : 'names') : undefined
    }
    case 'TSTypeOperator': {
      const keyType = node.operator === 'keyof' ? typeName(node.typeAnnotation) : undefined
      return keyType === undefined ? undefined : { ...place(node), receivers: [keyType], ...ANY, how: 'type' }
    }
    default:
      return undefined
  }

  function one(at: Place, of: Node, key: Node): ComputedKey | undefined {
    const parts = partsOf(key, values)
    const receivers = parts ? receiversOf(of, values) : []
    return parts && receivers.length > 0 ? { ...place(at), receivers, ...parts, how: 'one' } : undefined
  }

  function all(at: Place, of: Node, how: ComputedKey['how']): ComputedKey | undefined {
    const receivers = receiversOf(of, values)
    return receivers.length > 0 ? { ...place(at), receivers, ...ANY, how } : undefined
  }

  /** `const { [name]: f } = tasks`. */
  function destructuringKey(pattern: Node, of: Node): ComputedKey | undefined {
    if (pattern.type !== 'ObjectPattern') return undefined
    for (const property of pattern.properties)
      if (property.type === 'Property' && property.computed) {
        const key = one(property, of, property.key)
        if (key) return key
      }
    return undefined
  }
}

type Place = Pick<Node, 'start' | 'end'>
type Parts = Pick<ComputedKey, 'prefix' | 'suffix'>

const ANY: Parts = { prefix: '', suffix: '' }
const place = ({ start, end }: Place): Place => ({ start, end })

/** The fixed parts of a key; undefined for a number, a symbol, or texts that are written whole. */
function partsOf(key: Node, values: DeclaredValues): Parts | undefined {
  switch (key.type) {
    case 'Literal':
    case 'UpdateExpression':
      return undefined
    case 'UnaryExpression':
      return key.operator === 'typeof' ? ANY : undefined
    case 'Identifier':
      return values.is(key.name, 'number') || values.is(key.name, 'whole') ? undefined : ANY
    case 'MemberExpression':
      return memberName(key) === 'length' || (dottedName(key) ?? '').startsWith('Symbol.') ? undefined : ANY
    case 'TemplateLiteral': {
      const texts = key.quasis.map(({ value }) => value.cooked ?? value.raw)
      return texts.length > 1 ? { prefix: texts[0] ?? '', suffix: texts.at(-1) ?? '' } : undefined
    }
    case 'ConditionalExpression':
      return (partsOf(key.consequent, values) ?? partsOf(key.alternate, values)) ? ANY : undefined
    case 'LogicalExpression':
      return (partsOf(key.left, values) ?? partsOf(key.right, values)) ? ANY : undefined
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'ParenthesizedExpression':
      return partsOf(key.expression, values)
    case 'BinaryExpression': {
      if (key.operator !== '+') return undefined
      if (isNumber(key.left, values) && isNumber(key.right, values)) return undefined
      return { prefix: textAt(key, 'left'), suffix: textAt(key, 'right') }
    }
    default:
      return ANY
  }
}

/** Reports whether a sum of numbers is meant: one of them is written, and nothing shows a text. */
const isNumber = (node: Node, values: DeclaredValues): boolean =>
  (node.type === 'Literal' && typeof node.value === 'number') ||
  (node.type !== 'Literal' && node.type !== 'TemplateLiteral' && partsOf(node, values) === undefined)

/** The text at one end of a sum. */
function textAt(node: Node, end: 'left' | 'right'): string {
  if (node.type === 'BinaryExpression' && node.operator === '+') return textAt(node[end], end)
  if (node.type === 'TemplateLiteral') {
    const quasi = node.quasis.at(end === 'left' ? 0 : -1)
    return quasi?.value.cooked ?? ''
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : ''
}
