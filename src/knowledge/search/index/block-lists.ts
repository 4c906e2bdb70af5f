/** Sorted numbers. */
type List = readonly number[] | Uint16Array

/**
 * Returns the numbers of `few` that are also in `many`, which may be much longer: steps through it at growing
 * distances. The result may replace `few` in place.
 */
export function commonBlocks(few: List, many: List, both = new Uint16Array(few.length)): Uint16Array {
  const end = many.length
  let [count, at] = [0, 0]
  for (let next = 0; next < few.length && at < end; next++) {
    const block = few[next] as number
    if ((many[at] as number) < block) {
      let step = 1
      while (at + step < end && (many[at + step] as number) < block) {
        at += step
        step *= 2
      }
      // The number lies after `at` and not after `at + step`.
      let high = Math.min(end, at + step)
      for (at++; at < high;) {
        const middle = (at + high) >>> 1
        if ((many[middle] as number) < block) at = middle + 1
        else high = middle
      }
    }
    if (at < end && many[at] === block) both[count++] = block
  }
  return both.subarray(0, count)
}

/** Returns the position of a number in a sorted part of a list, or -1. */
export function placeIn(list: Uint16Array | Uint32Array, from: number, to: number, value: number): number {
  let low = from
  let high = to - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const one = list[middle] as number
    if (one === value) return middle
    if (one < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export const isSet = (lists: Uint16Array, bits: number, block: number): boolean =>
  (((lists[bits + (block >>> 4)] as number) >>> (block & 15)) & 1) === 1

/** Returns the positions of the set bits. */
export function listOfBits(bits: Uint16Array): Uint16Array {
  let count = 0
  for (let at = 0; at < bits.length; at++) for (let unit = bits[at] as number; unit !== 0; unit &= unit - 1) count++
  const list = new Uint16Array(count)
  let length = 0
  for (let at = 0; at < bits.length; at++)
    for (let unit = bits[at] as number; unit !== 0; unit &= unit - 1)
      list[length++] = at * 16 + 31 - Math.clz32(unit & -unit)
  return list
}
