/** Encodes selected numbers of a list as a short text: one bit each, in base64. */
export function encodeSelection(numbers: readonly number[], length: number): string {
  const bits = Buffer.alloc(Math.ceil(length / 8))
  for (const at of numbers) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
  return bits.toString('base64')
}

/** Returns the selected entries of the list. */
export function decodeSelection(text: string, list: readonly string[]): readonly string[] {
  const selection: string[] = []
  const bits = Buffer.from(text, 'base64')
  for (let byte = 0; byte < bits.length; byte++)
    for (let rest = bits[byte] ?? 0, at = byte * 8; rest > 0; rest >>= 1, at++)
      if (rest & 1) selection.push(list[at] ?? '')
  return selection
}
