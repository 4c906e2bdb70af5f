import type { Node } from 'oxc-parser'
import { parse } from '../symbols/javascript/parse.ts'
import { childrenOf } from '../symbols/javascript/scope.ts'

/** Where names are taken out of modules that are imported while the program runs, and where the names are that they get. */
export function takenNames(path: string, text: string): ReadonlyMap<number, number> {
  const taken = new Map<number, number>()
  visit(parse(path, text))
  return taken

  function visit(node: Node): void {
    if (node.type === 'VariableDeclarator' && node.init && isModule(node.init)) take(node.id)
    if (node.type === 'CallExpression' && isThen(node.callee)) {
      const [first] = node.arguments
      const isFunction = first?.type === 'ArrowFunctionExpression' || first?.type === 'FunctionExpression'
      const [param] = isFunction ? first.params : []
      if (param) take(param)
    }
    for (const child of childrenOf(node)) visit(child)
  }

  function take(pattern: Node): void {
    if (pattern.type !== 'ObjectPattern') return
    for (const property of pattern.properties) {
      if (property.type !== 'Property' || property.computed) continue
      const { key, value } = property
      const local = value.type === 'AssignmentPattern' ? value.left : value
      if (local.type === 'Identifier') taken.set(key.start, local.start)
    }
  }
}

const isModule = (node: Node): boolean => node.type === 'AwaitExpression' && node.argument.type === 'ImportExpression'

/** `import('m').then` */
const isThen = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'ImportExpression' &&
  node.property.type === 'Identifier' &&
  node.property.name === 'then'
