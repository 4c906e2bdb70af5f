import { closeSync, rmSync } from 'node:fs'
import { makeCacheDirectory } from '../../../machine/state/cache-directory.ts'
import { cacheGrew } from '../../../machine/upkeep/growth.ts'
import type { TreeFile } from '../../tree/tree.ts'
import { removeLeftovers, segmentFile, storedSegments, type StoredPlace } from '../stored/stored-place.ts'
import { segmentBytes, type Segment } from './segment.ts'
import type { TextPlace } from './messages.ts'
import type { PathTable } from './path-table.ts'
import type { StoredSegment } from './segment-file.ts'
import type { HeldSegment, SegmentStore } from './segment-store.ts'
import { openText } from './segment-texts.ts'
import type { BuilderThread } from './threads.ts'

/** Segments on disk, one file each, so that a restart reads only changed files. */
export interface SegmentCache {
  /** Loads stored contents of these files. Returns the files that must be read. */
  load(files: readonly TreeFile[]): Promise<readonly TreeFile[]>
  /** Returns the name of a new file for a segment. Undefined if segments are not stored. */
  newFile(): string | undefined
  /** Notes that a segment was stored. From then on its text is read from there. */
  took(held: HeldSegment, place: TextPlace): void
  /** Removes a segment, also from disk. */
  drop(id: number): void
  /** Stores segments not stored yet. A failure leaves the cache unchanged. */
  saveInBackground(): Promise<void>
  /** Also stores the segment that is still open. */
  saveAll(): Promise<void>
  /** Closes all files. */
  close(): void
}

interface CacheParts {
  readonly place: StoredPlace | undefined
  readonly builders: readonly BuilderThread[]
  readonly store: SegmentStore
  readonly book: PathTable
  readonly nextId: () => number
  readonly isDenied: (path: string) => boolean
  /** Hands the segments to the searchers, after texts have been stored in the background. */
  readonly attach: () => void
}

/** A stored segment with a smaller live share is rebuilt from its files. */
const LEAST_ALIVE = 0.3
const FEW_FILES = 6

export function segmentCache(parts: CacheParts): SegmentCache {
  const { place: storedPlace, builders, store, nextId, isDenied, attach } = parts
  if (storedPlace === undefined)
    return {
      newFile: () => undefined,
      took: () => undefined,
      close: () => undefined,
      drop: store.drop,
      load: async files => files,
      saveInBackground: async () => undefined,
      saveAll: async () => undefined,
    }
  const { directory } = storedPlace
  let nextFile = 1
  let saving: Promise<void> | undefined

  const isAnyDenied = (taken: StoredSegment['taken']): boolean => taken.some(({ path }) => isDenied(path))
  const newFile = (): string => segmentFile(storedPlace, nextFile++)
  const took = (one: HeldSegment, place: TextPlace): void => {
    // A rule may have been added meanwhile.
    if (isAnyDenied(one.taken)) return rmSync(place.file, { force: true })
    one.file = place.file
    cacheGrew(directory, place.start + place.bytes)
    const text = openText(place)
    if (text) store.replace({ ...one.segment, text: undefined, stored: text })
  }
  const save = async (one: HeldSegment): Promise<void> => {
    const { segment, taken, textBytes } = one
    const place = await builders[0]?.ask<TextPlace>({ type: 'save', file: newFile(), segment, taken, textBytes })
    if (place && store.held.get(segment.id) === one) took(one, place)
    else if (place) rmSync(place.file, { force: true })
  }

  const saveSealed = async (): Promise<void> => {
    const unsavedSegments = [...store.held.values()].filter(
      one => one.segment.postings && one.file === undefined && !isAnyDenied(one.taken),
    )
    if (unsavedSegments.length > 0 && makeCacheDirectory(directory)) {
      for (const one of unsavedSegments) await save(one)
      attach()
    }
    await Promise.all(builders.filter(one => one.isStarted()).map(builder => builder.ask({ type: 'rest' })))
  }

  return {
    async load(files) {
      const numbers = storedSegments(storedPlace)
      nextFile = (numbers[0] ?? 0) + 1
      const missing = new Map(files.map(file => [file.path, file]))
      const waiting = numbers.map((number, at) => {
        const file = segmentFile(storedPlace, number)
        // Reading a few takes less time than starting another thread.
        const builder = builders[numbers.length > FEW_FILES ? at % builders.length : 0]
        return {
          file,
          reading: builder?.ask<StoredSegment | undefined>({ type: 'load', file, segmentId: nextId() }),
        }
      })
      for (const { file, reading } of waiting) {
        const read = await reading
        if (read && !isAnyDenied(read.taken)) takeOver(parts, read, file, missing)
        else rmSync(file, { force: true })
        // Lets other work run, even if all were read at the same time.
        await new Promise(resolve => setImmediate(resolve))
      }
      removeLeftovers(storedPlace, Date.now())
      return [...missing.values()]
    },
    newFile: () => (makeCacheDirectory(directory) ? newFile() : undefined),
    took,
    drop(id) {
      const { file, segment } = store.held.get(id) ?? {}
      store.drop(id)
      if (segment?.stored) closeSync(segment.stored.fd)
      if (file !== undefined) rmSync(file, { force: true })
    },
    saveInBackground() {
      saving ??= saveSealed()
        .catch(() => undefined)
        .finally(() => (saving = undefined))
      return saving
    },
    async saveAll() {
      await saving
      for (const one of store.held.values()) {
        if (one.segment.postings || !builders[0]) continue
        const { segment, textBytes } = one
        store.replace(await builders[0].ask<Segment>({ type: 'seal', segment, textBytes }))
      }
      await saveSealed()
    },
    close() {
      for (const { segment } of store.held.values()) if (segment.stored) closeSync(segment.stored.fd)
      store.held.clear()
    },
  }
}

/** Newest first: the first segment that has a file in its current state keeps it. */
function takeOver(
  { store, book }: Pick<CacheParts, 'store' | 'book'>,
  stored: StoredSegment,
  file: string,
  missing: Map<string, TreeFile>,
): void {
  const { taken, textBytes, place } = stored
  // Texts of the file list where it has the same.
  const currentFiles = taken.map(each => {
    const { path, stamp } = missing.get(each.path) ?? each
    return stamp === each.stamp ? { ...each, path, stamp } : each
  })
  const alive: number[] = []
  for (const [at, { isSettled, path, stamp }] of taken.entries())
    if (isSettled && missing.get(path)?.stamp === stamp) alive.push(at)
  if (alive.length === 0 || alive.length < taken.length * LEAST_ALIVE) return rmSync(file, { force: true })
  const text = place && openText(place)
  if (place && !text) return
  const segment = { ...stored.segment, stored: text }
  const bytes = segmentBytes(segment, textBytes)
  const adoptedSegment: HeldSegment = { segment, taken: currentFiles, textBytes, liveBytes: 0, bytes, file }
  store.held.set(segment.id, adoptedSegment)
  for (const at of alive) {
    const path = taken[at]?.path ?? ''
    store.revive(adoptedSegment, at, book.idOf(path))
    missing.delete(path)
  }
}
