import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeCacheDirectory } from '../../../machine/state/cache-directory.ts'
import { cacheGrew } from '../../../machine/upkeep/growth.ts'
import type { TreeFile } from '../../tree/tree.ts'
import { segmentBytes, type Segment } from './segment.ts'
import type { PathTable } from './path-table.ts'
import type { StoredSegment } from './segment-file.ts'
import type { HeldSegment, SegmentStore } from './segment-store.ts'
import type { BuilderThread } from './threads.ts'

/** Segments on disk, one file each, so that a restart reads only changed files. */
export interface SegmentCache {
  /** Loads stored contents of these files. Returns the files that must be read. */
  load(files: readonly TreeFile[]): Promise<readonly TreeFile[]>
  /** Removes a segment, also from disk. */
  drop(id: number): void
  /** Stores segments not stored yet. A failure leaves the cache unchanged. */
  saveInBackground(): Promise<void>
  /** Also stores the segment that is still open. */
  saveAll(): Promise<void>
}

interface CacheParts {
  readonly directory: string | undefined
  readonly builders: readonly BuilderThread[]
  readonly store: SegmentStore
  readonly book: PathTable
  readonly memoryBytes: number
  readonly nextId: () => number
  readonly isDenied: (path: string) => boolean
}

const NAME = /^(\d{10})\.segment$/
/** A stored segment with a smaller live share is rebuilt from its files. */
const LEAST_ALIVE = 0.3
const FEW_FILES = 6

export function segmentCache(parts: CacheParts): SegmentCache {
  const { directory, builders, store, memoryBytes, nextId, isDenied } = parts
  if (directory === undefined)
    return {
      drop: store.drop,
      load: async files => files,
      saveInBackground: async () => undefined,
      saveAll: async () => undefined,
    }
  let nextFile = 1
  let saving: Promise<void> | undefined

  const isAnyDenied = (taken: StoredSegment['taken']): boolean => taken.some(({ path }) => isDenied(path))
  const save = async (one: HeldSegment): Promise<void> => {
    if (isAnyDenied(one.taken)) return
    const file = join(directory, `${String(nextFile++).padStart(10, '0')}.segment`)
    const [builder] = builders
    const { segment, taken, textBytes } = one
    one.file = file
    await builder?.ask({ type: 'save', file, segment, taken, textBytes })
    // A rule may have been added meanwhile.
    if (isAnyDenied(taken)) rmSync(file, { force: true })
    cacheGrew(directory, statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  }

  const saveSealed = async (): Promise<void> => {
    if (makeCacheDirectory(directory))
      for (const one of store.held.values()) if (one.segment.postings && one.file === undefined) await save(one)
    await Promise.all(builders.filter(one => one.isStarted()).map(builder => builder.ask({ type: 'rest' })))
  }

  return {
    async load(files) {
      const names = fileNames(directory)
      nextFile = Number(NAME.exec(names[0] ?? '')?.[1] ?? 0) + 1
      const missing = new Map(files.map(file => [file.path, file]))
      let promised = 0
      const waiting = names.map((name, at) => {
        const file = join(directory, name)
        promised += statSync(file, { throwIfNoEntry: false })?.size ?? 0
        const holdsText = promised <= memoryBytes
        // Reading a few takes less time than starting another thread.
        const builder = builders[names.length > FEW_FILES ? at % builders.length : 0]
        return {
          file,
          stored: builder?.ask<StoredSegment | undefined>({ type: 'load', file, segmentId: nextId(), holdsText }),
        }
      })
      for (const { file, stored } of waiting) {
        const read = await stored
        if (read && !isAnyDenied(read.taken)) takeOver(parts, read, file, missing)
        else rmSync(file, { force: true })
        // Lets other work run, even if all were read at the same time.
        await new Promise(resolve => setImmediate(resolve))
      }
      return [...missing.values()]
    },
    drop(id) {
      const file = store.held.get(id)?.file
      store.drop(id)
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
  }
}

function fileNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter(name => NAME.test(name))
      .toSorted()
      .toReversed()
  } catch {
    return []
  }
}

/** Newest first: the first segment that has a file in its current state keeps it. */
function takeOver(
  { store, book }: Pick<CacheParts, 'store' | 'book'>,
  stored: StoredSegment,
  file: string,
  missing: Map<string, TreeFile>,
): void {
  const { segment, taken, textBytes } = stored
  const bytes = segmentBytes(segment, textBytes)
  // Texts of the file list where it has the same.
  const known = taken.map(each => {
    const { path, stamp } = missing.get(each.path) ?? each
    return stamp === each.stamp ? { ...each, path, stamp } : each
  })
  const held: HeldSegment = { segment, taken: known, textBytes, liveBytes: 0, bytes, file }
  const alive: number[] = []
  for (const [at, { isSettled, path, stamp }] of taken.entries())
    if (isSettled && missing.get(path)?.stamp === stamp) alive.push(at)
  if (alive.length === 0 || alive.length < taken.length * LEAST_ALIVE) return rmSync(file, { force: true })
  store.held.set(segment.id, held)
  for (const at of alive) {
    const path = taken[at]?.path ?? ''
    store.revive(held, at, book.idOf(path))
    missing.delete(path)
  }
}
