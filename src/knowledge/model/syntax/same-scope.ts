import type { Node } from 'oxc-parser'
import { nodesAround } from '../javascript/scope.ts'
import { parseModule } from './parse-module.ts'
import type { Span } from './syntax-file.ts'

/**
 * Whether declarations of one name stand right beside each other in what they are in: those are one symbol in TypeScript, as
 * a getter and its setter, a constant and the type of its name, a class and its namespace.
 */
export async function isSameScope(path: string, text: string, spans: readonly Span[]): Promise<boolean> {
  const { program } = await parseModule(path, text)
  const homes = spans.map(({ nameAt }) => homeOf(program, nameAt))
  const [first] = homes
  return first !== undefined && homes.every(home => home?.node === first.node && home.isStatic === first.isStatic)
}

interface Home {
  readonly node: Node
  /** A member of the class itself is another than one of its objects. */
  readonly isStatic: boolean
}

const HOMES =
  /^(Program|BlockStatement|FunctionBody|TSModuleBlock|StaticBlock|ClassBody|TSInterfaceBody|TSTypeLiteral|ObjectExpression|SwitchStatement|TSEnumBody)$/

/** The innermost node that something is declared in whose name stands at a place. */
function homeOf(program: Node, nameAt: number): Home | undefined {
  const around = nodesAround(program, nameAt)
  const at = around.findLastIndex(({ type }) => HOMES.test(type))
  const [node, next] = around.slice(at)
  return at < 0 || !node ? undefined : { node, isStatic: next !== undefined && Reflect.get(next, 'static') === true }
}
