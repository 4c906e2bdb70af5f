import type { Tree, TreeChange, TreeFile } from '../../tree/tree.ts'
import { changeReader, type ChangeReaderParts } from './read-changes.ts'
import type { SegmentCache } from './segment-cache.ts'

interface IndexChanges {
  /** Returns the current files. Records changes from here on. */
  begin(): readonly TreeFile[]
  /** Marks these files to be read again. */
  note(paths: readonly string[]): void
  /** Removes those files that disappeared while they were being read. */
  forget(paths: readonly string[]): void
  /**
   * Reads the recorded changes, except a few large files: returns their paths, because each is faster to search
   * directly. Returns undefined if there is too much to wait for; the background reads it then.
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
/**
 * Limits for reading before an answer. The limit grows if a scan would look at this many files for each changed one;
 * the background reads the rest.
 */
const [FEW, MOST, SCANNED_FOR_ONE] = [{ files: 300, bytes: 8 * MEGABYTE }, { files: 2_000, bytes: 16 * MEGABYTE }, 5]
/** Indexing a file of this size takes longer than searching it. One that keeps changing is not indexed. */
const [LARGE_BYTES, MOST_LARGE, LARGE_IDLE_MS] = [2 * MEGABYTE, 4, 2_000]
/** Files read together: by all threads if a caller waits, else by one, so that scans can progress. */
const [AT_ONCE, IN_BACKGROUND] = [1_000, 250]
/**
 * A segment up to this size is vacated if less than this share is live. Moves only this many files between two
 * requests, so that none waits long.
 */
const [CLEARED_BYTES, LEAST_ALIVE, MOVED_AT_ONCE] = [8 * MEGABYTE, 0.3, 64]
/** Changes are read after this delay if no request comes. */
const IDLE_MS = 200

/** Records the tree's changes, and reads them before the next answer. */
export const indexChanges = (parts: ChangeParts): IndexChanges => new NotedChanges(parts)

class NotedChanges implements IndexChanges {
  readonly #parts: ChangeParts
  readonly #reader: ReturnType<typeof changeReader>
  readonly #put = new Map<string, TreeFile>()
  /** Files that changed since they were read. They are read again once they stop changing. */
  readonly #large = new Map<string, TreeFile>()
  /** Unchanged files in a segment that is being vacated. */
  readonly #moving = new Map<string, TreeFile>()
  #quiet: NodeJS.Timeout | undefined
  #isNoting = false
  #isClosed = false
  #isBroken = false
  #running: Promise<void> | undefined
  #reading = 0
  #awaiting = 0
  #idle: NodeJS.Timeout | undefined
  readonly #stop: () => void

  constructor(parts: ChangeParts) {
    const { tree } = parts
    this.#parts = parts
    this.#reader = changeReader({ ...parts, isListed: path => tree.files().has(path) })
    this.#stop = tree.onChange(change => this.#hear(change))
  }

  begin(): readonly TreeFile[] {
    this.#isNoting = true
    return [...this.#parts.tree.files().values()]
  }

  note(paths: readonly string[]): void {
    for (const path of paths) {
      const file = this.#large.has(path) ? undefined : this.#parts.tree.files().get(path)
      if (file) this.#put.set(path, file)
    }
  }

  forget(paths: readonly string[]): void {
    const { tree, book, store } = this.#parts
    for (const path of paths) {
      const id = tree.files().has(path) ? undefined : book.known(path)
      if (id !== undefined) store.remove(id)
    }
  }

  async apply(): Promise<readonly string[] | undefined> {
    if (this.#large.size > MOST_LARGE) this.#readLarge()
    if (this.#isTooMuch()) {
      void this.#run()
      return undefined
    }
    this.#awaiting++
    try {
      while (this.#put.size + this.#reading > 0) {
        if (this.#isOver()) return undefined
        const waiting = this.#run()
        if (this.#put.size + this.#reading > 0) await waiting
      }
    } finally {
      this.#awaiting--
    }
    return this.#isBroken ? undefined : [...this.#large.keys()]
  }

  pending(): number {
    return this.#put.size + this.#large.size + this.#reading
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#idle)
    clearTimeout(this.#quiet)
    this.#stop()
  }

  #hear(change: TreeChange): void {
    if (!this.#isNoting) return
    const { book, store } = this.#parts
    for (const path of change.gone) {
      for (const paths of [this.#put, this.#large, this.#moving]) paths.delete(path)
      const id = book.known(path)
      if (id !== undefined) store.remove(id)
    }
    for (const file of change.put) this.#take(file)
    if (this.#put.size > 0) this.#wake()
  }

  #take(file: TreeFile): void {
    const isLarge = file.size >= LARGE_BYTES
    const [to, from] = isLarge ? [this.#large, this.#put] : [this.#put, this.#large]
    from.delete(file.path)
    this.#moving.delete(file.path)
    to.set(file.path, file)
    if (!isLarge) return
    clearTimeout(this.#quiet)
    if (!this.#isClosed) this.#quiet = setTimeout(() => this.#readLarge(), LARGE_IDLE_MS).unref()
  }

  #readLarge(): void {
    clearTimeout(this.#quiet)
    for (const file of this.#large.values()) this.#put.set(file.path, file)
    this.#large.clear()
    if (this.#put.size > 0) void this.#run()
  }

  /** If a request comes first, nothing is left to do; letting the timer fire is cheaper than clearing it. */
  #wake(): void {
    if (!this.#isClosed) this.#idle ??= setTimeout(() => this.#onIdle(), IDLE_MS).unref()
  }

  #onIdle(): void {
    this.#idle = undefined
    if (this.#put.size + this.#moving.size > 0) void this.#run(true)
  }

  #run(isIdle = false): Promise<void> {
    this.#running ??= this.#work(isIdle)
      // A lost thread cannot be asked again, so files are scanned from now on.
      .catch(() => void (this.#isBroken = true))
      .finally(() => (this.#running = undefined))
    return this.#running
  }

  async #work(isIdle: boolean): Promise<void> {
    while (this.#put.size > 0 && !this.#isOver()) await this.#read(this.#put)
    if (isIdle && this.#moving.size > 0 && !this.#isOver()) await this.#read(this.#moving)
    if (this.#moving.size > 0) this.#wake()
    if (this.#reader.isFull()) void this.#seal().catch(() => undefined)
  }

  #isOver(): boolean {
    return this.#isClosed || this.#isBroken
  }

  /** Reads some of these. If they are few, they are read when this returns. */
  async #read(from: Map<string, TreeFile>): Promise<void> {
    const isAwaited = this.#awaiting > 0
    const most = from === this.#moving ? MOVED_AT_ONCE : isAwaited ? AT_ONCE : IN_BACKGROUND
    const batch = [...from.values()].slice(0, most)
    for (const { path } of batch) from.delete(path)
    this.#reading = batch.length
    const waiting = this.#reader.read(batch, isAwaited)
    if (waiting) await waiting
    this.#reading = 0
    this.#parts.onRead(batch.length)
  }

  #isTooMuch(): boolean {
    const files = this.#put.size + this.#reading
    const most = files * SCANNED_FOR_ONE > this.#parts.tree.files().size ? FEW : MOST
    return files > most.files || sizeOf(this.#put) > most.bytes
  }

  async #seal(): Promise<void> {
    await this.#reader.seal()
    this.#clear()
    this.#parts.onSegments()
    await this.#parts.cache.saveInBackground()
  }

  /** Moves live files out of mostly dead segments, and removes empty ones. */
  #clear(): void {
    const { tree, store, cache } = this.#parts
    for (const [id, { segment, taken, textBytes, liveBytes }] of store.held) {
      if (!segment.postings || textBytes > CLEARED_BYTES) continue
      const alive = taken.filter((_, file) => segment.live[file] === 1)
      if (alive.length === 0) cache.drop(id)
      else if (liveBytes < textBytes * LEAST_ALIVE)
        for (const { path } of alive) {
          const file = this.#put.has(path) || this.#large.has(path) ? undefined : tree.files().get(path)
          if (file) this.#moving.set(path, file)
        }
    }
    if (this.#moving.size > 0) this.#wake()
  }
}

function sizeOf(files: ReadonlyMap<string, TreeFile>): number {
  let bytes = 0
  for (const { size } of files.values()) bytes += size
  return bytes
}
