import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

/** What V8 writes for one script: the ranges of a function, the outermost first, each with how often it ran. */
export interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[]
  }[]
}

export interface LineCoverage {
  readonly lines: number
  readonly covered: number
  /** Numbers of the lines of which some part never ran. */
  readonly missed: readonly number[]
}

/**
 * How many lines of a file ran as a whole, in any of the processes that loaded it. Node strips types in place, so that
 * offsets are those of the file; lines that hold only types or comments count for nothing.
 */
export function lineCoverage(url: string, runs: readonly ScriptCoverage[]): LineCoverage {
  const code = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
  const ran = new Uint8Array(code.length)
  for (const run of runs) for (const [at, did] of offsetsOf(run, code.length).entries()) if (did === 1) ran[at] = 1
  const missed: number[] = []
  let lines = 0
  let offset = 0
  for (const [index, line] of code.split('\n').entries()) {
    const parts = [...line]
      .map((char, at) => ({ char, did: ran[offset + at] === 1 }))
      .filter(({ char }) => /\S/.test(char))
    offset += line.length + 1
    if (parts.length === 0 || isComment(line)) continue
    lines++
    if (!parts.every(({ did }) => did)) missed.push(index + 1)
  }
  return { lines, covered: lines - missed.length, missed }
}

/** An inner range decides over the one around it. */
function offsetsOf({ functions }: ScriptCoverage, length: number): Uint8Array {
  const ran = new Uint8Array(length)
  const ranges = functions.flatMap(one => one.ranges)
  const outermostFirst = ranges.toSorted(
    (one, other) => other.endOffset - other.startOffset - (one.endOffset - one.startOffset),
  )
  for (const { startOffset, endOffset, count } of outermostFirst) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  return ran
}

const isComment = (line: string): boolean => /^\s*(\/\/|\/\*|\*)/.test(line)
