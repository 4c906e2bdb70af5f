import type { Node } from 'oxc-parser'
import { nodesAround } from '../../../languages/javascript/scope.ts'
import { parseModule } from './parse-module.ts'
import type { Span } from '../../../languages/file-model/syntax-file.ts'

/**
 * Reports whether declarations of one name have the same parent: in TypeScript those are one symbol, such as a getter
 * and its setter, a constant and a type of its name, a class and its namespace.
 */
export async function isSameScope(path: string, text: string, spans: readonly Span[]): Promise<boolean> {
  const { program } = await parseModule(path, text)
  const homes = spans.map(({ nameAt }) => homeOf(program, nameAt))
  const [first] = homes
  return first !== undefined && homes.every(home => home?.node === first.node && home.isStatic === first.isStatic)
}

interface Home {
  readonly node: Node
  /** A static member differs from an instance member. */
  readonly isStatic: boolean
}

const HOMES =
  /^(Program|BlockStatement|FunctionBody|TSModuleBlock|StaticBlock|ClassBody|TSInterfaceBody|TSTypeLiteral|ObjectExpression|SwitchStatement|TSEnumBody)$/

/** The innermost node around the declaration whose name is at an offset. */
function homeOf(program: Node, nameAt: number): Home | undefined {
  const around = nodesAround(program, nameAt)
  const at = around.findLastIndex(({ type }) => HOMES.test(type))
  const [node, next] = around.slice(at)
  return at < 0 || !node ? undefined : { node, isStatic: next !== undefined && Reflect.get(next, 'static') === true }
}
