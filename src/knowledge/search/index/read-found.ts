import { oncePer } from '../../../kernel/once.ts'
import type { GrepMatch, Grepped, GrepOptions } from '../types.ts'
import { FOUND, FOUND_FIELDS, type FoundLines, type WrittenRun } from './found-lines.ts'
import { packLines, type PackedLines } from './packed-lines.ts'
import { textsOf } from './texts-of.ts'

type FoundAnswer = Pick<Grepped, 'matches' | 'files' | 'total' | 'filesFound'> & { readonly packed?: PackedLines }

/** Matches created before other work gets its turn. */
const AT_ONCE = 4_000

/** Builds the result from the output of all threads, run by run. Packs lines for a caller in another process. */
export async function readFound(
  parts: readonly FoundLines[],
  {
    skip = 0,
    maxResults,
    only,
    before = 0,
    after = 0,
  }: Pick<GrepOptions, 'skip' | 'maxResults' | 'only' | 'before' | 'after'>,
  pathOf: (id: number) => string,
  packs = false,
): Promise<FoundAnswer> {
  const { total, filesFound, runs } = inOrder(parts)
  if (packs && only === undefined && skip === 0) {
    const packedLines = packLines(runs, { most: maxResults, hasContext: before + after > 0, pathOf })
    return { matches: [], packed: packedLines, total, filesFound }
  }
  const reader = only === undefined ? matchReader(before + after > 0, pathOf, skip, maxResults) : fileReader(pathOf)
  let matchesRead = 0
  const partOf = oncePer(({ ints, bytes }: FoundLines): Part => ({ ints, textAt: textsOf(bytes) }))
  for (const { found, at } of runs) {
    if (reader.isFull()) break
    reader.read(found.runs, at, partOf(found))
    matchesRead += found.runs[at + FOUND.written] as number
    if (matchesRead < AT_ONCE) continue
    matchesRead = 0
    await new Promise(resolve => setImmediate(resolve))
  }
  const { matches, files } = reader
  return { matches, total, filesFound, ...(only !== undefined && { files: files.slice(skip, skip + maxResults) }) }
}

/** Output of one thread at one time. */
interface Part {
  readonly ints: Int32Array
  readonly textAt: (from: number, to: number) => string
}

/** Sums all runs in order, and returns those with written matches. */
function inOrder(parts: readonly FoundLines[]): {
  readonly total: number
  readonly filesFound: number
  readonly runs: readonly WrittenRun[]
} {
  // Runs of one output are in order.
  const count = Math.max(0, ...parts.map(({ runs }) => (runs.at(-FOUND_FIELDS) ?? -1) + 1))
  const [partOf, placeOf] = [new Int32Array(count).fill(-1), new Int32Array(count)]
  for (const [part, { runs }] of parts.entries())
    for (let at = 0; at < runs.length; at += FOUND_FIELDS) {
      const run = runs[at + FOUND.run] as number
      partOf[run] = part
      placeOf[run] = at
    }
  const writtenRuns: WrittenRun[] = []
  let [total, filesFound, last] = [0, 0, -1]
  for (let run = 0; run < count; run++) {
    const part = parts[partOf[run] as number]
    if (!part) continue
    const at = placeOf[run] as number
    total += part.runs[at + FOUND.total] as number
    filesFound += (part.runs[at + FOUND.files] as number) - (part.runs[at + FOUND.first] === last ? 1 : 0)
    last = part.runs[at + FOUND.last] as number
    if (part.runs[at + FOUND.written] !== 0) writtenRuns.push({ found: part, at })
  }
  return { total, filesFound, runs: writtenRuns }
}

interface FoundReader {
  readonly matches: GrepMatch[]
  readonly files: { path: string; count: number }[]
  isFull(): boolean
  /** Reads a run whose integers begin at this place. */
  read(runs: Int32Array, place: number, part: Part): void
}

function fileReader(pathOf: (id: number) => string): FoundReader {
  const files: { path: string; count: number }[] = []
  let last = -1
  return {
    matches: [],
    files,
    isFull: () => false,
    read(runs, place, { ints }) {
      const [from, matchCount] = [runs[place + FOUND.ints] ?? 0, runs[place + FOUND.written] ?? 0]
      for (let at = from; at < from + matchCount * 2; at += 2) {
        const [id, count] = [ints[at] ?? 0, ints[at + 1] ?? 0]
        const previous = files.at(-1)
        if (id === last && previous) previous.count += count
        else files.push({ path: pathOf(id), count })
        last = id
      }
    },
  }
}

function matchReader(
  hasContext: boolean,
  pathOf: (id: number) => string,
  skip: number,
  maxResults: number,
): FoundReader {
  const matches: GrepMatch[] = []
  let skipCount = 0
  return {
    matches,
    files: [],
    isFull: () => matches.length >= maxResults,
    read(runs, run, { ints, textAt }) {
      const matchCount = runs[run + FOUND.written] ?? 0
      let [at, place] = [runs[run + FOUND.ints] ?? 0, runs[run + FOUND.bytes] ?? 0]
      const text = (): string => {
        const length = ints[at++] ?? 0
        place += length
        return textAt(place - length, place)
      }
      const texts = (): string[] => {
        const textList: string[] = []
        for (let count = ints[at++] ?? 0; count > 0; count--) textList.push(text())
        return textList
      }
      for (let match = 0; match < matchCount && matches.length < maxResults; match++) {
        const [path, line] = [pathOf(ints[at++] ?? 0), ints[at++] ?? 0]
        const matchText = text()
        const one = hasContext
          ? { path, line, text: matchText, context: { before: texts(), after: texts() } }
          : { path, line, text: matchText }
        if (skipCount++ >= skip) matches.push(one)
      }
    },
  }
}
