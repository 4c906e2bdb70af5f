import type { JSXOpeningElement, Node, Program } from 'oxc-parser'
import type { Reference, Value } from '../file-model/file-model.ts'
import { memberName } from './names.ts'
import { eachPart, type Role } from './parts.ts'
import type { Reading } from './reading.ts'
import { lookUp, type Scope } from './scope.ts'
import { namedType, valueOf } from './value-of.ts'

interface At {
  readonly scope: Scope
  readonly by: number
  /** Its direct children are passed on as values. */
  readonly handsOn: boolean
}

/** Nodes that pass their values to something else. */
const HANDS_ON =
  /^(CallExpression|NewExpression|ArrayExpression|Property|PropertyDefinition|AccessorProperty|AssignmentExpression|AssignmentPattern|VariableDeclarator|ReturnStatement|ArrowFunctionExpression|SpreadElement|YieldExpression|JSXExpressionContainer|ExportDefaultDeclaration)$/
/** Nodes whose value is one of those in it. */
const PASSES_ON =
  /^(ConditionalExpression|LogicalExpression|SequenceExpression|ParenthesizedExpression|ChainExpression|AwaitExpression|TS(As|Satisfies|NonNull|Instantiation)Expression|TSTypeAssertion)$/

/** All calls and uses of a file, with the symbol that contains them. */
export function referencesIn(reading: Reading, program: Program, root: Scope): readonly Reference[] {
  const to: Gathering = { reading, found: [], used: new Set() }
  for (const statement of program.body) walk(to, statement, { scope: root, by: -1, handsOn: false })
  return to.found
}

interface Gathering {
  readonly reading: Reading
  readonly found: Reference[]
  readonly used: Set<string>
}

function walk(to: Gathering, node: Node, around: At, role: Role = 'use'): void {
  const { type } = node
  // Many nodes are of these types.
  if (type === 'Literal' || type === 'ThisExpression') return
  const at = {
    scope: to.reading.scopeOf.get(node) ?? around.scope,
    by: to.reading.symbolOf.get(node) ?? around.by,
    handsOn: HANDS_ON.test(type) || (around.handsOn && PASSES_ON.test(type)),
  }
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSImportEqualsDeclaration':
    case 'ExportSpecifier':
    case 'JSXClosingElement':
      return
    case 'CallExpression':
    case 'NewExpression': {
      const kind = node.type === 'CallExpression' ? 'call' : 'new'
      callee(to, node.callee, kind, at, node.arguments.some(isSpread) ? -1 : node.arguments.length)
      return each(to, [node.typeArguments, ...node.arguments], at)
    }
    case 'TaggedTemplateExpression':
      callee(to, node.tag, 'call', at, -1)
      return each(to, [node.typeArguments, node.quasi], at)
    case 'Decorator':
      // With arguments it is a separate call.
      if (node.expression.type === 'CallExpression') return walk(to, node.expression, at)
      return callee(to, node.expression, 'call', at, -1)
    case 'JSXOpeningElement':
      component(to, node, at)
      return each(to, [node.typeArguments, ...node.attributes], at)
    case 'Identifier':
      if (role === 'use') return use(to, node, declaredName(node.name, 'values', at), at, around.handsOn)
      break
    case 'MemberExpression': {
      const value = valueOf(node, at.scope) ?? (around.handsOn ? unknownMember(node) : undefined)
      use(to, node.property, value, at, around.handsOn)
      break
    }
    case 'TSTypeReference':
      use(to, node, namedType(node.typeName, at.scope), at)
      return each(to, [node.typeArguments], at)
    case 'TSTypeQuery':
      if (node.exprName.type === 'Identifier') use(to, node, declaredName(node.exprName.name, 'values', at), at)
      return
    case 'TSImportType':
    case 'TSInterfaceHeritage':
    case 'TSClassImplements':
      return each(to, [node.typeArguments], at)
    case 'BinaryExpression': {
      // `1 + 1 + …` is as deep as it is long.
      const rights: Node[] = []
      let leftmost: Node = node
      for (; leftmost.type === 'BinaryExpression'; leftmost = leftmost.left) rights.push(leftmost.right)
      return each(to, [leftmost, ...rights.toReversed()], at)
    }
    case 'ClassDeclaration':
    case 'ClassExpression':
      if (node.superClass) {
        use(to, node.superClass, valueOf(node.superClass, around.scope), at)
        if (node.superClass.type !== 'Identifier') walk(to, node.superClass, at)
      }
      each(to, [...node.decorators, node.typeParameters, node.superTypeArguments, ...(node.implements ?? [])], at)
      return walk(to, node.body, at)
  }
  eachPart(node, role, (part, given) => walk(to, part, at, given))
}

function each(to: Gathering, nodes: readonly (Node | null | undefined)[], at: At): void {
  for (const node of nodes) if (node) walk(to, node, at)
}

function callee(to: Gathering, node: Node, kind: 'call' | 'new', at: At, count: number): void {
  const inner = unwrap(node)
  const value = valueOf(inner, at.scope) ?? unknownMember(inner)
  if (value) to.found.push({ kind, by: at.by, line: to.reading.lines.of(nameStart(inner)), value, count })
  if (inner.type === 'MemberExpression') {
    const aside = { ...at, handsOn: false }
    walk(to, inner.object, aside)
    if (inner.computed) walk(to, inner.property, aside)
  } else if (inner.type !== 'Identifier') walk(to, inner, { ...at, handsOn: false })
}

function component(to: Gathering, node: JSXOpeningElement, at: At): void {
  let name: Node = node.name
  const members: string[] = []
  while (name.type === 'JSXMemberExpression') {
    members.unshift(name.property.name)
    name = name.object
  }
  const first = name.type === 'JSXIdentifier' ? name.name : undefined
  // Lower-case names are HTML elements.
  if (first === undefined || (members.length === 0 && /^[a-z]/.test(first))) return
  const base = declaredName(first, 'values', at)
  const value = base && members.reduce<Value>((left, member) => ['member', left, member], base)
  if (value) to.found.push({ kind: 'call', by: at.by, line: to.reading.lines.of(node.name.start), value, count: -1 })
}

function use(to: Gathering, node: Node, value: Value | undefined, at: At, isHanded = false): void {
  if (!value || value[0] === 'name') return
  const key = `${at.by}:${isHanded}:${JSON.stringify(value)}`
  if (to.used.has(key)) return
  to.used.add(key)
  const line = to.reading.lines.of(node.start)
  to.found.push({ kind: 'use', by: at.by, line, value, ...(isHanded && { handed: true }) })
}

/** A member of an unknown value keeps its name. */
function unknownMember(node: Node): Value | undefined {
  const name = node.type === 'MemberExpression' ? memberName(node) : undefined
  return name === undefined ? undefined : ['member', ['name', ''], name]
}

function declaredName(name: string, space: 'values' | 'types', at: At): Value | undefined {
  const value = lookUp(at.scope, space, name)?.()
  return value?.[0] === 'symbol' || value?.[0] === 'import' ? value : undefined
}

const isSpread = (node: Node): boolean => node.type === 'SpreadElement'

const unwrap = (node: Node): Node =>
  node.type === 'TSNonNullExpression' ||
  node.type === 'ParenthesizedExpression' ||
  node.type === 'ChainExpression' ||
  node.type === 'TSInstantiationExpression'
    ? unwrap(node.expression)
    : node

const nameStart = (node: Node): number => (node.type === 'MemberExpression' ? node.property.start : node.start)
