import type { Argument, CallExpression, Expression, ObjectExpression } from 'oxc-parser'
import { dottedName } from './names.ts'

/** What a script hands out besides what it names: the contents of objects and of modules. */
export interface HandedOn {
  readonly objects: readonly ObjectExpression[]
  /** Expressions that may be modules as a whole. */
  readonly wholes: readonly Expression[]
}

/** What takes the place of `module.exports`. */
export interface Placed extends HandedOn {
  /** What it is itself; undefined where it is put together of others. */
  readonly self?: Expression | undefined
}

const NOTHING: HandedOn = { objects: [], wholes: [] }

/** `Object.assign(exports, …)` and what compilers write for `export *`. */
export function handedByCall({ callee, arguments: args }: CallExpression): HandedOn {
  const name = dottedName(callee)
  if (name === undefined) return NOTHING
  if (/(?:^|\.)(?:__exportStar|__reExport)$/.test(name)) return contentsOf(args)
  const [first, ...others] = args
  const isOurs = first && first.type !== 'SpreadElement' && isExports(first)
  return name === 'Object.assign' && isOurs ? contentsOf(others) : NOTHING
}

/** `{ ...require('m') }`, `Object.assign({}, require('m'))`. */
export function handedInside(value: Expression): Placed {
  if (value.type === 'ObjectExpression') {
    const wholes = value.properties.flatMap(each => (each.type === 'SpreadElement' ? [each.argument] : []))
    return { objects: [], wholes, self: value }
  }
  if (value.type !== 'CallExpression' || dottedName(value.callee) !== 'Object.assign')
    return { ...NOTHING, self: value }
  const [first, ...others] = value.arguments
  if (!first || first.type === 'SpreadElement' || first.type === 'ObjectExpression' || isExports(first))
    return contentsOf(value.arguments)
  return { ...contentsOf(others), self: first }
}

function contentsOf(args: readonly Argument[]): HandedOn {
  const given = args.flatMap(each => (each.type === 'SpreadElement' || isExports(each) ? [] : [each]))
  const objects = given.filter(each => each.type === 'ObjectExpression')
  const spread = objects.flatMap(each => handedInside(each).wholes)
  return { objects, wholes: [...given.filter(each => each.type !== 'ObjectExpression'), ...spread] }
}

const isExports = (node: Expression): boolean => /^(?:module\.)?exports$/.test(dottedName(node) ?? '')
