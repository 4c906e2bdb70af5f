import type { Argument, CallExpression, Expression, Node, ObjectExpression, Program } from 'oxc-parser'
import { keyName } from './binding-names.ts'
import { noExports, type Exported } from './exported.ts'
import type { Visitor } from './visit.ts'

/** Reads what a CommonJS file puts into its exports. */
export interface CommonExports extends Visitor {
  readonly found: Exported
}

export function commonExports(program: Program): CommonExports {
  const found = noExports()
  const tops = topLevelValues(program)
  /** Other names of the exports object. */
  const aliases = new Set<string>()
  /** The module, put into this file by a bundler, that is being walked through. */
  let bundled: Node | undefined

  return {
    found,
    enter(node, parent) {
      if (!bundled && hasOwnExports(node, parent)) bundled = node
      if (bundled) return
      if (node.type === 'AssignmentExpression' && node.operator === '=') assign(node.left, node.right)
      else if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
        if (node.init.type === 'AssignmentExpression' && isExports(node.init.left)) aliases.add(node.id.name)
        else if (isExports(node.init)) aliases.add(node.id.name)
      } else if (node.type === 'CallExpression') call(node)
    },
    leave(node) {
      if (bundled === node) bundled = undefined
    },
  }

  function assign(left: Node, right: Expression): void {
    if (isModuleExports(left)) return whole(right)
    if (left.type !== 'MemberExpression' || !isExports(left.object)) return
    const name = keyName(left.property, left.computed)
    if (name !== undefined) add(name, right)
  }

  /** `module.exports = …` */
  function whole(value: Expression): void {
    if (value.type === 'AssignmentExpression') return whole(value.right)
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
    else if ('id' in value && value.id) found.defaultName = value.id.name
    found.names.add('default')
  }

  function members(object: ObjectExpression): void {
    for (const property of object.properties) {
      if (property.type === 'SpreadElement') {
        const required = requiredBy(valueOf(property.argument))
        if (required !== undefined) found.stars.add(required)
        continue
      }
      const name = keyName(property.key, property.computed)
      if (name !== undefined) add(name, property.value)
    }
  }

  function add(name: string, value: Node): void {
    if (name === '__esModule') return
    found.names.add(name)
    if (value.type !== 'Identifier') return
    found.locals.add(value.name)
    if (name === 'default') found.defaultName = value.name
  }

  function call({ callee, arguments: args }: CallExpression): void {
    const [first, second] = args
    if (isMember(callee, 'Object', 'defineProperty') && first && second && isExports(first)) {
      if (second.type === 'Literal' && typeof second.value === 'string') add(second.value, second)
    } else if (isNamed(callee, /^(__exportStar|__export|__reExport)$/)) {
      if (second?.type === 'ObjectExpression') members(second)
      for (const argument of args) {
        const required = requiredBy(valueOf(argument))
        if (required !== undefined) found.stars.add(required)
      }
    } else if (callee.type === 'MemberExpression' && keyName(callee.property, callee.computed) === 'forEach')
      copied(callee.object)
  }

  /** `Object.keys(_other).forEach(…)`, which compilers write for `export *`. */
  function copied(object: Node): void {
    if (object.type !== 'CallExpression' || !isMember(object.callee, 'Object', 'keys')) return
    const [from] = object.arguments
    const required = from && requiredBy(valueOf(from))
    if (required !== undefined) found.stars.add(required)
  }

  function valueOf(value: Argument): Node {
    return (value.type === 'Identifier' && tops.get(value.name)) || value
  }

  function isExports(node: Node): boolean {
    return (
      isModuleExports(node) ||
      (node.type === 'Identifier' && (node.name === 'exports' || aliases.has(node.name))) ||
      (node.type === 'AssignmentExpression' && isExports(node.left))
    )
  }
}

/** A function that is handed an exports object of its own; one that is handed on by a wrapper of its own gets ours. */
function hasOwnExports(node: Node, parent: Node | undefined): boolean {
  if (node.type !== 'FunctionExpression' && node.type !== 'ArrowFunctionExpression') return false
  const isNamedSo = node.params.some(param => param.type === 'Identifier' && /^(exports|module)$/.test(param.name))
  const isWrapped = parent?.type === 'CallExpression' && /Function/.test(parent.callee.type)
  return isNamedSo && !isWrapped
}

const isModuleExports = (node: Node): boolean => isMember(node, 'module', 'exports')

const isMember = (node: Node, object: string, property: string): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === object &&
  keyName(node.property, node.computed) === property

/** Also where the function is a member, such as `tslib_1.__exportStar`. */
function isNamed(callee: Node, name: RegExp): boolean {
  if (callee.type === 'Identifier') return name.test(callee.name)
  if (callee.type === 'MemberExpression') return name.test(keyName(callee.property, callee.computed) ?? '')
  return callee.type === 'SequenceExpression' && callee.expressions.some(one => isNamed(one, name))
}

/** What `require('…')` asks for, also inside a wrapper that compilers put around it. */
export function requiredBy(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const [first] = node.arguments
  if (!first) return undefined
  if (node.callee.type === 'Identifier' && node.callee.name === 'require')
    return first.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined
  return isNamed(node.callee, /^(__importStar|__importDefault|_interopRequire\w*|__toESM)$/)
    ? requiredBy(first)
    : undefined
}

/** The variables of the file itself with what they start as. */
function topLevelValues(program: Program): ReadonlyMap<string, Expression> {
  const values = new Map<string, Expression>()
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) if (id.type === 'Identifier' && init) values.set(id.name, init)
  }
  return values
}
