import { nameFromBytes } from '../../machine/workspace/name.ts'
import type { MatchSink, OutputReader } from './match-sink.ts'

/** What makes ripgrep print what `readCounts` reads. */
export const COUNTS_OUTPUT = ['--null', '--with-filename', '--count']

const [NUL, NEWLINE, DOT] = [0, 10, 46]
const SEARCHED = /^(\d+) files searched$/

/** Reads `./path NUL count` for each file with a match, and an empty line with figures at the end where there are such. */
export function readCounts(sink: MatchSink): OutputReader {
  let rest: Buffer = Buffer.alloc(0)
  return bytes => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let at = 0
    for (;;) {
      const nul = all[at] === DOT ? all.indexOf(NUL, at) : at - 1
      const end = nul < 0 && all[at] === DOT ? -1 : all.indexOf(NEWLINE, nul + 1)
      if (end < 0) break
      const text = all.toString('latin1', nul + 1, end).trim()
      if (nul >= at) {
        sink.file(nameFromBytes(all.subarray(at + 2, nul)))
        sink.count(Number(text))
      } else sink.searched(Number(SEARCHED.exec(text)?.[1] ?? 0))
      at = end + 1
    }
    rest = all.subarray(at)
  }
}
