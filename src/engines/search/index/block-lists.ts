/** Numbers in order. */
type List = readonly number[] | Uint16Array

export function commonBlocks(one: List, other: List): number[] {
  const [few, many] = one.length < other.length ? [one, other] : [other, one]
  const both: number[] = []
  let at = 0
  for (let next = 0; next < few.length; next++) {
    const block = few[next] as number
    while (at < many.length && (many[at] as number) < block) at++
    if (at < many.length && many[at] === block) both.push(block)
  }
  return both
}

/** Where a number stands among numbers that are in order from one place to before another; -1 where it does not. */
export function placeIn(list: Uint16Array | Uint32Array, from: number, to: number, wanted: number): number {
  let low = from
  let high = to - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const one = list[middle] as number
    if (one === wanted) return middle
    if (one < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}
