import { oncePer } from '../../../kernel/once.ts'
import type { GrepMatch, Grepped, GrepOptions } from '../types.ts'
import type { FoundLines, FoundRun } from './found-lines.ts'
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
  const runs = inOrder(parts)
  const { total, filesFound } = summed(runs.map(({ run }) => run))
  if (packs && only === undefined && skip === 0) {
    const packed = packLines(runs, { most: maxResults, hasContext: before + after > 0, pathOf })
    return { matches: [], packed, total, filesFound }
  }
  const reader = only === undefined ? matchReader(before + after > 0, pathOf, skip, maxResults) : fileReader(pathOf)
  let done = 0
  const partOf = oncePer(({ ints, bytes }: FoundLines): Part => ({ ints, textAt: textsOf(bytes) }))
  for (const { run, found } of runs) {
    if (reader.isFull()) break
    reader.read(run, partOf(found))
    done += run.written
    if (done < AT_ONCE) continue
    done = 0
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

function inOrder(parts: readonly FoundLines[]): readonly { readonly run: FoundRun; readonly found: FoundLines }[] {
  const runs = parts.flatMap(found => found.runs.map(run => ({ run, found })))
  // Runs of one thread are in order.
  return parts.length > 1 ? runs.toSorted((one, other) => one.run.run - other.run.run) : runs
}

function summed(runs: readonly FoundRun[]): { total: number; filesFound: number } {
  let [total, filesFound, last] = [0, 0, -1]
  for (const run of runs) {
    total += run.total
    filesFound += run.files - (run.first === last ? 1 : 0)
    last = run.last
  }
  return { total, filesFound }
}

interface FoundReader {
  readonly matches: GrepMatch[]
  readonly files: { path: string; count: number }[]
  isFull(): boolean
  read(run: FoundRun, part: Part): void
}

function fileReader(pathOf: (id: number) => string): FoundReader {
  const files: { path: string; count: number }[] = []
  let last = -1
  return {
    matches: [],
    files,
    isFull: () => false,
    read({ ints: from, written }, { ints }) {
      for (let at = from; at < from + written * 2; at += 2) {
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
  let passed = 0
  return {
    matches,
    files: [],
    isFull: () => matches.length >= maxResults,
    read({ ints: from, bytes: start, written }, { ints, textAt }) {
      let [at, place] = [from, start]
      const text = (): string => {
        const length = ints[at++] ?? 0
        place += length
        return textAt(place - length, place)
      }
      const texts = (): string[] => {
        const made: string[] = []
        for (let count = ints[at++] ?? 0; count > 0; count--) made.push(text())
        return made
      }
      for (let match = 0; match < written && matches.length < maxResults; match++) {
        const [path, line] = [pathOf(ints[at++] ?? 0), ints[at++] ?? 0]
        const shown = text()
        const one = hasContext
          ? { path, line, text: shown, context: { before: texts(), after: texts() } }
          : { path, line, text: shown }
        if (passed++ >= skip) matches.push(one)
      }
    },
  }
}
