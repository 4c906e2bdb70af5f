/** Numbers in order. */
type List = readonly number[] | Uint16Array

/**
 * Those of `few` that are in the other list too, which may be much longer: it is passed in steps that grow. They may be
 * put in the place of `few`.
 */
export function commonBlocks(few: List, many: List, both = new Uint16Array(few.length)): Uint16Array {
  const end = many.length
  let [found, at] = [0, 0]
  for (let next = 0; next < few.length && at < end; next++) {
    const block = few[next] as number
    if ((many[at] as number) < block) {
      let step = 1
      while (at + step < end && (many[at + step] as number) < block) {
        at += step
        step *= 2
      }
      // It stands behind `at` and not behind `at + step`.
      let high = Math.min(end, at + step)
      for (at++; at < high;) {
        const middle = (at + high) >>> 1
        if ((many[middle] as number) < block) at = middle + 1
        else high = middle
      }
    }
    if (at < end && many[at] === block) both[found++] = block
  }
  return both.subarray(0, found)
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

export const isSet = (lists: Uint16Array, bits: number, block: number): boolean =>
  (((lists[bits + (block >>> 4)] as number) >>> (block & 15)) & 1) === 1

/** The numbers of the bits that are set. */
export function listOfBits(bits: Uint16Array): Uint16Array {
  let count = 0
  for (let at = 0; at < bits.length; at++) for (let unit = bits[at] as number; unit !== 0; unit &= unit - 1) count++
  const list = new Uint16Array(count)
  let filled = 0
  for (let at = 0; at < bits.length; at++)
    for (let unit = bits[at] as number; unit !== 0; unit &= unit - 1)
      list[filled++] = at * 16 + 31 - Math.clz32(unit & -unit)
  return list
}
