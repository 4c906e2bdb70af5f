import type { GrepMatch } from '../types.ts'
import { FOUND, type WrittenRun } from './found-lines.ts'
import { textsOf } from './texts-of.ts'

/** Matches in the form in which they were found, which passes between processes without parsing. */
export interface PackedLines {
  readonly paths: readonly string[]
  /** The number of matches, and whether each has context lines. */
  readonly count: number
  readonly hasContext: boolean
  /** Integers for each match: place of its path, line, and the lengths of its text and context lines. */
  readonly ints: number
  /** The integers, then the texts. */
  readonly bytes: Buffer
}

/** Packs the first matches of these runs, which are in order. */
export function packLines(
  runs: readonly WrittenRun[],
  { most, hasContext, pathOf }: { most: number; hasContext: boolean; pathOf: (id: number) => string },
): PackedLines {
  const paths: string[] = []
  const places = new Map<number, number>()
  const ints: number[] = []
  const texts: Uint8Array[] = []
  let count = 0
  for (const { found, at: run } of runs) {
    const [from, matchCount] = [found.runs[run + FOUND.bytes] ?? 0, found.runs[run + FOUND.written] ?? 0]
    let [at, end] = [found.runs[run + FOUND.ints] ?? 0, from]
    const copyLength = (): void => {
      const length = found.ints[at++] ?? 0
      end += length
      ints.push(length)
    }
    const copyLengths = (): void => {
      const lines = found.ints[at++] ?? 0
      ints.push(lines)
      for (let line = 0; line < lines; line++) copyLength()
    }
    for (let match = 0; match < matchCount && count < most; match++, count++) {
      const id = found.ints[at++] ?? 0
      let place = places.get(id)
      if (place === undefined) places.set(id, (place = paths.push(pathOf(id)) - 1))
      ints.push(place, found.ints[at++] ?? 0)
      copyLength()
      if (!hasContext) continue
      copyLengths()
      copyLengths()
    }
    texts.push(found.bytes.subarray(from, end))
    if (count >= most) break
  }
  const head = Buffer.from(Int32Array.from(ints).buffer)
  return { paths, count, hasContext, ints: ints.length, bytes: Buffer.concat([head, ...texts]) }
}

/** Returns the path and line of each match. */
export function placesIn({
  paths,
  count,
  hasContext,
  ints: length,
  bytes,
}: PackedLines): { path: string; line: number }[] {
  const ints = new Int32Array(new Uint8Array(bytes.subarray(0, length * 4)).buffer)
  let at = 0
  const passTexts = (): void => {
    at += 1 + (ints[at] ?? 0)
  }
  return Array.from({ length: count }, () => {
    const place = { path: paths[ints[at] ?? 0] ?? '', line: ints[at + 1] ?? 0 }
    at += 3
    if (hasContext) passTexts()
    if (hasContext) passTexts()
    return place
  })
}

/** Returns the matches that were packed, with their names if there are any. */
export function unpackLines(
  { paths, count, hasContext, ints: length, bytes }: PackedLines,
  names: readonly (string | null | undefined)[] = [],
): readonly GrepMatch[] {
  // A copy, because integers must begin at a multiple of their size.
  const ints = new Int32Array(new Uint8Array(bytes.subarray(0, length * 4)).buffer)
  const textAt = textsOf(bytes.subarray(length * 4))
  let [at, place] = [0, 0]
  const text = (): string => {
    const from = place
    place += ints[at++] ?? 0
    return textAt(from, place)
  }
  const texts = (): string[] => Array.from({ length: ints[at++] ?? 0 }, text)
  return Array.from({ length: count }, (_, index) => {
    const [path, line, name] = [paths[ints[at++] ?? 0] ?? '', ints[at++] ?? 0, names[index] ?? undefined]
    const match = name === undefined ? { path, line, text: text() } : { path, line, text: text(), name }
    return hasContext ? { ...match, context: { before: texts(), after: texts() } } : match
  })
}
