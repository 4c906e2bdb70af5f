import { nextOther } from '../pattern/next-other.ts'

/** Reads texts out of bytes of UTF-8, one behind another: those in ASCII are parts of one string, made in a fraction of the time. */
export function textsOf(bytes: Uint8Array): (from: number, to: number) => string {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let whole: string | undefined
  /** From the one to before the other all is ASCII. */
  let [seen, other] = [0, -1]
  return (from, to) => {
    if (from < seen || from > other) {
      const next = nextOther(all, from)
      ;[seen, other] = [from, next < 0 ? all.length : next]
    }
    if (to > other) return all.toString('utf8', from, to)
    whole ??= all.toString('latin1')
    return whole.slice(from, to)
  }
}
