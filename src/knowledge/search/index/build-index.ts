import type { TreeFile } from '../../tree/tree.ts'
import type { Intake, Packed, Taken } from './messages.ts'
import type { PathTable } from './path-table.ts'
import type { SegmentCache } from './segment-cache.ts'
import type { SegmentStore } from './segment-store.ts'
import type { BuilderThread } from './threads.ts'

/** Bytes of one segment: small enough to rebuild quickly, large enough to keep segments few. */
const LARGEST_SEGMENT = 32 * 1024 * 1024
const SMALLEST_SEGMENT = 1024 * 1024

interface Building {
  readonly files: readonly TreeFile[]
  readonly book: PathTable
  readonly store: SegmentStore
  readonly builders: readonly BuilderThread[]
  readonly memoryBytes: number
  readonly nextId: () => number
  readonly cache: Pick<SegmentCache, 'newFile' | 'took'>
  /** Files whose contents are not stored; they get segments of their own. */
  readonly isDenied: (path: string) => boolean
}

/**
 * Reads files known to the path table into new segments, in path order, with all threads. Returns the files that did
 * not fit.
 */
export async function buildIndex({
  files,
  book,
  store,
  builders,
  memoryBytes,
  nextId,
  cache,
  isDenied,
}: Building): Promise<readonly Intake[]> {
  const ranks = book.ranks()
  const rankedFiles = files.map(file => ({ file, rank: ranks[book.idOf(file.path)] ?? 0 }))
  const sortedFiles = rankedFiles.toSorted((one, other) => one.rank - other.rank).map(({ file }) => file)
  const { stored = [], unstored = [] } = Object.groupBy(sortedFiles, ({ path }) =>
    isDenied(path) ? 'unstored' : 'stored',
  )
  const parts = [
    ...partsOf(stored, builders.length).map(part => ({ part, isStored: true })),
    ...partsOf(unstored, builders.length).map(part => ({ part, isStored: false })),
  ]
  const notPacked: Intake[] = []
  let promisedBytes = 0
  const work = async (builder: BuilderThread): Promise<void> => {
    for (let next = parts.shift(); next; next = parts.shift()) {
      const { part, isStored } = next
      const textBytes = part.reduce((sum, { size }) => sum + size + 1, 64)
      const { stored: onDisk, all } = store.bytes()
      // Postings take about half as much again.
      const holdsText = onDisk + all + promisedBytes + textBytes * 1.5 <= memoryBytes
      const file = holdsText && isStored ? cache.newFile() : undefined
      if (holdsText) promisedBytes += textBytes * 1.5
      const intakes = part.map(({ path, stamp }) => ({ pathId: book.idOf(path), path, stamp }))
      const segmentId = nextId()
      const pack = await builder.ask<Packed>({ type: 'pack', segmentId, intakes, textBytes, holdsText, file })
      if (holdsText) promisedBytes -= textBytes * 1.5
      const segmentEntry = store.adopt({ ...pack, taken: pack.taken.map(sameTexts(intakes)) })
      if (pack.place) cache.took(segmentEntry, pack.place)
      notPacked.push(...pack.left)
    }
  }
  await Promise.all(builders.map(work))
  return notPacked
}

/** Keeps the texts of the file list instead of those that another thread sent back. */
function sameTexts(intakes: readonly Intake[]): (taken: Taken) => Taken {
  const intakesById = new Map(intakes.map(intake => [intake.pathId, intake]))
  return taken => ({ ...taken, ...intakesById.get(taken.pathId) })
}

function partsOf(files: readonly TreeFile[], threads: number): TreeFile[][] {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const most = Math.min(LARGEST_SEGMENT, Math.max(SMALLEST_SEGMENT, total / (threads * 2)))
  const parts: TreeFile[][] = []
  let bytesLeft = 0
  for (const file of files) {
    if (bytesLeft <= 0) {
      parts.push([])
      bytesLeft = most
    }
    parts.at(-1)?.push(file)
    bytesLeft -= file.size
  }
  return parts
}
