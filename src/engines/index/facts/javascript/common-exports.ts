import { keyName, memberName } from './binding-names.ts'
import { noExports, type Exported } from './exported.ts'
import { isNamed, requiredBy } from './required.ts'
import {
  isFunction,
  isMemberExpression,
  isName,
  type Call,
  type Literal,
  type Program,
  type Syntax,
  type Visitor,
} from './syntax.ts'

/** Reads what a CommonJS file puts into its exports. */
export interface CommonExports {
  readonly found: Exported
  readonly visitor: Visitor
}

export function commonExports(program: Program): CommonExports {
  const found = noExports()
  const tops = topLevelValues(program)
  /** Other names of the exports object. */
  const aliases = new Set<string>()
  /** Functions that are called where they stand, and what they are handed. */
  const handedOn = new Set<Syntax>()
  /** The module, put into this file by a bundler, that is being walked through. */
  let bundled: Syntax | undefined

  const enter = (node: Syntax) => {
    if (!bundled && hasOwnExports(node) && !handedOn.has(node)) bundled = node
  }
  const leave = (node: Syntax) => {
    if (bundled === node) bundled = undefined
  }
  return {
    found,
    visitor: {
      Function: enter,
      'Function:exit': leave,
      ArrowFunctionExpression: enter,
      'ArrowFunctionExpression:exit': leave,
      AssignmentExpression(node) {
        if (!bundled && node.operator === '=') assign(node.left, node.right)
      },
      VariableDeclarator({ id, init }) {
        if (bundled || !init || !isName(id)) return
        const isAlias = init.type === 'AssignmentExpression' ? isExports(init.left) : isExports(init)
        if (isAlias) aliases.add(id.name)
      },
      CallExpression(node) {
        if (bundled) return
        if (isFunction(node.callee)) for (const each of [node.callee, ...node.arguments]) handedOn.add(each)
        call(node)
      },
    },
  }

  function assign(left: Syntax, right: Syntax): void {
    if (isModuleExports(left)) return whole(right)
    if (!isMemberExpression(left) || !isExports(left.object)) return
    const name = memberName(left)
    if (name !== undefined) add(name, right)
  }

  /** `module.exports = …` */
  function whole(value: Syntax): void {
    if (value.type === 'AssignmentExpression') return whole(value.right)
    if (value.type === 'ObjectExpression') return members(value)
    const required = requiredBy(value)
    if (required !== undefined) return void found.stars.add(required)
    if (isName(value)) {
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
    else if (value.type === 'CallExpression' && isMember(value.callee, 'Object', 'assign')) {
      const [first, ...others] = value.arguments
      if (first && !isExports(first)) whole(first)
      return others.forEach(contents)
    } else if ('id' in value && value.id && isName(value.id)) found.defaultName = value.id.name
    found.names.add('default')
  }

  function members(object: Literal): void {
    for (const property of object.properties) {
      if (property.type === 'SpreadElement') handOn(property.argument)
      if (property.type !== 'ObjectProperty') continue
      const name = keyName(property.key, property.computed)
      if (name !== undefined) add(name, property.value)
    }
  }

  function add(name: string, value: Syntax): void {
    if (name === '__esModule') return
    found.names.add(name)
    if (!isName(value)) return
    found.locals.add(value.name)
    if (name === 'default') found.defaultName = value.name
  }

  function call({ callee, arguments: args }: Call): void {
    if (isMember(callee, 'Object', 'defineProperty')) {
      const [first, second] = args
      if (first && second?.type === 'StringLiteral' && isExports(first)) add(second.value, second)
    } else if (isNamed(callee, /^(__exportStar|__export|__reExport)$/)) {
      const second = args[1]
      if (second?.type === 'ObjectExpression') members(second)
      for (const argument of args) handOn(argument)
    } else if (isMember(callee, 'Object', 'assign')) {
      const [first, ...others] = args
      if (first && isExports(first)) for (const argument of others) contents(argument)
    } else if (isMemberExpression(callee) && memberName(callee) === 'forEach') copied(callee.object)
  }

  function contents(given: Syntax): void {
    const value = valueOf(given)
    if (value.type === 'ObjectExpression') members(value)
    else handOn(value)
  }

  function handOn(value: Syntax): void {
    const required = requiredBy(valueOf(value))
    if (required !== undefined) found.stars.add(required)
  }

  /** `Object.keys(_other).forEach(…)`, which compilers write for `export *`. */
  function copied(object: Syntax): void {
    if (object.type !== 'CallExpression' || !isMember(object.callee, 'Object', 'keys')) return
    const [from] = object.arguments
    if (from) handOn(from)
  }

  function valueOf(value: Syntax): Syntax {
    return (isName(value) && tops.get(value.name)) || value
  }

  function isExports(node: Syntax): boolean {
    if (isName(node)) return node.name === 'exports' || aliases.has(node.name)
    return isModuleExports(node) || (node.type === 'AssignmentExpression' && isExports(node.left))
  }
}

/** A function that is handed an exports object of its own; one that is handed on by a wrapper of its own gets ours. */
function hasOwnExports(node: Syntax): boolean {
  if (node.type !== 'FunctionExpression' && node.type !== 'ArrowFunctionExpression') return false
  return node.params.items.some(({ pattern }) => isName(pattern) && /^(exports|module)$/.test(pattern.name))
}

const isModuleExports = (node: Syntax): boolean => isMember(node, 'module', 'exports')

const isMember = (node: Syntax, object: string, property: string): boolean =>
  isMemberExpression(node) && isName(node.object) && node.object.name === object && memberName(node) === property

/** The variables of the file itself with what they start as. */
function topLevelValues(program: Program): ReadonlyMap<string, Syntax> {
  const values = new Map<string, Syntax>()
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) if (init && isName(id)) values.set(id.name, init)
  }
  return values
}
