import type { Tree, TreeFile } from '../../index/tree/tree.ts'
import type { Packed } from './messages.ts'
import type { SegmentKeeper } from './keep-segments.ts'
import type { PathBook } from './path-book.ts'
import type { SegmentCache } from './segment-cache.ts'
import type { Segment } from './segment.ts'
import type { SegmentStore } from './segment-store.ts'
import { spill } from './spill.ts'
import type { KeeperThread } from './threads.ts'

export interface IndexChanges {
  /** Files as they are now; from here on changes are noted. */
  begin(): readonly TreeFile[]
  /** These have to be read again. */
  note(paths: readonly string[]): void
  /** Takes out those of these that went while they were being read. */
  forget(paths: readonly string[]): void
  /**
   * Brings in what is noted, but for a few large files whose paths it gives: each is searched by itself in less time.
   * Undefined where it is too much to wait for, and is done in the background.
   */
  apply(): Promise<readonly string[] | undefined>
  pending(): number
  close(): void
}

interface ChangeParts {
  readonly tree: Tree
  readonly book: PathBook
  readonly store: SegmentStore
  readonly keeper: KeeperThread
  /** Takes a few small files in this thread, in less time than it takes to ask another. */
  readonly here: Pick<SegmentKeeper, 'put'>
  /** Makes postings while the other goes on reading. */
  readonly sealer: KeeperThread
  readonly memoryBytes: number
  /** So many numbers for segments, of which it returns the first. */
  readonly takeIds: (count: number) => number
  readonly onRead: (files: number) => void
  /** There are other segments than before. */
  readonly onSegments: () => void
  readonly cache: SegmentCache
}

/** More files, or more bytes, than these are read in the background. */
const MOST_FILES = 300
const MOST_BYTES = 8 * 1024 * 1024
/** It takes longer to read a file of this size in than to search it; one that changes all the time is not read at all. */
const [LARGE_BYTES, MOST_LARGE, LARGE_IDLE_MS] = [2 * 1024 * 1024, 4, 2_000]
const AT_ONCE = 500
/** No more than these are read in this thread. */
const [LITTLE_FILES, LITTLE_BYTES] = [4, 256 * 1024]
const LEAST_ALIVE = 0.3
/** Room of a segment that changed files are put into; of which two are open, and take a small part of what may be held. */
const [OPEN_BYTES, OPEN_SHARE] = [8 * 1024 * 1024, 16]
const LEAST_OPEN_BYTES = 256 * 1024
/** Changes that nobody asks about are read after this. */
const IDLE_MS = 200

/** Notes what the tree tells and reads it before the next answer. */
export function indexChanges({
  tree,
  book,
  store,
  keeper,
  here,
  sealer,
  memoryBytes,
  takeIds,
  onRead,
  onSegments,
  cache,
}: ChangeParts): IndexChanges {
  const openBytes = Math.min(
    OPEN_BYTES,
    Math.max(LEAST_OPEN_BYTES, 2 ** Math.floor(Math.log2(memoryBytes / OPEN_SHARE))),
  )
  const put = new Map<string, TreeFile>()
  /** Files that are not as they were read, and that nobody reads in until they stay as they are for a while. */
  const large = new Map<string, TreeFile>()
  let quiet: NodeJS.Timeout | undefined
  let isNoting = false
  let isClosed = false
  let isBroken = false
  let running: Promise<void> | undefined
  let reading = 0
  let idle: NodeJS.Timeout | undefined
  /** The segments that the two still put files into. */
  const open: { here?: number | undefined; there?: number | undefined } = {}
  const stop = tree.onChange(change => {
    if (!isNoting) return
    for (const path of change.gone) {
      put.delete(path)
      large.delete(path)
      const id = book.known(path)
      if (id !== undefined) store.remove(id)
    }
    for (const file of change.put) take(file)
    if (put.size > 0 && !isClosed) idle ??= setTimeout(() => void run(), IDLE_MS).unref()
  })

  const take = (file: TreeFile): void => {
    const isLarge = file.size >= LARGE_BYTES
    const [to, from] = isLarge ? [large, put] : [put, large]
    from.delete(file.path)
    to.set(file.path, file)
    if (!isLarge) return
    clearTimeout(quiet)
    if (!isClosed) quiet = setTimeout(readLarge, LARGE_IDLE_MS).unref()
  }

  const readLarge = (): void => {
    clearTimeout(quiet)
    for (const file of large.values()) put.set(file.path, file)
    large.clear()
    if (put.size > 0) void run()
  }

  const run = (): Promise<void> => {
    clearTimeout(idle)
    idle = undefined
    running ??= work()
      // A thread that is gone cannot be asked again: from now on files are scanned.
      .catch(() => void (isBroken = true))
      .finally(() => (running = undefined))
    return running
  }

  async function work(): Promise<void> {
    while (put.size > 0) {
      if (isClosed || isBroken) return
      const batch = [...put.values()].slice(0, AT_ONCE)
      for (const { path } of batch) put.delete(path)
      reading = batch.length
      const ranks = book.ranks()
      if (batch.length > 64) book.addAll(batch.map(({ path }) => path))
      const intakes = batch.map(({ path, stamp }) => ({ pathId: book.idOf(path), path, stamp }))
      const segmentId = takeIds(batch.length + 1)
      const where = isLittle(batch) ? 'here' : 'there'
      const packs =
        where === 'here'
          ? here.put(segmentId, intakes, openBytes)
          : await keeper.ask<readonly Packed[]>({ type: 'put', segmentId, intakes, openBytes })
      reading = 0
      onRead(batch.length)
      let isNew = book.ranks() !== ranks
      for (const packed of packs) {
        isNew ||= !store.held.has(packed.segment.id)
        adopt(packed)
      }
      if (spill(store, memoryBytes) || isNew) onSegments()
      const last = packs.at(-1)?.segment.id ?? open[where]
      const over = new Set([open[where], ...packs.map(({ segment }) => segment.id)])
      open[where] = last
      for (const id of over) if (id !== undefined && id !== last) seal(id).catch(() => undefined)
    }
  }

  /** What changed or went while it was being read is not taken back. */
  function adopt(packed: Packed): void {
    store.adopt(packed)
    for (const { pathId, path } of [...packed.taken, ...packed.missing])
      if (!tree.files().has(path)) store.remove(pathId)
    for (const { pathId } of packed.missing) store.remove(pathId)
  }

  function note(paths: readonly string[]): void {
    for (const path of paths) {
      const file = large.has(path) ? undefined : tree.files().get(path)
      if (file) put.set(path, file)
    }
  }

  async function seal(id: number): Promise<void> {
    const full = store.held.get(id)
    if (!full) return
    const { segment, textBytes } = full
    const sealed = await sealer.ask<Segment>({ type: 'seal', segment, textBytes })
    store.replace(sealed)
    spill(store, memoryBytes)
    clear()
    onSegments()
    await cache.saveInBackground()
  }

  /** Segments that are mostly dead give up what is alive in them, and go once nothing is. */
  function clear(): void {
    for (const [id, { segment, taken, textBytes, liveBytes }] of store.held) {
      if (!segment.postings || textBytes > MOST_BYTES) continue
      const alive = taken.filter((_, file) => segment.live[file] === 1)
      if (alive.length === 0) cache.drop(id)
      else if (liveBytes < textBytes * LEAST_ALIVE) note(alive.map(({ path }) => path))
    }
  }

  return {
    begin() {
      isNoting = true
      return [...tree.files().values()]
    },
    note,
    forget(paths) {
      for (const path of paths) {
        const id = tree.files().has(path) ? undefined : book.known(path)
        if (id !== undefined) store.remove(id)
      }
    },
    async apply() {
      if (isBroken) return undefined
      if (large.size > MOST_LARGE) readLarge()
      const bytes = put.size > MOST_FILES ? 0 : sizeOf(put)
      if (put.size + reading > MOST_FILES || bytes > MOST_BYTES) {
        void run()
        return undefined
      }
      for (;;) {
        if (isBroken) return undefined
        if (!running && put.size === 0) return [...large.keys()]
        await run()
      }
    },
    pending: () => put.size + large.size + reading,
    close() {
      isClosed = true
      clearTimeout(idle)
      clearTimeout(quiet)
      stop()
    },
  }
}

function isLittle(batch: readonly TreeFile[]): boolean {
  return batch.length <= LITTLE_FILES && batch.reduce((sum, { size }) => sum + size, 0) <= LITTLE_BYTES
}

function sizeOf(files: ReadonlyMap<string, TreeFile>): number {
  let bytes = 0
  for (const { size } of files.values()) bytes += size
  return bytes
}
