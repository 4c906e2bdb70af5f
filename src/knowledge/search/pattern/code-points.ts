/** A set of code points as sorted, non-adjacent ranges: first, last, first, last … Never contains surrogates. */
export type CodePoints = readonly number[]

const LAST = 0x10ffff
const [FIRST_HALF, LAST_HALF] = [0xd800, 0xdfff]

/** Returns the set of these ranges, which may come in any order. */
export function codePoints(ranges: readonly (readonly [number, number])[]): CodePoints {
  const set: number[] = []
  for (const [first, last] of ranges.flatMap(withoutHalves).toSorted(([one], [other]) => one - other)) {
    const end = set.at(-1)
    if (end !== undefined && first <= end + 1) set[set.length - 1] = Math.max(end, last)
    else set.push(first, last)
  }
  return set
}

function withoutHalves([first, last]: readonly [number, number]): [number, number][] {
  const parts: [number, number][] = [
    [first, Math.min(last, FIRST_HALF - 1)],
    [Math.max(first, LAST_HALF + 1), last],
  ]
  return first > LAST_HALF || last < FIRST_HALF ? [[first, last]] : parts.filter(([from, to]) => from <= to)
}

export const single = (code: number): CodePoints => codePoints([[code, code]])

/** Returns the only code point of a set that has exactly one. */
export const onlyOf = (set: CodePoints): number | undefined =>
  set.length === 2 && set[0] === set[1] ? set[0] : undefined

export function rangesOf(set: CodePoints): [number, number][] {
  const ranges: [number, number][] = []
  for (let at = 0; at < set.length; at += 2) ranges.push([set[at] ?? 0, set[at + 1] ?? 0])
  return ranges
}

export const union = (...sets: readonly CodePoints[]): CodePoints => codePoints(sets.flatMap(rangesOf))

export function negate(set: CodePoints): CodePoints {
  const ranges: [number, number][] = []
  let from = 0
  for (const [first, last] of rangesOf(set)) {
    if (first > from) ranges.push([from, first - 1])
    from = last + 1
  }
  if (from <= LAST) ranges.push([from, LAST])
  return codePoints(ranges)
}

export function intersect(one: CodePoints, other: CodePoints): CodePoints {
  const ranges: [number, number][] = []
  const [ours, theirs] = [rangesOf(one), rangesOf(other)]
  for (let at = 0, there = 0; ;) {
    const [mine, its] = [ours[at], theirs[there]]
    if (mine === undefined || its === undefined) return codePoints(ranges)
    const [first, last] = [Math.max(mine[0], its[0]), Math.min(mine[1], its[1])]
    if (first <= last) ranges.push([first, last])
    if (mine[1] < its[1]) at++
    else there++
  }
}

export const subtract = (one: CodePoints, other: CodePoints): CodePoints => intersect(one, negate(other))

export const either = (one: CodePoints, other: CodePoints): CodePoints =>
  union(subtract(one, other), subtract(other, one))

export const has = (set: CodePoints, code: number): boolean =>
  rangesOf(set).some(([first, last]) => first <= code && code <= last)
