import type { Node, Program } from 'oxc-parser'
import { dottedName, keyName } from '../names.ts'
import { childrenOf, nodesAround } from '../scope.ts'
import type { Derived, Owner, Usage } from '../../file-model/usage.ts'

/** The usage of the name at an offset in a script. */
export function scriptUsage(program: Program, offset: number): Usage {
  const path = nodesAround(program, offset)
  const leaf = path.at(-1)
  if (!leaf || (leaf.start !== offset && !isNaming(leaf, offset))) return { role: 'other' }
  const by = ownerOf(path)
  return { ...roleOf(path), ...(by && { by }) }
}

/** Reports whether a string ends with the name that begins there: `'f'`, `'a.b.f'`. */
const isNaming = (leaf: Node, offset: number): boolean =>
  leaf.type === 'Literal' &&
  typeof leaf.value === 'string' &&
  /^[\w$]+$/.test(leaf.value.slice(offset - leaf.start - 1))

const WRAPPERS = new Set([
  'ParenthesizedExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'ChainExpression',
  'AwaitExpression',
])

function roleOf(path: readonly Node[]): Omit<Usage, 'by'> {
  let at = path.length - 1
  let node = path[at]
  let parent = path[at - 1]
  if (!node || !parent) return { role: 'other' }
  if (node.type === 'Literal' && !(parent.type === 'MemberExpression' && parent.property === node))
    return lookedUp(parent)
  if (path.some(({ type }) => TYPES.test(type))) return { role: 'type' }
  let receiver: { receiver: number } | undefined
  if (parent.type === 'MemberExpression' && parent.property === node && (!parent.computed || node.type === 'Literal')) {
    receiver = { receiver: nameIn(parent.object) }
    node = path[--at]
    parent = path[at - 1]
  }
  if (parent?.type === 'MemberExpression' && parent.object === node) {
    const isCalled = path[at - 2]?.type === 'CallExpression' && Reflect.get(path[at - 2] ?? {}, 'callee') === parent
    const name = keyName(parent.property, parent.computed) ?? ''
    if (isCalled && /^(call|apply)$/.test(name)) return { role: 'call', ...receiver }
    return { role: isCalled && name === 'bind' ? 'value' : 'other', ...receiver }
  }
  while (parent && (WRAPPERS.has(parent.type) || isLast(parent, node))) {
    node = path[--at]
    parent = path[at - 1]
  }
  if (!parent || !node) return { role: 'other' }
  return { ...receiver, ...roleIn(parent, node, path, at) }
}

const TYPES =
  /^TS(TypeReference|TypeQuery|TypeAnnotation|InterfaceHeritage|ClassImplements|QualifiedName|TypeParameter)/

/** `(0, f)()` calls the last one. */
const isLast = (parent: Node, node: Node | undefined): boolean =>
  parent.type === 'SequenceExpression' && parent.expressions.at(-1) === node

function roleIn(parent: Node, node: Node, path: readonly Node[], at: number): Omit<Usage, 'by'> {
  switch (parent.type) {
    case 'CallExpression':
    case 'NewExpression':
      return { role: parent.callee === node ? 'call' : 'value' }
    case 'TaggedTemplateExpression':
    case 'Decorator':
    case 'JSXOpeningElement':
      return { role: 'call' }
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'ExportSpecifier':
    case 'ExportAllDeclaration':
    case 'ExportDefaultDeclaration':
    case 'TSImportEqualsDeclaration':
      return { role: 'import' }
    case 'ClassDeclaration':
    case 'ClassExpression':
      if (parent.superClass === node) return { role: 'base', declares: classIn(parent, path[at - 2]) }
      return { role: 'declaration', declares: classIn(parent, path[at - 2]) }
    case 'Property':
      return propertyRole(parent, node, path[at - 2])
    case 'MethodDefinition':
    case 'TSAbstractMethodDefinition':
      return { role: 'declaration', ...(/^[gs]et$/.test(parent.kind) && { declares: { ...PLAIN, isAccessor: true } }) }
    case 'VariableDeclarator':
      if (parent.id === node) return { role: 'declaration' }
      return { role: 'value', ...(parent.id.type === 'Identifier' && { alias: parent.id.start }) }
    case 'AssignmentExpression': {
      if (parent.left === node) return { role: 'declaration' }
      const { left } = parent
      const name = left.type === 'MemberExpression' && !left.computed ? left.property : left
      return { role: 'value', ...(name.type === 'Identifier' && { alias: name.start }) }
    }
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return { role: parent.key === node ? 'declaration' : 'value' }
    case 'AssignmentPattern': {
      const around = path[at - 2]
      // `const { f = g } = m`.
      if (parent.left === node && around?.type === 'Property' && around.shorthand)
        return propertyRole(around, node, path[at - 3])
      return { role: parent.right === node ? 'value' : 'declaration' }
    }
    default:
      if (isDeclared(parent, node)) return { role: 'declaration' }
      return { role: OTHERS.test(parent.type) ? 'other' : 'value' }
  }
}

/** Nodes that only inspect a name. */
const OTHERS =
  /^(ExpressionStatement|UnaryExpression|UpdateExpression|BinaryExpression|IfStatement|JSXClosingElement|JSXAttribute|TS(?!Enum).*|.*Pattern|RestElement|LabeledStatement|BreakStatement|ContinueStatement|MetaProperty|CatchClause)$/

const isDeclared = (parent: Node, node: Node): boolean =>
  ('id' in parent && parent.id === node) ||
  ('params' in parent && Array.isArray(parent.params) && parent.params.some(each => each === node))

const PLAIN: Derived = { name: '', nameAt: 0, constructs: false, superCalls: [] }

/** `const { f: g } = m` is an alias; `{ f }` in an object passes it on. */
function propertyRole(
  { key, value, shorthand }: Extract<Node, { type: 'Property' }>,
  node: Node,
  around: Node | undefined,
): Omit<Usage, 'by'> {
  const isKey = key === node && !shorthand
  if (around?.type !== 'ObjectPattern') return { role: isKey ? 'declaration' : 'value' }
  const local = value.type === 'AssignmentPattern' ? value.left : value
  if (!isKey && !shorthand) return { role: 'declaration' }
  return { role: 'import', isTaken: true, ...(local.type === 'Identifier' && { alias: local.start }) }
}

/** A string that names a looked-up member: `Reflect.get(x, 'f')`, `vi.spyOn(x, 'f')`. */
const lookedUp = (parent: Node): Usage => ({
  role: parent.type === 'CallExpression' && BY_NAME.test(dottedName(parent.callee) ?? '') ? 'named' : 'other',
})

const BY_NAME = /^Reflect\.(get|has|set)$|(^|\.)spyOn$/

/** The name whose type an expression has; -1 if it is more than a name. */
function nameIn(node: Node): number {
  switch (node.type) {
    case 'Identifier':
    case 'ThisExpression':
      return node.start
    case 'MemberExpression':
      return node.computed ? -1 : node.property.start
    case 'TSNonNullExpression':
    case 'ChainExpression':
    case 'AwaitExpression':
      return nameIn(node.type === 'AwaitExpression' ? node.argument : node.expression)
    default:
      return -1
  }
}

type ClassNode = Extract<Node, { type: 'ClassDeclaration' | 'ClassExpression' }>

function classIn(node: ClassNode, around: Node | undefined): Derived {
  const nameNode =
    node.id ?? (around?.type === 'VariableDeclarator' && around.id.type === 'Identifier' ? around.id : undefined)
  const superCalls: number[] = []
  let constructs = false
  for (const member of node.body.body)
    if (member.type === 'MethodDefinition' && member.kind === 'constructor') {
      constructs = true
      visit(member.value)
    }
  return { name: nameNode?.name ?? '', nameAt: nameNode?.start ?? -1, constructs, superCalls }

  function visit(at: Node): void {
    if (isClassNode(at)) return
    if (at.type === 'CallExpression' && at.callee.type === 'Super') superCalls.push(at.callee.start)
    for (const child of childrenOf(at)) visit(child)
  }
}

/** The innermost function, method or class around a place. */
function ownerOf(path: readonly Node[]): Owner | undefined {
  for (let at = path.length - 2; at > 0; at--) {
    const node = path[at]
    // A decorator runs when the decorated symbol is declared.
    if (!node || path[at + 1]?.type === 'Decorator') continue
    const isClass = isClassNode(node)
    if (!isClass && !/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) continue
    const name = nameOf(path, at)
    if (!name || name.start === path.at(-1)?.start) continue
    const whole = [...holders(path, name.at), name.name].join('.')
    // Constructing an object of a class calls its constructor.
    const holder = isConstructor(path[name.at]) ? path.slice(0, name.at).findLast(isClassNode) : undefined
    const holderName = holder && nameOf(path, path.indexOf(holder))
    return { name: whole, nameAt: holderName?.start ?? name.start, isClass: isClass || holderName !== undefined }
  }
  return undefined
}

const isClassNode = (node: Node): node is ClassNode =>
  node.type === 'ClassDeclaration' || node.type === 'ClassExpression'

const isConstructor = (node: Node | undefined): boolean =>
  node?.type === 'MethodDefinition' && node.kind === 'constructor'

interface Name {
  readonly name: string
  readonly start: number
  /** The index of the node with the name. */
  readonly at: number
}

/** The name of a function or class: its own, or that of the variable or property that holds it. */
function nameOf(path: readonly Node[], number: number): Name | undefined {
  const node = path[number]
  const identifier: unknown = node && 'id' in node ? node.id : undefined
  if (isIdentifier(identifier)) return { name: identifier.name, start: identifier.start, at: number }
  let at = number - 1
  while (WRAPPERS.has(path[at]?.type ?? '')) at--
  const parent = path[at]
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? { name: parent.id.name, start: parent.id.start, at } : undefined
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty': {
      const name = keyName(parent.key, parent.computed)
      return name === undefined || parent.value !== path[at + 1] ? undefined : { name, start: parent.key.start, at }
    }
    case 'AssignmentExpression': {
      const { left } = parent
      if (left.type === 'Identifier') return { name: left.name, start: left.start, at }
      const name = left.type === 'MemberExpression' ? keyName(left.property, left.computed) : undefined
      if (name === undefined || left.type !== 'MemberExpression') return undefined
      const { object } = left
      const isPrototype =
        object.type === 'MemberExpression' && keyName(object.property, object.computed) === 'prototype'
      const holder = isPrototype && object.object.type === 'Identifier' ? `${object.object.name}.` : ''
      return { name: holder + name, start: left.property.start, at }
    }
    default:
      return undefined
  }
}

const isIdentifier = (node: unknown): node is { readonly name: string; readonly start: number } =>
  typeof node === 'object' && node !== null && Reflect.get(node, 'type') === 'Identifier'

/** Names of the classes, objects and namespaces around a function, up to the next enclosing function. */
function holders(path: readonly Node[], from: number): readonly string[] {
  const names: string[] = []
  for (let at = from - 1; at > 0; at--) {
    const node = path[at]
    if (!node || /Function/.test(node.type)) break
    const name = isClassNode(node) || node.type === 'ObjectExpression' ? nameOf(path, at) : undefined
    if (name) {
      names.unshift(name.name)
      at = Math.min(at, name.at + 1)
    } else if (node.type === 'TSModuleDeclaration' && node.id.type === 'Identifier') names.unshift(node.id.name)
  }
  return names
}
