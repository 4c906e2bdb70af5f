/**
 * Integers per run: its number, its lines, its files with a line, the first and the last of these (a file may continue
 * in the next run), where its first written match begins in `ints` and `bytes`, and the number of written matches
 * (files with `only`). Numbers and no objects, which threads would copy one by one.
 */
export const FOUND = { run: 0, total: 1, files: 2, first: 3, last: 4, ints: 5, bytes: 6, written: 7 } as const
export const FOUND_FIELDS = 8

/** Found lines in a form that passes between threads without parsing. */
export interface FoundLines {
  readonly runs: Int32Array<ArrayBuffer>
  /** For each match: path, line, and the lengths of its text and context lines. With `only`: paths and counts. */
  readonly ints: Int32Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A run with written matches: its output, and where its integers begin there. */
export interface WrittenRun {
  readonly found: FoundLines
  readonly at: number
}

/** Writes found lines for `readLines` in another thread. */
export interface LineWriter {
  /** Opens the next run. */
  begin(run: number): void
  int(value: number): void
  /** Writes bytes of a text and their number. */
  bytes(text: Buffer, from: number, to: number): void
  /** Closes it with its numbers. A run without a line is left out. */
  end(total: number, files: number, first: number, last: number, written: number): void
  /** Returns everything since the last call, or undefined if there is nothing. */
  take(): FoundLines | undefined
  /** Starts another search and discards data not taken. */
  clear(): void
}

const [FEW_INTS, FEW_BYTES] = [4_096, 65_536]
/** A larger buffer is not reused for the next search. */
const MOST_KEPT = 1024 * 1024

export function lineWriter(): LineWriter {
  let ints = new Int32Array(FEW_INTS)
  let bytes = new Uint8Array(FEW_BYTES)
  let [intCount, byteCount] = [0, 0]
  let runs: number[] = []
  let [openRun, openInts, openBytes] = [0, 0, 0]

  const int = (value: number): void => {
    if (intCount === ints.length) {
      const larger = new Int32Array(ints.length * 4)
      larger.set(ints)
      ints = larger
    }
    ints[intCount++] = value
  }

  const empty = (): void => {
    runs = []
    ;[intCount, byteCount] = [0, 0]
  }

  const clear = (): void => {
    empty()
    if (ints.byteLength > MOST_KEPT) ints = new Int32Array(FEW_INTS)
    if (bytes.byteLength > MOST_KEPT) bytes = new Uint8Array(FEW_BYTES)
  }

  return {
    int,
    clear,
    begin(run) {
      ;[openRun, openInts, openBytes] = [run, intCount, byteCount]
    },
    bytes(text, from, to) {
      const length = to - from
      if (byteCount + length > bytes.length) {
        const larger = new Uint8Array(Math.max(bytes.length * 4, byteCount + length))
        larger.set(bytes.subarray(0, byteCount))
        bytes = larger
      }
      // A copy call costs more than a few bytes.
      if (length < 32) for (let at = from, to8 = byteCount; at < to; at++) bytes[to8++] = text[at] as number
      else text.copy(bytes, byteCount, from, to)
      byteCount += length
      int(length)
    },
    end(total, files, first, last, written) {
      if (total > 0) runs.push(openRun, total, files, first, last, openInts, openBytes, written)
    },
    take() {
      if (runs.length === 0) return undefined
      const lines = { runs: Int32Array.from(runs), ints: ints.slice(0, intCount), bytes: bytes.slice(0, byteCount) }
      empty()
      return lines
    },
  }
}
