import { sanitize } from '../../kernel/sanitize.ts'
import { isFields, numberAt, objectsIn, pathAt, textAt, textsIn, type Fields } from './shape.ts'

interface Called {
  readonly name: string
  readonly path: string
  readonly line: number
  readonly chain: readonly string[]
  readonly depth: number
}

interface PossibleCalled extends Pick<Called, 'name' | 'path' | 'line'> {
  readonly why: string
}

/** Answer of the tool `callers`. */
export interface CallersAnswer {
  readonly target: { readonly name: string; readonly path: string; readonly from?: number | undefined }
  readonly callers: readonly Called[]
  readonly total: number
  readonly next?: { readonly skip: number }
  readonly possible: readonly PossibleCalled[]
  readonly possibleTotal: number
  readonly unknown: readonly string[]
  readonly basis: string
  readonly provisional?: boolean
  readonly why?: string
  readonly partial: boolean
}

/** Renders the function and its callers below it, each with the place of the call. */
export function callTree({ target, callers }: Pick<CallersAnswer, 'target' | 'callers'>): readonly string[] {
  const below = Map.groupBy(callers, ({ chain }) => keyOf(chain.slice(1)))
  const root = callers[0]?.chain.slice(-1) ?? [target.name]
  const shownKeys = new Set<string>()
  const place = target.from === undefined ? target.path : `${target.path}:${target.from}`
  // The functions that these call are on another page.
  const callerKeys = new Set([root, ...callers.map(({ chain }) => chain)].map(keyOf))
  const detachedCallers = callers.filter(({ chain }) => !callerKeys.has(keyOf(chain.slice(1))))
  return [
    `${target.name}  ${place}`,
    ...branches(root, ''),
    ...detachedCallers.flatMap(each => [flat(each), ...branches(each.chain, '  ')]),
  ]

  function branches(chain: readonly string[], indent: string): readonly string[] {
    // Several calls of one caller share the lines below them.
    if (shownKeys.has(keyOf(chain))) return []
    shownKeys.add(keyOf(chain))
    const all = below.get(keyOf(chain)) ?? []
    return all.flatMap((each, at) => {
      const isLast = at === all.length - 1
      const line = `${indent}${isLast ? '└─' : '├─'} ${each.name}  ${each.path}:${each.line}`
      return [line, ...branches(each.chain, indent + (isLast ? '   ' : '│  '))]
    })
  }
}

/** Names possible further callers, and why there may be more. Returns nothing if all are certain. */
export const openCalls = ({ possible, unknown }: Pick<CallersAnswer, 'possible' | 'unknown'>): readonly string[] => [
  ...(possible.length > 0 ? ['possible:'] : []),
  ...possible.map(({ name, path, line, why }) => `  ${name}  ${path}:${line}  ${why}`),
  ...(unknown.length > 0 ? ['unknown:'] : []),
  ...unknown.map(why => `  ${why}`),
]

const keyOf = (chain: readonly string[]): string => chain.join('\0')

/** Renders callers of a function, in any contract's form, below the function. */
export function callersLines(data: Fields): string[] {
  const targetFields = isFields(data['target']) ? data['target'] : data
  const name = textAt(targetFields, 'name', 'functionName') ?? ''
  const target = { name, path: pathAt(targetFields) ?? '', from: numberAt(targetFields, 'from') }
  const callers = (objectsIn(data['callers']) ?? []).map(calledIn)
  // Chains that begin at a caller form a tree. Those that only lead through it are shown unchanged.
  const isTree = callers.every(caller => caller.chain[0] === caller.name)
  const lines = isTree ? callTree({ target, callers }) : [...callTree({ target, callers: [] }), ...callers.map(flat)]
  return lines.map(line => sanitize(line))
}

const flat = ({ path, line, chain }: Called): string => `  ${path}:${line}  ${chain.join(' → ')}`

const calledIn = (call: Fields): Called => ({
  name: textAt(call, 'name', 'callerName') ?? '',
  path: pathAt(call) ?? '',
  line: numberAt(call, 'line') ?? 0,
  chain: textsIn(call['chain'] ?? call['callChain']) ?? [],
  depth: numberAt(call, 'depth') ?? 0,
})
