import { visitorKeys, type Node, type Program } from 'oxc-parser'

/** Looks at every node on the way down and on the way up, but for names, literals and types of values. */
export interface Visitor {
  enter(node: Node, parent: Node | undefined): void
  leave(node: Node): void
}

/** Most nodes are of these kinds, and nothing is declared or called in them. */
const PASSED_OVER = new Set([
  'Identifier',
  'Literal',
  'TSTypeAnnotation',
  'TSTypeParameterInstantiation',
  'TemplateElement',
])

/** Walks a program once for several visitors. */
export function visit(program: Program, visitors: readonly Visitor[]): void {
  down(program, undefined)

  function down(node: Node, parent: Node | undefined): void {
    for (let at = 0; at < visitors.length; at++) visitors[at]?.enter(node, parent)
    const keys = visitorKeys[node.type] ?? []
    for (let at = 0; at < keys.length; at++) {
      const child: unknown = Reflect.get(node, keys[at] ?? '')
      if (Array.isArray(child)) {
        for (let each = 0; each < child.length; each++) if (isWanted(child[each])) down(child[each], node)
      } else if (isWanted(child)) down(child, node)
    }
    for (let at = 0; at < visitors.length; at++) visitors[at]?.leave(node)
  }
}

const isWanted = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  !PASSED_OVER.has(value.type)
