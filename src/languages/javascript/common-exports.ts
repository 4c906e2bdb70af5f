import type { AssignmentExpression, CallExpression, Node, ObjectExpression, Program } from 'oxc-parser'
import type { Value } from '../file-model/file-model.ts'
import { noExports, type Exported } from './exported.ts'
import { dottedName, isNamed, keyName, memberName, requiredBy, topLevelValues } from './names.ts'
import type { Place, Watcher } from './reading.ts'
import { isFunction, type FunctionNode, type Scope } from './scope.ts'
import { valueOf } from './value-of.ts'

/** Known facts of a file during the walk. */
interface Known {
  readonly found: Exported
  readonly tops: ReturnType<typeof topLevelValues>
  /** Aliases of the exports object. */
  readonly aliases: Set<string>
}

interface State extends Known {
  /** The scope of the current node. */
  readonly scope: Scope
}

/** Finds the exports of a CommonJS file during the walk. */
export function commonExports(program: Program): Watcher & { readonly found: Exported } {
  const fileState: Known = { found: noExports(), tops: topLevelValues(program), aliases: new Set() }
  /** Immediately called functions, and their arguments. */
  const handedOn = new Set<Node>()
  /** The bundled module that is being walked. */
  let bundleNode: Node | undefined

  return {
    found: fileState.found,
    enter(node) {
      if (!bundleNode && hasOwnExports(node) && !handedOn.has(node)) bundleNode = node
    },
    leave(node) {
      if (bundleNode === node) bundleNode = undefined
    },
    declarator({ id, init }) {
      if (bundleNode || !init || id.type !== 'Identifier') return
      if (isExports(fileState, init.type === 'AssignmentExpression' ? init.left : init)) fileState.aliases.add(id.name)
    },
    assignment(node, at) {
      if (bundleNode || node.operator !== '=') return
      assign({ ...fileState, scope: at.scope }, node)
    },
    call(node, at: Place, name) {
      if (bundleNode) return
      if (isFunction(node.callee)) for (const each of [node.callee, ...node.arguments]) handedOn.add(each)
      call({ ...fileState, scope: at.scope }, node, name)
    },
  }
}

function assign(state: State, { left, right }: AssignmentExpression): void {
  if (isModuleExports(left)) return whole(state, right)
  if (left.type !== 'MemberExpression' || !isExports(state, left.object)) return
  const name = memberName(left)
  if (name !== undefined) add(state, name, right)
}

/** `module.exports = …` */
function whole(state: State, value: Node, isSelf = true): void {
  if (value.type === 'AssignmentExpression') return whole(state, value.right)
  const isAssigned = value.type === 'CallExpression' && dottedName(value.callee) === 'Object.assign'
  if (isSelf && !isAssigned) bind(state, '=', value)
  if (value.type === 'ObjectExpression') return members(state, value)
  const requiredModule = requiredBy(value)
  if (requiredModule !== undefined) return void state.found.stars.add(requiredModule)
  if (value.type === 'Identifier') {
    const top = state.tops.get(value.name)
    if (top?.type === 'ObjectExpression') {
      state.aliases.add(value.name)
      return members(state, top)
    }
    const again = top && requiredBy(top)
    if (again !== undefined) return void state.found.stars.add(again)
    state.found.locals.add(value.name)
    state.aliases.add(value.name)
    state.found.defaultName = value.name
  } else if (value.type === 'CallExpression' && isNamed(value.callee, /^__toCommonJS$/)) return
  else if (isAssigned) {
    const [first, ...others] = value.arguments
    if (first && !isExports(state, first)) whole(state, first, first.type !== 'ObjectExpression')
    return others.forEach(each => contents(state, each))
  } else if ('id' in value && value.id?.type === 'Identifier') state.found.defaultName = value.id.name
  state.found.names.add('default')
}

function members(state: State, object: ObjectExpression): void {
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') {
      handOn(state, property.argument)
      continue
    }
    const name = keyName(property.key, property.computed)
    if (name !== undefined) add(state, name, property.value)
  }
}

function add(state: State, name: string, value: Node): void {
  if (name === '__esModule') return
  state.found.names.add(name)
  bind(state, name, value)
  if (value.type !== 'Identifier') return
  state.found.locals.add(value.name)
  if (name === 'default') state.found.defaultName = value.name
}

/** `Object.defineProperty(exports, 'name', { get() { return other.name } })` */
function define(state: State, name: string, descriptor: Node | undefined): void {
  if (name === '__esModule') return
  state.found.names.add(name)
  const here = state.scope
  for (const each of descriptor?.type === 'ObjectExpression' ? descriptor.properties : []) {
    const key = each.type === 'Property' ? keyName(each.key, each.computed) : undefined
    if (each.type !== 'Property' || (key !== 'get' && key !== 'value')) continue
    const value = (): Value | undefined => {
      const descriptorValue = valueOf(each.value, here)
      if (key === 'value') return descriptorValue
      return descriptorValue?.[0] === 'function' ? (descriptorValue[1] ?? undefined) : undefined
    }
    state.found.bindings.push({ name, value })
  }
}

function bind(state: State, name: string, value: Node): void {
  const here = state.scope
  state.found.bindings.push({ name, value: () => valueOf(value, here) })
}

function call(state: State, { callee, arguments: args }: CallExpression, name: string | undefined): void {
  const [first, second, ...rest] = args
  if (name === 'Object.defineProperty') {
    const isText = second?.type === 'Literal' && typeof second.value === 'string'
    if (first && isText && isExports(state, first)) define(state, String(second.value), rest[0])
  } else if (isNamed(callee, /^(__exportStar|__export|__reExport)$/)) {
    if (second?.type === 'ObjectExpression') members(state, second)
    for (const argument of args) handOn(state, argument)
  } else if (name === 'Object.assign') {
    if (first && isExports(state, first)) for (const argument of args.slice(1)) contents(state, argument)
  } else if (callee.type === 'MemberExpression' && memberName(callee) === 'forEach') copyExports(state, callee.object)
}

function contents(state: State, given: Node): void {
  const value = valueIn(state, given)
  if (value.type === 'ObjectExpression') members(state, value)
  else handOn(state, value)
}

function handOn(state: State, value: Node): void {
  const requiredModule = requiredBy(valueIn(state, value))
  if (requiredModule !== undefined) state.found.stars.add(requiredModule)
}

/** `Object.keys(_other).forEach(…)`, which compilers write for `export *`. */
function copyExports(state: State, object: Node): void {
  if (object.type !== 'CallExpression' || dottedName(object.callee) !== 'Object.keys') return
  const [from] = object.arguments
  if (from) handOn(state, from)
}

function valueIn(state: Known, value: Node): Node {
  return (value.type === 'Identifier' && state.tops.get(value.name)) || value
}

function isExports(state: Known, node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'exports' || state.aliases.has(node.name)
  return isModuleExports(node) || (node.type === 'AssignmentExpression' && isExports(state, node.left))
}

/** Reports whether a function has an exports object of its own as a parameter; one that a wrapper calls gets ours. */
const hasOwnExports = (node: FunctionNode): boolean =>
  (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') &&
  node.params.some(param => param.type === 'Identifier' && /^(exports|module)$/.test(param.name))

const isModuleExports = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'module' &&
  memberName(node) === 'exports'
