import { visitorKeys, type Node, type Program } from 'oxc-parser'

/** Looks at every node on the way down and on the way up. */
export interface Visitor {
  enter(node: Node, parent: Node | undefined): void
  leave(node: Node): void
}

/** Walks a program once for several visitors. */
export function visit(program: Program, visitors: readonly Visitor[]): void {
  down(program, undefined)

  function down(node: Node, parent: Node | undefined): void {
    for (const visitor of visitors) visitor.enter(node, parent)
    for (const key of visitorKeys[node.type] ?? []) {
      const child: unknown = Reflect.get(node, key)
      if (Array.isArray(child)) {
        for (const one of child) if (isNode(one)) down(one, node)
      } else if (isNode(child)) down(child, node)
    }
    for (const visitor of visitors) visitor.leave(node)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
