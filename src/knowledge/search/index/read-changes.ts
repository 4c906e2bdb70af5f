import type { TreeFile } from '../../tree/tree.ts'
import type { SegmentBuilder } from './build-segments.ts'
import type { Intake, Packed } from './messages.ts'
import type { PathTable } from './path-table.ts'
import type { Segment } from './segment.ts'
import type { SegmentStore } from './segment-store.ts'
import { spill } from './spill.ts'
import type { BuilderThread } from './threads.ts'

/** Reads changed files into open segments until those are full. */
interface ChangeReader {
  /**
   * Updates these files to their current contents: with all threads if a caller waits, else with one. If they are few,
   * this thread reads them and there is nothing to wait for.
   */
  read(batch: readonly TreeFile[], isAwaited: boolean): Promise<void> | undefined
  /** Reports whether there are full segments. */
  isFull(): boolean
  /** Gives full segments their postings. */
  seal(): Promise<void>
}

export interface ChangeReaderParts {
  /** Reports whether the workspace still has the file. */
  readonly isListed: (path: string) => boolean
  readonly book: PathTable
  readonly store: SegmentStore
  /** The last one builds postings while the others continue to read. */
  readonly builders: readonly BuilderThread[]
  /** Reads a few small files in this thread, which is faster than asking another. */
  readonly here: Pick<SegmentBuilder, 'put'>
  readonly memoryBytes: number
  /** Reserves this many segment ids and returns the first. */
  readonly takeIds: (count: number) => number
  /** Called when the set of segments changes. */
  readonly onSegments: () => void
}

/** Most files and bytes read in this thread. */
const [LITTLE_FILES, LITTLE_BYTES] = [4, 256 * 1024]
/** Files per batch: a thread that finishes takes the next batch. */
const FILES_EACH = 64
/** Size of a segment for changed files. Three are open, and together take a small share of the memory limit. */
const [OPEN_BYTES, OPEN_SHARE] = [8 * 1024 * 1024, 24]
const LEAST_OPEN_BYTES = 256 * 1024

type Who = BuilderThread | 'here'

export function changeReader(parts: ChangeReaderParts): ChangeReader {
  const { isListed, book, store, builders, here, memoryBytes, takeIds, onSegments } = parts
  const openBytes = Math.min(
    OPEN_BYTES,
    Math.max(LEAST_OPEN_BYTES, 2 ** Math.floor(Math.log2(memoryBytes / OPEN_SHARE))),
  )
  /** The open segment of each reader, and the full segments. */
  const open = new Map<Who, number>()
  const full = new Set<number>()

  /** Adopts all changes at once and notifies the searchers, so that no request sees a part. */
  function adopt(read: ReadonlyMap<Who, readonly Packed[]>, ranks: Float64Array): void {
    let isNew = book.ranks() !== ranks
    for (const [who, packs] of read)
      for (const pack of packs) {
        const [id, before] = [pack.segment.id, open.get(who)]
        isNew ||= !store.held.has(id)
        store.adopt(pack)
        for (const { pathId, path } of pack.taken) if (!isListed(path)) store.remove(pathId)
        for (const { pathId } of pack.missing) store.remove(pathId)
        if (before === id) continue
        if (before !== undefined) full.add(before)
        open.set(who, id)
      }
    if (spill(store, memoryBytes) || isNew) onSegments()
  }

  async function readThere(
    intakes: readonly Intake[],
    isAwaited: boolean,
  ): Promise<ReadonlyMap<Who, readonly Packed[]>> {
    const read = new Map<Who, readonly Packed[]>()
    let next = 0
    const work = async (builder: BuilderThread): Promise<void> => {
      while (next < intakes.length) {
        const some = intakes.slice(next, (next += FILES_EACH))
        const segmentId = takeIds(some.length + 1)
        const packs = await builder.ask<readonly Packed[]>({ type: 'put', segmentId, intakes: some, openBytes })
        read.set(builder, [...(read.get(builder) ?? []), ...packs])
      }
    }
    // Starting a thread takes longer than letting another read them.
    const ready = builders.filter((builder, at) => at === 0 || (isAwaited && builder.isStarted()))
    await Promise.all(ready.map(work))
    return read
  }

  return {
    read(batch, isAwaited) {
      const ranks = book.ranks()
      if (batch.length > FILES_EACH) book.addAll(batch.map(({ path }) => path))
      const intakes = batch.map(({ path, stamp }) => ({ pathId: book.idOf(path), path, stamp }))
      if (!isLittle(batch)) return readThere(intakes, isAwaited).then(read => adopt(read, ranks))
      adopt(new Map([['here', here.put(takeIds(batch.length + 1), intakes, openBytes)]]), ranks)
      return undefined
    },
    isFull: () => full.size > 0,
    async seal() {
      const sealer = builders.at(-1)
      const fullSegments = [...full].map(id => store.held.get(id)).filter(one => one !== undefined)
      full.clear()
      if (!sealer) return
      const sealedSegments = await Promise.all(
        fullSegments.map(({ segment, textBytes }) => sealer.ask<Segment>({ type: 'seal', segment, textBytes })),
      )
      for (const segment of sealedSegments) store.replace(segment)
      spill(store, memoryBytes)
    },
  }
}

function isLittle(batch: readonly TreeFile[]): boolean {
  return batch.length <= LITTLE_FILES && batch.reduce((sum, { size }) => sum + size, 0) <= LITTLE_BYTES
}
