import type { Node } from 'oxc-parser'
import { eachChild } from './scope.ts'

/**
 * The role of a child in its node: used as itself, bound to something new, the name of a member, the name of a member
 * that is declared or set there, or a name that refers to nothing.
 */
export type Role = 'use' | 'bind' | 'member' | 'label' | 'none'

type Roles = Readonly<Record<string, Role>>

const KEYED: Roles = { key: 'member' }
const NAMED: Roles = { id: 'bind' }
const TAKES: Roles = { id: 'bind', params: 'bind' }
const JUMPS: Roles = { label: 'none' }

/** The children that are not used as themselves. */
const PARTS: Readonly<Record<string, Roles>> = {
  MemberExpression: { property: 'member' },
  JSXMemberExpression: { property: 'member' },
  TSQualifiedName: { right: 'member' },
  Property: KEYED,
  MethodDefinition: KEYED,
  TSAbstractMethodDefinition: KEYED,
  PropertyDefinition: KEYED,
  TSAbstractPropertyDefinition: KEYED,
  AccessorProperty: KEYED,
  TSAbstractAccessorProperty: KEYED,
  TSPropertySignature: KEYED,
  TSMethodSignature: { key: 'label', params: 'bind' },
  TSEnumMember: { id: 'label' },
  JSXAttribute: { name: 'label' },
  LabeledStatement: JUMPS,
  BreakStatement: JUMPS,
  ContinueStatement: JUMPS,
  TSNamedTupleMember: JUMPS,
  MetaProperty: { meta: 'none', property: 'none' },
  TSTypePredicate: { parameterName: 'none' },
  TSIndexSignature: { parameters: 'none' },
  VariableDeclarator: NAMED,
  CatchClause: { param: 'bind' },
  FunctionDeclaration: TAKES,
  FunctionExpression: TAKES,
  TSDeclareFunction: TAKES,
  TSEmptyBodyFunctionExpression: TAKES,
  ArrowFunctionExpression: TAKES,
  TSFunctionType: TAKES,
  TSConstructorType: TAKES,
  TSCallSignatureDeclaration: TAKES,
  TSConstructSignatureDeclaration: TAKES,
  ClassDeclaration: NAMED,
  ClassExpression: NAMED,
  TSInterfaceDeclaration: NAMED,
  TSTypeAliasDeclaration: NAMED,
  TSEnumDeclaration: NAMED,
  TSModuleDeclaration: NAMED,
  TSTypeParameter: { name: 'bind' },
}

/** The same for binding patterns. */
const BOUND: Readonly<Record<string, Roles>> = {
  AssignmentPattern: { left: 'bind' },
  RestElement: { argument: 'bind' },
  TSParameterProperty: { parameter: 'bind' },
  ArrayPattern: { elements: 'bind' },
  ObjectPattern: { properties: 'bind' },
  Property: { key: 'member', value: 'bind' },
}

/**
 * Visits the direct children of a node that has a role itself. A shorthand property's key is its value, and is visited
 * once.
 */
export function eachPart(node: Node, role: Role, visit: (part: Node, role: Role) => void): void {
  const roles = (role === 'bind' ? BOUND[node.type] : undefined) ?? PARTS[node.type]
  const isComputed = 'computed' in node && node.computed
  const isShorthand = node.type === 'Property' && node.shorthand
  eachChild(node, (part, key) => {
    if (isShorthand && key === 'key') return
    const ownRole = roles?.[key] ?? 'use'
    visit(part, isComputed && (ownRole === 'member' || ownRole === 'label') ? 'use' : ownRole)
  })
}

/** The role of a direct child in its node. */
export function roleIn(node: Node, part: Node): Role {
  let partRole: Role = 'use'
  eachPart(node, 'use', (each, role) => {
    if (each === part) partRole = role
  })
  return partRole
}
