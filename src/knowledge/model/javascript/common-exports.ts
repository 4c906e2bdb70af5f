import type { AssignmentExpression, CallExpression, Node, ObjectExpression, Program } from 'oxc-parser'
import type { Value } from '../file-model.ts'
import { noExports, type Exported } from './exported.ts'
import { dottedName, isNamed, keyName, memberName, requiredBy, topLevelValues } from './names.ts'
import type { Place, Watcher } from './reading.ts'
import { isFunction, type FunctionNode, type Scope } from './scope.ts'
import { valueOf } from './value-of.ts'

/** Finds what a CommonJS file puts into its exports while it is walked. */
export function commonExports(program: Program): Watcher & { readonly found: Exported } {
  const found = noExports()
  const tops = topLevelValues(program)
  /** Other names of the exports object. */
  const aliases = new Set<string>()
  /** Functions that are called where they stand, and what they are handed. */
  const handedOn = new Set<Node>()
  /** The module, put into this file by a bundler, that is being walked through. */
  let bundled: Node | undefined
  let scope: Scope

  return {
    found,
    enter(node) {
      if (!bundled && hasOwnExports(node) && !handedOn.has(node)) bundled = node
    },
    leave(node) {
      if (bundled === node) bundled = undefined
    },
    declarator({ id, init }) {
      if (bundled || !init || id.type !== 'Identifier') return
      if (isExports(init.type === 'AssignmentExpression' ? init.left : init)) aliases.add(id.name)
    },
    assignment(node, at) {
      if (bundled || node.operator !== '=') return
      ;({ scope } = at)
      assign(node)
    },
    call(node, at: Place, name) {
      if (bundled) return
      ;({ scope } = at)
      if (isFunction(node.callee)) for (const each of [node.callee, ...node.arguments]) handedOn.add(each)
      call(node, name)
    },
  }

  function assign({ left, right }: AssignmentExpression): void {
    if (isModuleExports(left)) return whole(right)
    if (left.type !== 'MemberExpression' || !isExports(left.object)) return
    const name = memberName(left)
    if (name !== undefined) add(name, right)
  }

  /** `module.exports = …` */
  function whole(value: Node, isSelf = true): void {
    if (value.type === 'AssignmentExpression') return whole(value.right)
    const isAssigned = value.type === 'CallExpression' && dottedName(value.callee) === 'Object.assign'
    if (isSelf && !isAssigned) bind('=', value)
    if (value.type === 'ObjectExpression') return members(value)
    const required = requiredBy(value)
    if (required !== undefined) return void found.stars.add(required)
    if (value.type === 'Identifier') {
      const top = tops.get(value.name)
      if (top?.type === 'ObjectExpression') {
        aliases.add(value.name)
        return members(top)
      }
      const again = top && requiredBy(top)
      if (again !== undefined) return void found.stars.add(again)
      found.locals.add(value.name)
      aliases.add(value.name)
      found.defaultName = value.name
    } else if (value.type === 'CallExpression' && isNamed(value.callee, /^__toCommonJS$/)) return
    else if (isAssigned) {
      const [first, ...others] = value.arguments
      if (first && !isExports(first)) whole(first, first.type !== 'ObjectExpression')
      return others.forEach(contents)
    } else if ('id' in value && value.id?.type === 'Identifier') found.defaultName = value.id.name
    found.names.add('default')
  }

  function members(object: ObjectExpression): void {
    for (const property of object.properties) {
      if (property.type === 'SpreadElement') {
        handOn(property.argument)
        continue
      }
      const name = keyName(property.key, property.computed)
      if (name !== undefined) add(name, property.value)
    }
  }

  function add(name: string, value: Node): void {
    if (name === '__esModule') return
    found.names.add(name)
    bind(name, value)
    if (value.type !== 'Identifier') return
    found.locals.add(value.name)
    if (name === 'default') found.defaultName = value.name
  }

  /** `Object.defineProperty(exports, 'name', { get() { return other.name } })` */
  function define(name: string, descriptor: Node | undefined): void {
    if (name === '__esModule') return
    found.names.add(name)
    const here = scope
    for (const each of descriptor?.type === 'ObjectExpression' ? descriptor.properties : []) {
      const key = each.type === 'Property' ? keyName(each.key, each.computed) : undefined
      if (each.type !== 'Property' || (key !== 'get' && key !== 'value')) continue
      const value = (): Value | undefined => {
        const known = valueOf(each.value, here)
        if (key === 'value') return known
        return known?.[0] === 'function' ? (known[1] ?? undefined) : undefined
      }
      found.bindings.push({ name, value })
    }
  }

  function bind(name: string, value: Node): void {
    const here = scope
    found.bindings.push({ name, value: () => valueOf(value, here) })
  }

  function call({ callee, arguments: args }: CallExpression, name: string | undefined): void {
    const [first, second, ...rest] = args
    if (name === 'Object.defineProperty') {
      const isText = second?.type === 'Literal' && typeof second.value === 'string'
      if (first && isText && isExports(first)) define(String(second.value), rest[0])
    } else if (isNamed(callee, /^(__exportStar|__export|__reExport)$/)) {
      if (second?.type === 'ObjectExpression') members(second)
      for (const argument of args) handOn(argument)
    } else if (name === 'Object.assign') {
      if (first && isExports(first)) for (const argument of args.slice(1)) contents(argument)
    } else if (callee.type === 'MemberExpression' && memberName(callee) === 'forEach') copied(callee.object)
  }

  function contents(given: Node): void {
    const value = valueIn(given)
    if (value.type === 'ObjectExpression') members(value)
    else handOn(value)
  }

  function handOn(value: Node): void {
    const required = requiredBy(valueIn(value))
    if (required !== undefined) found.stars.add(required)
  }

  /** `Object.keys(_other).forEach(…)`, which compilers write for `export *`. */
  function copied(object: Node): void {
    if (object.type !== 'CallExpression' || dottedName(object.callee) !== 'Object.keys') return
    const [from] = object.arguments
    if (from) handOn(from)
  }

  function valueIn(value: Node): Node {
    return (value.type === 'Identifier' && tops.get(value.name)) || value
  }

  function isExports(node: Node): boolean {
    if (node.type === 'Identifier') return node.name === 'exports' || aliases.has(node.name)
    return isModuleExports(node) || (node.type === 'AssignmentExpression' && isExports(node.left))
  }
}

/** A function that is handed an exports object of its own; one that is handed on by a wrapper of its own gets ours. */
const hasOwnExports = (node: FunctionNode): boolean =>
  (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') &&
  node.params.some(param => param.type === 'Identifier' && /^(exports|module)$/.test(param.name))

const isModuleExports = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'module' &&
  memberName(node) === 'exports'
