import { FILE_FIELDS, KIND, type Segment } from './segment.ts'

/** Counts the selected files of some segments; with `textOnly`, without binary files. */
export function countFiles(
  segments: Iterable<Segment>,
  mask: Uint8Array | undefined,
  textOnly: boolean | undefined,
): number {
  let count = 0
  for (const { live, pathIds, counts, files } of segments)
    for (let file = 0; file < (counts[0] ?? 0); file++) {
      if (live[file] !== 1 || (mask !== undefined && mask[pathIds[file] as number] !== 1)) continue
      if (!textOnly || !BINARY.has(files[file * FILE_FIELDS + 2])) count++
    }
  return count
}

const BINARY: ReadonlySet<number | undefined> = new Set([KIND.binary, KIND.lateBinary])
