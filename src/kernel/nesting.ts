import { ToolError } from './error.ts'

/** Data nested deeper than this is refused: steps that follow it level by level would run out of stack. */
export const MOST_LEVELS = 200

/** Reports whether objects and arrays lie in each other more than so many levels deep. Uses no stack, and ends in a circle. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level: readonly object[] = isNesting(value) ? [value] : []
  const seenObjects = new Set<object>(level)
  for (let depth = 0; depth < most; depth++) {
    const next: object[] = []
    for (const one of level)
      for (const inner of Object.values(one)) {
        if (!isNesting(inner) || seenObjects.has(inner)) continue
        seenObjects.add(inner)
        next.push(inner)
      }
    if (next.length === 0) return false
    level = next
  }
  return true
}

/** Returns why data cannot be followed to its end; undefined if it can. A getter or a proxy in it may throw. */
export function unreadable(value: unknown, what: string): ToolError | undefined {
  try {
    return isDeeperThan(value, MOST_LEVELS) ? tooDeep(what) : undefined
  } catch (cause) {
    const why = cause instanceof Error ? `: ${cause.message}` : ''
    return new ToolError('invalid_input', `${what} cannot be read${why}`, {
      hint: 'Pass plain data: text, numbers, booleans, null, lists and objects of them',
      cause,
    })
  }
}

/** Names the limit, so that the caller knows what to change. */
export const tooDeep = (what: string): ToolError =>
  new ToolError('invalid_input', `${what} is nested more than ${MOST_LEVELS} levels deep`, {
    hint: `Put objects and arrays at most ${MOST_LEVELS} levels into each other; pass deeper data as a file or as text.`,
  })

const isNesting = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
