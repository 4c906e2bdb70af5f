import { Graph, layout } from '@dagrejs/dagre'
import { useEffect, useRef } from 'preact/hooks'
import { visibleLine } from '../../parts/visible-text.ts'
import type { CodeNode, Neighbours } from './graph-data.ts'

const WIDTH = 210
const HEIGHT = 40

interface CallGraphProps {
  readonly neighbours: Neighbours
  /** The node that has the focus. */
  readonly focus: string
  readonly onFocus: (id: string) => void
  readonly onCentre: (node: CodeNode) => void
}

/** Callers on the left, the symbol in the middle, what it calls on the right. Arrows walk, Enter centres. */
export function CallGraph({ neighbours, focus, onFocus, onCentre }: CallGraphProps) {
  const { centre, callers, callees, edges } = neighbours
  const nodes = [centre, ...callers, ...callees.filter(({ id }) => !callers.some(caller => caller.id === id))]
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 10, ranksep: 90, marginx: 16, marginy: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of nodes) graph.setNode(id, { width: WIDTH, height: HEIGHT })
  for (const { from, to } of edges) graph.setEdge(from, to)
  layout(graph)
  const places = new Map(nodes.map(({ id }) => [id, graph.node(id)]))
  const { width = 0, height = 0 } = graph.graph()
  const element = useRef<SVGSVGElement>(null)
  useEffect(() => {
    const node = element.current?.querySelector<SVGGElement>(`[data-id="${CSS.escape(focus)}"]`)
    node?.focus()
  }, [focus, centre.id])
  const walk = (event: KeyboardEvent): void => {
    const next = neighbourFor(event.key, focus, neighbours, id => places.get(id)?.y ?? 0)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onFocus(next)
  }
  return (
    <svg
      ref={element}
      class="call-graph"
      width={width}
      height={height}
      role="group"
      aria-label={`Calls of ${visibleLine(centre.name)}`}
      onKeyDown={walk}
    >
      {edges.map(({ from, to, isCertain }) => {
        const { x: x1 = 0, y: y1 = 0 } = places.get(from) ?? {}
        const { x: x2 = 0, y: y2 = 0 } = places.get(to) ?? {}
        const [start, end] = [x1 + WIDTH / 2, x2 - WIDTH / 2]
        const middle = (start + end) / 2
        return (
          <path
            key={`${from} ${to}`}
            class={isCertain ? 'edge' : 'edge possible'}
            d={`M${start} ${y1} C${middle} ${y1} ${middle} ${y2} ${end} ${y2}`}
          />
        )
      })}
      {nodes.map(node => {
        const { x = 0, y = 0 } = places.get(node.id) ?? {}
        const kind = node.id === centre.id ? 'centre' : callers.includes(node) ? 'caller' : 'callee'
        return (
          <g
            key={node.id}
            data-id={node.id}
            role="button"
            tabIndex={node.id === focus ? 0 : -1}
            aria-roledescription={kind}
            class={`node ${kind}`}
            transform={`translate(${x - WIDTH / 2} ${y - HEIGHT / 2})`}
            onFocus={() => onFocus(node.id)}
            onClick={() => onCentre(node)}
            onKeyDown={event => {
              if (event.key !== 'Enter' && event.key !== ' ') return
              event.preventDefault()
              event.stopPropagation()
              onCentre(node)
            }}
          >
            <rect width={WIDTH} height={HEIGHT} rx="6" />
            <text x="10" y="17" class="name">
              {short(visibleLine(node.name), 28)}
            </text>
            <text x="10" y="32" class="path">
              {short(visibleLine(node.path), 32)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

const short = (text: string, most: number): string => (text.length > most ? `…${text.slice(1 - most)}` : text)

/** The node that an arrow leads to: across to the other side of a call, or up and down on this side. */
function neighbourFor(
  key: string,
  from: string,
  { centre, callers, callees }: Neighbours,
  heightOf: (id: string) => number,
): string | undefined {
  const byHeight = (nodes: readonly CodeNode[]): readonly string[] =>
    nodes.map(({ id }) => id).toSorted((one, other) => heightOf(one) - heightOf(other))
  const [left, right] = [byHeight(callers), byHeight(callees)]
  const nearest = (ids: readonly string[]): string | undefined =>
    ids.toSorted(
      (one, other) => Math.abs(heightOf(one) - heightOf(from)) - Math.abs(heightOf(other) - heightOf(from)),
    )[0]
  const isCaller = left.includes(from)
  if (key === 'ArrowLeft') return from === centre.id ? nearest(left) : isCaller ? undefined : centre.id
  if (key === 'ArrowRight') return from === centre.id ? nearest(right) : isCaller ? centre.id : undefined
  const side = isCaller ? left : right
  const at = side.indexOf(from)
  if (key === 'ArrowDown') return at < 0 ? undefined : side[at + 1]
  if (key === 'ArrowUp') return at < 1 ? undefined : side[at - 1]
  return undefined
}
