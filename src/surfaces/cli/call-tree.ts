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

/** What the tool `callers` answers. */
export interface CallersAnswer {
  readonly target: { readonly name: string; readonly path: string; readonly from: number }
  readonly callers: readonly Called[]
  readonly total: number
  readonly possible: readonly PossibleCalled[]
  readonly unknown: readonly string[]
  readonly basis: string
  readonly provisional?: boolean
  readonly why?: string
  readonly partial: boolean
}

/** The function, and below it whoever calls it, each with the place of the call. */
export function callTree({ target, callers }: CallersAnswer): readonly string[] {
  const below = Map.groupBy(callers, ({ chain }) => keyOf(chain.slice(1)))
  const root = callers[0]?.chain.slice(-1) ?? [target.name]
  const shown = new Set<string>()
  return [`${target.name}  ${target.path}:${target.from}`, ...branches(root, '')]

  function branches(chain: readonly string[], indent: string): readonly string[] {
    // Several calls of the same caller share what is below them.
    if (shown.has(keyOf(chain))) return []
    shown.add(keyOf(chain))
    const all = below.get(keyOf(chain)) ?? []
    return all.flatMap((each, at) => {
      const isLast = at === all.length - 1
      const line = `${indent}${isLast ? '└─' : '├─'} ${each.name}  ${each.path}:${each.line}`
      return [line, ...branches(each.chain, indent + (isLast ? '   ' : '│  '))]
    })
  }
}

/** What may call it besides, and why there may be more; nothing where everything is certain. */
export const openCalls = ({ possible, unknown }: Pick<CallersAnswer, 'possible' | 'unknown'>): readonly string[] => [
  ...(possible.length > 0 ? ['possible:'] : []),
  ...possible.map(({ name, path, line, why }) => `  ${name}  ${path}:${line}  ${why}`),
  ...(unknown.length > 0 ? ['unknown:'] : []),
  ...unknown.map(why => `  ${why}`),
]

const keyOf = (chain: readonly string[]): string => chain.join('\0')
