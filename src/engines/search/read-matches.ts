import { nameFromBytes } from '../workspace/name.ts'

export interface GrepMatch {
  readonly path: string
  readonly line: number
  readonly text: string
}

export interface MatchReader {
  /** Takes the next piece of the output. */
  read(bytes: Buffer): void
  /** How many files ripgrep says it looked into; to be asked after its end. */
  filesSearched(): number
}

export interface MatchSink {
  match(match: GrepMatch): void
  /** The file whose matches came last turned out to be no text. */
  binary(path: string): void
}

/** A file turned out to be binary after it had matches: the one line of the output that is no match. */
const BINARY = /^(.*): WARNING: stopped searching binary file after match \(found ".{1,6}" byte around offset \d+\)\n/s
const [NUL, COLON, NEWLINE] = [0, 58, 10]

/** Reads what ripgrep prints with `--null --line-number --stats`: `path NUL line:text`, then its figures. */
export function readMatches(sink: MatchSink): MatchReader {
  let rest: Buffer = Buffer.alloc(0)
  let last = ''
  const name = (bytes: Buffer): string => nameFromBytes(bytes).replace(/^\.\//, '')

  /** What stands before a name is a warning about the file before it; the name itself may hold line breaks. */
  const afterWarning = (text: string): string => {
    const warning = BINARY.exec(text)
    if (warning === null || warning[1] !== last) return text
    sink.binary(last)
    return text.slice(warning[0].length).replace(/^\.\//, '')
  }

  return {
    read(bytes) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      let at = 0
      for (;;) {
        const nul = all.indexOf(NUL, at)
        const colon = nul < 0 ? -1 : all.indexOf(COLON, nul)
        const end = colon < 0 ? -1 : all.indexOf(NEWLINE, colon)
        if (end < 0) break
        last = afterWarning(name(all.subarray(at, nul)))
        const text = all.toString('utf8', colon + 1, end).replace(/\r$/, '')
        sink.match({ path: last, line: Number(all.toString('latin1', nul + 1, colon)), text })
        at = end + 1
      }
      rest = all.subarray(at)
    },
    filesSearched() {
      const figures = afterWarning(name(rest))
      return Number(/^(\d+) files searched$/m.exec(figures)?.[1] ?? 0)
    },
  }
}
