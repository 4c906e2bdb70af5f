/** Result of one run. Its matches start at `ints` and `bytes` in `FoundLines`. */
export interface FoundRun {
  readonly run: number
  readonly total: number
  readonly files: number
  /** The first and the last file with a match: a file may continue in the next run. */
  readonly first: number
  readonly last: number
  /** Offset of the first written match, and the number of matches (files with `only`). */
  readonly ints: number
  readonly bytes: number
  readonly written: number
}

/** Found lines in a form that passes between threads without parsing. */
export interface FoundLines {
  readonly runs: readonly FoundRun[]
  /** For each match: path, line, and the lengths of its text and context lines. With `only`: paths and counts. */
  readonly ints: Int32Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Writes found lines for `readLines` in another thread. */
export interface LineWriter {
  /** Opens the next run. */
  begin(run: number): void
  int(value: number): void
  /** Writes bytes of a text and their number. */
  bytes(text: Buffer, from: number, to: number): void
  end(found: Pick<FoundRun, 'total' | 'files' | 'first' | 'last' | 'written'>): void
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
  let runs: FoundRun[] = []
  let open = { run: 0, ints: 0, bytes: 0 }

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
      open = { run, ints: intCount, bytes: byteCount }
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
    end(found) {
      const { total, files, first, last, written } = found
      if (total > 0)
        runs.push({ run: open.run, total, files, first, last, ints: open.ints, bytes: open.bytes, written })
    },
    take() {
      if (runs.length === 0) return undefined
      const taken = { runs, ints: ints.slice(0, intCount), bytes: bytes.slice(0, byteCount) }
      empty()
      return taken
    },
  }
}
