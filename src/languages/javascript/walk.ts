import type { Node, Program, ObjectExpression, ObjectProperty } from 'oxc-parser'
import { declareAssigned, declareVariables, exportDefault } from './declare-variable.ts'
import { declareClass, declareClassValue } from './declare-members.ts'
import { declareAlias, declareEnum, declareInterface, declareNamespace, declareSignature } from './declare-types.ts'
import { bindPattern, declareFunction, declareNamedFunction, elementOf, functionFacts } from './declare-function.ts'
import { declareImport, declareImportEquals, importHere } from './declare-imports.ts'
import { declareCall, declareNew } from './declare-calls.ts'
import { openScope, type Place, type Reading, addSymbol } from './reading.ts'
import { eachChild, isFunction, newScope, type Scope } from './scope.ts'
import { valueOf } from './value-of.ts'
import type { Value } from '../file-model/file-model.ts'
import { keyName } from './names.ts'

/** An object; `this` in its methods is the object, if a name stands for it. */
function declareObject(reading: Reading, node: ObjectExpression, at: Place): void {
  const self = reading.selfOf.get(node)
  for (const each of node.properties) {
    if (each.type === 'Property') declareProperty(reading, each, at, self)
    else reading.walk(each, at)
  }
}

/** Functions of a named object are methods; other entries are declared only if requested. */
function declareProperty(reading: Reading, node: ObjectProperty, at: Place, self: Value | undefined): void {
  const { key, value, computed } = node
  const name = keyName(key, computed)
  if (computed) reading.walk(key, at)
  const isNamed = !at.inFunction && at.parent >= 0 && name !== undefined
  if (!isFunction(value)) {
    const number = isNamed && reading.entries ? entry(name, 'property', value) : at.parent
    return reading.walk(value, { ...at, parent: number })
  }
  if (!isNamed) return declareFunction(reading, value, at, name === undefined && node.method ? self : undefined)
  const number = entry(name, 'method', value.body)
  reading.symbolOf.set(value, number)
  declareFunction(reading, value, { ...at, parent: number }, self)

  function entry(entryName: string, kind: 'method' | 'property', body: Node | null): number {
    return addSymbol(reading, {
      name: entryName,
      kind,
      parent: at.parent,
      whole: node,
      nameAt: key.start,
      body,
      later: () => (isFunction(value) ? functionFacts(value, at.scope) : {}),
    })
  }
}

type Declare = (reading: Reading, node: never, at: Place, around: Node | undefined) => void

/** Finds the scopes, names and symbols of a file; their meaning is resolved when all of them are known. */
export function walkProgram(reading: Reading, program: Program): Scope {
  const root = newScope(reading, undefined, true, null)
  reading.scopeOf.set(program, root)
  const at = { scope: root, parent: -1, inFunction: false }
  for (const statement of program.body) reading.walk(statement, at)
  return root
}

/** Declares a node or its contents. */
export function walkNode(reading: Reading, node: Node, at: Place, around?: Node): void {
  const declare = DECLARED[node.type]
  if (declare) declare(reading, node as never, at, around)
  else walkInside(reading, node, at)
}

/** Declares the direct children of a node, in source order. */
export function walkInside(reading: Reading, node: Node, at: Place): void {
  eachChild(node, child => walkNode(reading, child, at))
}

const nothing = (): void => {}

/** Types contain only imports and members. */
const declareType: Declare = (reading, node, at) => {
  if (reading.meaning || reading.entries) walkInside(reading, node, at)
}

const within = (reading: Reading, node: Node, at: Place): Place =>
  reading.meaning ? { ...at, scope: openScope(reading, node, at.scope) } : at

const block: Declare = (reading, node: Node, at) => walkInside(reading, node, within(reading, node, at))

const fn: Declare = (reading, node: Node, at) => {
  if (isFunction(node)) declareFunction(reading, node, at)
}

const markup: Declare = (reading, node: Node, at) => {
  for (const each of reading.watchers) each.markup?.()
  walkInside(reading, node, at)
}

/** `1 + 1 + …` is as deep as it is long. */
const chain: Declare = (reading, node: Extract<Node, { type: 'BinaryExpression' | 'LogicalExpression' }>, at) => {
  let { left }: { readonly left: Node } = node
  if (left.type !== 'BinaryExpression' && left.type !== 'LogicalExpression') {
    walkNode(reading, left, at)
    return walkNode(reading, node.right, at)
  }
  const rights: Node[] = [node.right]
  for (; left.type === 'BinaryExpression' || left.type === 'LogicalExpression'; left = left.left)
    rights.push(left.right)
  walkNode(reading, left, at)
  for (const right of rights.toReversed()) walkNode(reading, right, at)
}

/**
 * Handlers by node type. The most frequent nodes are walked property by property: looking up which properties a node
 * has costs more than anything else.
 */
const DECLARED: Readonly<Record<string, Declare | undefined>> = {
  Literal: nothing,
  ThisExpression: nothing,
  Super: nothing,
  JSXText: nothing,
  PrivateIdentifier: nothing,
  Identifier: declareType,
  TSTypeAnnotation: declareType,
  TSTypeParameterDeclaration: declareType,
  TSTypeParameterInstantiation: declareType,
  BlockStatement(reading, node: Extract<Node, { type: 'BlockStatement' }>, at) {
    const inside = within(reading, node, at)
    for (const each of node.body) walkNode(reading, each, inside)
  },
  ExpressionStatement(reading, node: Extract<Node, { type: 'ExpressionStatement' }>, at) {
    walkNode(reading, node.expression, at)
  },
  ReturnStatement(reading, node: Extract<Node, { type: 'ReturnStatement' }>, at) {
    if (node.argument) walkNode(reading, node.argument, at)
  },
  IfStatement(reading, node: Extract<Node, { type: 'IfStatement' }>, at) {
    walkNode(reading, node.test, at)
    walkNode(reading, node.consequent, at)
    if (node.alternate) walkNode(reading, node.alternate, at)
  },
  UnaryExpression(reading, node: Extract<Node, { type: 'UnaryExpression' }>, at) {
    walkNode(reading, node.argument, at)
  },
  BinaryExpression: chain,
  LogicalExpression: chain,
  MemberExpression(reading, node: Extract<Node, { type: 'MemberExpression' }>, at) {
    walkNode(reading, node.object, at)
    if (node.computed) walkNode(reading, node.property, at)
  },
  ImportDeclaration: declareImport,
  TSImportEqualsDeclaration: declareImportEquals,
  ImportExpression(reading, node: Extract<Node, { type: 'ImportExpression' }>, at) {
    if (node.source.type === 'Literal') importHere(reading, node, String(node.source.value), '*')
    walkInside(reading, node, at)
  },
  TSImportType(reading, node: Extract<Node, { type: 'TSImportType' }>, at) {
    importHere(reading, node, node.source.value, '*')
    walkInside(reading, node, at)
  },
  ExportNamedDeclaration(reading, node: Extract<Node, { type: 'ExportNamedDeclaration' }>, at) {
    if (node.declaration) walkNode(reading, node.declaration, at, node)
  },
  ExportAllDeclaration: nothing,
  ExportDefaultDeclaration: exportDefault,
  VariableDeclaration: declareVariables,
  FunctionDeclaration: declareNamedFunction,
  TSDeclareFunction: declareNamedFunction,
  ClassDeclaration: declareClass,
  ClassExpression: declareClassValue,
  TSInterfaceDeclaration: declareInterface,
  TSTypeAliasDeclaration: declareAlias,
  TSEnumDeclaration: declareEnum,
  TSModuleDeclaration: declareNamespace,
  AssignmentExpression: declareAssigned,
  CallExpression: declareCall,
  NewExpression: declareNew,
  TaggedTemplateExpression(reading, node: Extract<Node, { type: 'TaggedTemplateExpression' }>, at) {
    for (const each of reading.watchers) each.tagged?.(node)
    walkInside(reading, node, at)
  },
  TemplateElement(reading, { start, end }: Node) {
    if (reading.entries && reading.text.slice(start, end).includes('\n')) reading.literals.push({ start, end })
  },
  JSXElement: markup,
  JSXFragment: markup,
  ObjectExpression: declareObject,
  FunctionExpression: fn,
  ArrowFunctionExpression: fn,
  TSEmptyBodyFunctionExpression: fn,
  ForStatement: block,
  ForInStatement: block,
  StaticBlock: block,
  SwitchStatement: block,
  ForOfStatement(reading, node: Extract<Node, { type: 'ForOfStatement' }>, at) {
    const { left, right } = node
    if (left.type !== 'VariableDeclaration' || !reading.meaning) return block(reading, node as never, at, undefined)
    const scope = openScope(reading, node, at.scope)
    const element = elementOf(() => valueOf(right, at.scope))
    for (const { id } of left.declarations) bindPattern(id, scope, element)
    walkNode(reading, right, at)
    walkNode(reading, node.body, { ...at, scope })
  },
  CatchClause(reading, node: Extract<Node, { type: 'CatchClause' }>, at) {
    const scope = openScope(reading, node, at.scope)
    if (node.param && reading.meaning) bindPattern(node.param, scope, () => undefined)
    walkNode(reading, node.body, { ...at, scope })
  },
  TSPropertySignature: declareSignature,
  TSMethodSignature: declareSignature,
}
