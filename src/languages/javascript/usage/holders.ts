import type { Node } from 'oxc-parser'
import { keyName } from '../names.ts'
import { receiversOf } from './receivers.ts'

/** An object, class or type of a script with its members. */
export interface Holder {
  readonly kind: 'class' | 'object' | 'interface' | 'type' | 'enum' | 'namespace' | 'parameter'
  /** Where a server says that it is declared. */
  readonly at: number
  readonly members: readonly Member[]
  /** Positions of the names that it extends, implements or spreads; -1 for anything else. */
  readonly from: readonly number[]
}

interface Member {
  readonly name: string
  readonly at: number
  readonly isOptional?: true
}

/** The members that a node declares; undefined for other nodes. */
export function holderAt(node: Node): Holder | undefined {
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression': {
      const bases = [node.superClass, ...(node.implements ?? []).map(({ expression }) => expression)]
      const from = bases.flatMap(each => (each ? receiversOf(each) : []))
      return { kind: 'class', at: node.id?.start ?? node.start, members: membersIn(node.body.body), from }
    }
    case 'ObjectExpression': {
      const spread = node.properties.flatMap(each => (each.type === 'SpreadElement' ? receiversOf(each.argument) : []))
      return { kind: 'object', at: node.start, members: membersIn(node.properties), from: spread }
    }
    case 'TSInterfaceDeclaration': {
      const from = node.extends.flatMap(({ expression }) => receiversOf(expression))
      return { kind: 'interface', at: node.id.start, members: membersIn(node.body.body), from }
    }
    case 'TSTypeLiteral':
      return { kind: 'type', at: node.start, members: membersIn(node.members), from: [] }
    case 'TSMappedType':
      return { kind: 'parameter', at: node.start, members: [], from: [] }
    case 'TSTypeParameter':
      return { kind: 'parameter', at: node.start, members: [], from: [] }
    case 'TSEnumDeclaration': {
      const members = node.body.members.flatMap(({ id }) => memberOf(id, false) ?? [])
      return { kind: 'enum', at: node.id.start, members, from: [] }
    }
    case 'TSModuleDeclaration':
      return { kind: 'namespace', at: node.id.start, members: declaredIn(node), from: [] }
    default:
      return undefined
  }
}

const membersIn = (nodes: readonly Node[]): readonly Member[] =>
  nodes.flatMap((node): readonly Member[] => {
    // An index signature has no key.
    if (!('key' in node) || !isNode(node.key)) return []
    const member = memberOf(node.key, 'computed' in node && node.computed === true)
    return member
      ? [{ ...member, ...('optional' in node && node.optional === true && { isOptional: true as const }) }]
      : []
  })

function memberOf(key: Node, isComputed: boolean): Member | undefined {
  const name = keyName(key, isComputed)
  return name === undefined ? undefined : { name, at: key.type === 'Literal' ? key.start + 1 : key.start }
}

/** Functions and classes of a namespace. */
function declaredIn({ body }: Extract<Node, { type: 'TSModuleDeclaration' }>): readonly Member[] {
  const statements: readonly Node[] = body?.type === 'TSModuleBlock' ? body.body : []
  return statements.flatMap(statement => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined
    if (!declaration) return []
    const ids =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations.map(({ id }) => id)
        : ['id' in declaration ? declaration.id : null]
    return ids.flatMap(id => (id?.type === 'Identifier' ? [{ name: id.name, at: id.start }] : []))
  })
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
