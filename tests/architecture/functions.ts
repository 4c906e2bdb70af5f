import { Visitor, type ESTree } from 'rolldown/utils'

export interface NamedFunction {
  readonly name: string
  readonly lines: number
}

/** Lists every function of a parsed file, the longest first. */
export function functionsOf(program: ESTree.Program, text: string): readonly NamedFunction[] {
  const found: NamedFunction[] = []
  const names = new Map<object, string>()
  const name = (key: ESTree.Node, value: object | null): void => {
    if (value && 'name' in key && typeof key.name === 'string') names.set(value, key.name)
  }
  const take = (node: ESTree.Function | ESTree.ArrowFunctionExpression): void => {
    const lines = text.slice(node.start, node.end).split('\n').length
    found.push({ name: node.id?.name ?? names.get(node) ?? 'a function without a name', lines })
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => name(id, init),
    Property: ({ key, value }) => name(key, value),
    PropertyDefinition: ({ key, value }) => name(key, value),
    MethodDefinition: ({ key, value }) => name(key, value),
    FunctionDeclaration: take,
    FunctionExpression: take,
    ArrowFunctionExpression: take,
  }).visit(program)
  return found.toSorted((one, other) => other.lines - one.lines)
}
