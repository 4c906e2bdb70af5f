import { nextOther } from '../pattern/next-other.ts'

/** Reads consecutive texts from UTF-8 bytes. ASCII texts are slices of one string, which is much faster. */
export function textsOf(bytes: Uint8Array): (from: number, to: number) => string {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let whole: string | undefined
  /** The bytes from `asciiFrom` to before `other` are all ASCII. */
  let [asciiFrom, other] = [0, -1]
  return (from, to) => {
    if (from < asciiFrom || from > other) {
      const next = nextOther(all, from)
      ;[asciiFrom, other] = [from, next < 0 ? all.length : next]
    }
    if (to > other) return all.toString('utf8', from, to)
    whole ??= all.toString('latin1')
    return whole.slice(from, to)
  }
}
