import { isAscii } from 'node:buffer'

const AT_ONCE = 1_024

/** Returns the offset of the next non-ASCII byte, or -1. */
export function nextOther(text: Buffer, from: number): number {
  for (let at = from; at < text.length; at += AT_ONCE) {
    const end = Math.min(text.length, at + AT_ONCE)
    if (isAscii(text.subarray(at, end))) continue
    for (let byte = at; byte < end; byte++) if ((text[byte] as number) > 0x7f) return byte
  }
  return -1
}
