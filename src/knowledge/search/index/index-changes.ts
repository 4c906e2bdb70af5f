import type { Tree, TreeFile } from '../../tree/tree.ts'
import { changeReader, type ChangeReaderParts } from './read-changes.ts'
import type { SegmentCache } from './segment-cache.ts'

interface IndexChanges {
  /** Files as they are now; from here on changes are noted. */
  begin(): readonly TreeFile[]
  /** These have to be read again. */
  note(paths: readonly string[]): void
  /** Takes out those of these that went while they were being read. */
  forget(paths: readonly string[]): void
  /**
   * Brings in what is noted, but for a few large files whose paths it gives: each is searched by itself in less time.
   * Undefined if it is too much to wait for, and is done in the background.
   */
  apply(): Promise<readonly string[] | undefined>
  pending(): number
  close(): void
}

interface ChangeParts extends Omit<ChangeReaderParts, 'isListed'> {
  readonly tree: Tree
  readonly onRead: (files: number) => void
  readonly cache: SegmentCache
}

const MEGABYTE = 1024 * 1024
/** So much is read before an answer in any case, and more where a scan would look at so many files for each of them; the rest in the background. */
const [FEW, MOST, SCANNED_FOR_ONE] = [{ files: 300, bytes: 8 * MEGABYTE }, { files: 2_000, bytes: 16 * MEGABYTE }, 5]
/** It takes longer to read a file of this size in than to search it; one that changes all the time is not read at all. */
const [LARGE_BYTES, MOST_LARGE, LARGE_IDLE_MS] = [2 * MEGABYTE, 4, 2_000]
/** Files that are read together, by all threads where somebody waits for them; else by one, so that a scan gets on. */
const [AT_ONCE, IN_BACKGROUND] = [1_000, 250]
/** A segment of no more than this, of which less is alive, gives that up: so many files between two questions, so that none waits long. */
const [CLEARED_BYTES, LEAST_ALIVE, MOVED_AT_ONCE] = [8 * MEGABYTE, 0.3, 64]
/** Changes that nobody asks about are read after this. */
const IDLE_MS = 200

/** Notes what the tree tells and reads it before the next answer. */
export function indexChanges({ tree, onRead, cache, ...parts }: ChangeParts): IndexChanges {
  const { book, store, onSegments } = parts
  const reader = changeReader({ ...parts, isListed: path => tree.files().has(path) })
  const put = new Map<string, TreeFile>()
  /** Files that are not as they were read, and that nobody reads in until they stay as they are for a while. */
  const large = new Map<string, TreeFile>()
  /** Files that are as they were read, in a segment that shall go. */
  const moving = new Map<string, TreeFile>()
  let quiet: NodeJS.Timeout | undefined
  let isNoting = false
  let isClosed = false
  let isBroken = false
  let running: Promise<void> | undefined
  let [reading, awaiting] = [0, 0]
  let idle: NodeJS.Timeout | undefined
  const stop = tree.onChange(change => {
    if (!isNoting) return
    for (const path of change.gone) {
      for (const noted of [put, large, moving]) noted.delete(path)
      const id = book.known(path)
      if (id !== undefined) store.remove(id)
    }
    for (const file of change.put) take(file)
    if (put.size > 0) wake()
  })

  const take = (file: TreeFile): void => {
    const isLarge = file.size >= LARGE_BYTES
    const [to, from] = isLarge ? [large, put] : [put, large]
    from.delete(file.path)
    moving.delete(file.path)
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

  /** A question that comes first leaves it nothing to do: to let it pass takes less time than to take it back. */
  const wake = (): void => {
    if (!isClosed) idle ??= setTimeout(onIdle, IDLE_MS).unref()
  }

  const onIdle = (): void => {
    idle = undefined
    if (put.size + moving.size > 0) void run(true)
  }

  const run = (isIdle = false): Promise<void> => {
    running ??= work(isIdle)
      // A thread that is gone cannot be asked again: from now on files are scanned.
      .catch(() => void (isBroken = true))
      .finally(() => (running = undefined))
    return running
  }

  async function work(isIdle: boolean): Promise<void> {
    const isOver = (): boolean => isClosed || isBroken
    while (put.size > 0 && !isOver()) await read(put)
    if (isIdle && moving.size > 0 && !isOver()) await read(moving)
    if (moving.size > 0) wake()
    if (reader.isFull()) void seal().catch(() => undefined)
  }

  /** Some of these; where they are so few that nothing is to be waited for it is done once this returns. */
  async function read(from: Map<string, TreeFile>): Promise<void> {
    const isAwaited = awaiting > 0
    const batch = [...from.values()].slice(0, from === moving ? MOVED_AT_ONCE : isAwaited ? AT_ONCE : IN_BACKGROUND)
    for (const { path } of batch) from.delete(path)
    reading = batch.length
    const waiting = reader.read(batch, isAwaited)
    if (waiting) await waiting
    reading = 0
    onRead(batch.length)
  }

  function isTooMuch(): boolean {
    const files = put.size + reading
    const most = files * SCANNED_FOR_ONE > tree.files().size ? FEW : MOST
    return files > most.files || sizeOf(put) > most.bytes
  }

  async function seal(): Promise<void> {
    await reader.seal()
    clear()
    onSegments()
    await cache.saveInBackground()
  }

  /** Segments that are mostly dead give up what is alive in them, and go once nothing is. */
  function clear(): void {
    for (const [id, { segment, taken, textBytes, liveBytes }] of store.held) {
      if (!segment.postings || textBytes > CLEARED_BYTES) continue
      const alive = taken.filter((_, file) => segment.live[file] === 1)
      if (alive.length === 0) cache.drop(id)
      else if (liveBytes < textBytes * LEAST_ALIVE)
        for (const { path } of alive) {
          const file = put.has(path) || large.has(path) ? undefined : tree.files().get(path)
          if (file) moving.set(path, file)
        }
    }
    if (moving.size > 0) wake()
  }

  return {
    begin() {
      isNoting = true
      return [...tree.files().values()]
    },
    note(paths) {
      for (const path of paths) {
        const file = large.has(path) ? undefined : tree.files().get(path)
        if (file) put.set(path, file)
      }
    },
    forget(paths) {
      for (const path of paths) {
        const id = tree.files().has(path) ? undefined : book.known(path)
        if (id !== undefined) store.remove(id)
      }
    },
    async apply() {
      if (large.size > MOST_LARGE) readLarge()
      if (isTooMuch()) {
        void run()
        return undefined
      }
      awaiting++
      try {
        while (put.size + reading > 0) {
          if (isClosed || isBroken) return undefined
          const waiting = run()
          if (put.size + reading > 0) await waiting
        }
      } finally {
        awaiting--
      }
      return isBroken ? undefined : [...large.keys()]
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

function sizeOf(files: ReadonlyMap<string, TreeFile>): number {
  let bytes = 0
  for (const { size } of files.values()) bytes += size
  return bytes
}
