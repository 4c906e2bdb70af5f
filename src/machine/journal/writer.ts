import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { makePrivateDirectory, openOwnFile, syncDirectory, writeWhole } from '../state/private-file.ts'
import { GENESIS, parse, seal, type Head } from './chain.ts'
import { openHead, type KeptHead } from './head.ts'
import { forwards } from './lines.ts'
import { repairTail } from './repair-tail.ts'
import { CURRENT, lastOf, newestFirst, segmentName } from './segments.ts'
import { openWriteLock, type WriteLock } from './write-lock.ts'

interface WriterOptions {
  readonly lock: string
  readonly headFile: string
  readonly syncEveryMs: number
  readonly segmentBytes: () => number
  readonly rotated: ((bytes: number) => void) | undefined
}

export type Entries = readonly object[] | (() => readonly object[])

/** The only writer to a journal in a process. */
export interface Writer {
  /** Builds entries that depend on the journal's content under the write lock. */
  append(entries: Entries, time: string, durable: boolean): Head
  /** Syncs all records and moves the kept head along. */
  sync(): void
  /** Syncs all records, without the lock: the kept head follows with the next record, or with their group. */
  flush(): void
  head(): Head
  close(): void
}

/** Characters that a batch collects for one system call; larger texts cost more to join than they save. */
const BATCH_CHARS = 1 << 13

/** A process that closes a journal does nothing else meanwhile. */
const CLOSING_MS = 1_000

const { O_APPEND, O_CREAT, O_RDWR } = constants

/** Opens the writer of the journal in this directory. */
export const openWriter = (dir: string, options: WriterOptions): Writer => new JournalWriter(dir, options)

class JournalWriter implements Writer {
  readonly #dir: string
  readonly #path: string
  readonly #options: WriterOptions
  readonly #lock: WriteLock
  readonly #kept: KeptHead
  #fd = -1
  #ino = -1
  #size = 0
  #head = GENESIS
  /** Something of ours may lie half-written in the file. */
  #suspect = false
  #unsynced = false
  /** The last record of a sync that the kept head does not follow yet. */
  #flushed: Head | undefined
  #failure: unknown
  #group: NodeJS.Timeout | undefined
  /** A descriptor that a sync is running on must not be closed: its number could be given to another file. */
  #syncing = -1

  constructor(dir: string, options: WriterOptions) {
    makePrivateDirectory(dir)
    this.#dir = dir
    this.#path = join(dir, CURRENT)
    this.#options = options
    this.#lock = openWriteLock(options.lock)
    this.#kept = openHead(options.headFile)
  }

  append(entries: Entries, time: string, durable: boolean): Head {
    if (this.#failure) throw syncFailed(this.#path, this.#failure)
    return this.#hold(time, () => {
      const newEntries = typeof entries === 'function' ? entries() : entries
      if (this.#flushed) this.#keep(this.#flushed)
      if (newEntries.length === 0) return this.#head
      if (this.#size >= this.#options.segmentBytes()) this.#rotate()
      this.#write(newEntries, time)
      if (durable) this.#flush()
      else this.#schedule()
      return this.#head
    })
  }

  sync(): void {
    if (this.#failure) throw syncFailed(this.#path, this.#failure)
    if (this.#isAhead()) this.#hold(now(), () => this.#flush())
  }

  flush(): void {
    if (this.#failure) throw syncFailed(this.#path, this.#failure)
    if (!this.#unsynced && this.#syncing < 0) return
    fdatasyncSync(this.#fd)
    this.#unsynced = false
    this.#flushed = this.#head
  }

  head(): Head {
    return this.#hold(now(), () => this.#head)
  }

  close(): void {
    clearTimeout(this.#group)
    try {
      if (this.#isAhead() && this.#fd >= 0) this.#syncLast()
    } finally {
      this.#release(this.#fd)
      this.#fd = -1
      this.#kept.close()
      this.#lock.close()
    }
  }

  /** The next writer raises the kept head if this one cannot, and of a journal that was removed nothing is kept. */
  #syncLast(): void {
    try {
      return this.#hold(now(), () => this.#flush(), CLOSING_MS)
    } catch (error) {
      const isBusy = error instanceof ToolError && error.code === 'unavailable'
      if (!isBusy && existsSync(this.#dir)) throw error
    }
    fdatasyncSync(this.#fd)
  }

  /**
   * Runs work while this process owns the journal, and releases it afterwards. Otherwise a process that holds this lock
   * and waits for another one, and a process with the opposite order, would deadlock.
   */
  #hold<T>(time: string, work: () => T, patienceMs?: number): T {
    this.#lock.take(patienceMs)
    try {
      this.#catchUp(time)
      return work()
    } finally {
      this.#lock.giveBack()
    }
  }

  /** Another process may have written, or begun a new file, since we last held the lock. */
  #catchUp(time: string): void {
    const file = this.#fd < 0 ? undefined : statSync(this.#path, { throwIfNoEntry: false })
    const same = file && file.ino === this.#ino && file.size === this.#size && !this.#suspect
    const headOnDisk = this.#kept.read()
    if (same && headOnDisk && headOnDisk.seq <= this.#head.seq) return
    this.#flushed = undefined
    if (file?.ino !== this.#ino) this.#open()
    const repair = repairTail(this.#fd, this.#dir, fstatSync(this.#fd).size)
    const lastHead = repair.last ?? lastOf(this.#dir) ?? GENESIS
    const notes = [
      ...(repair.torn ? [{ type: 'torn', ...repair.torn }] : []),
      ...this.#gapsBefore(lastHead, headOnDisk),
    ]
    this.#size = repair.size
    this.#head = lastHead
    this.#suspect = false
    if (notes.length === 0) return
    this.#write(notes, time)
    fdatasyncSync(this.#fd)
    this.#kept.put(this.#head)
  }

  #open(): void {
    this.#release(this.#fd)
    this.#fd = openOwnFile(this.#path, O_RDWR | O_APPEND | O_CREAT)
    this.#ino = fstatSync(this.#fd).ino
  }

  /** The trace that a journal leaves in itself when it is found without records that it had. */
  #gapsBefore(found: Head, known: Head | undefined): object[] {
    // A journal starts with its head: one that is missing later was taken away.
    if (!known && found.seq === 0 && this.#head.seq === 0) this.#kept.put(GENESIS)
    else if (!known) return [{ type: 'gap', what: 'the head kept elsewhere is missing or damaged', found }]
    const missingHead = [this.#head, known].find(expected => expected && !this.#holds(expected, found))
    return missingHead
      ? [{ type: 'gap', what: `record ${missingHead.seq} is not the one that was there`, expected: missingHead, found }]
      : []
  }

  #holds(expected: Head, found: Head): boolean {
    if (expected.seq === 0 || expected.hash === found.hash) return true
    if (expected.seq >= found.seq) return false
    for (const { seq, prev, hash } of newestFirst(this.#dir)) {
      if (seq === expected.seq) return hash === expected.hash
      if (seq === expected.seq + 1 && prev === expected.hash) return true
      if (seq < expected.seq) return false
    }
    return false
  }

  #write(entries: readonly object[], time: string): void {
    let [text, last] = ['', this.#head]
    for (const [index, entry] of entries.entries()) {
      const sealedLine = seal(entry, last, time)
      text += sealedLine.line
      last = sealedLine.head
      if (text.length < BATCH_CHARS && index < entries.length - 1) continue
      this.#size += this.#writeText(text)
      this.#head = last
      text = ''
    }
    this.#unsynced = true
  }

  /** All of it or none: a disk that fills up half-way leaves no half line. */
  #writeText(text: string): number {
    const bytes = Buffer.byteLength(text)
    try {
      const bytesWritten = writeSync(this.#fd, text)
      if (bytesWritten < bytes) writeWhole(this.#fd, Buffer.from(text).subarray(bytesWritten))
      return bytes
    } catch (cause) {
      this.#suspect = true
      ftruncateSync(this.#fd, this.#size)
      throw new ToolError('io', `The journal ${this.#path} cannot be written.`, {
        hint: 'Check that its disk has room and may be written to.',
        cause,
      })
    }
  }

  /** Reports whether the head may be behind the records: a sync that still runs raises it only when it has ended. */
  #isAhead(): boolean {
    return this.#unsynced || this.#flushed !== undefined || this.#syncing >= 0
  }

  /** The lock is held. */
  #flush(): void {
    fdatasyncSync(this.#fd)
    this.#unsynced = false
    this.#keep(this.#head)
  }

  /** The lock is held. */
  #keep(synced: Head): void {
    this.#flushed = undefined
    this.#kept.raise(synced)
  }

  #rotate(): void {
    this.#flush()
    const first = firstOf(this.#fd)
    if (first === undefined) return
    renameSync(this.#path, join(this.#dir, segmentName(first)))
    this.#open()
    this.#options.rotated?.(this.#size)
    this.#size = 0
    syncDirectory(this.#dir)
  }

  #schedule(): void {
    this.#group ??= setTimeout(() => this.#syncGroup(), this.#options.syncEveryMs).unref()
  }

  #syncGroup(): void {
    this.#group = undefined
    if (this.#fd < 0) return
    if (!this.#unsynced) return this.#flushed && this.#raiseLater(this.#flushed)
    if (this.#syncing >= 0) return this.#schedule()
    const [file, upTo] = [this.#fd, this.#head]
    this.#syncing = file
    this.#unsynced = false
    fdatasync(file, error => {
      this.#syncing = -1
      if (file !== this.#fd) closeSync(file)
      this.#failure ??= error ?? undefined
      if (!error && this.#fd >= 0) this.#raiseLater(upTo)
    })
  }

  #raiseLater(upTo: Head): void {
    try {
      if (!this.#lock.tryTake()) {
        this.#unsynced = true
        return this.#schedule()
      }
      try {
        this.#keep(this.#flushed && this.#flushed.seq > upTo.seq ? this.#flushed : upTo)
      } finally {
        this.#lock.giveBack()
      }
    } catch (error) {
      this.#failure = error
    }
  }

  #release(file: number): void {
    if (file >= 0 && file !== this.#syncing) closeSync(file)
  }
}

const now = (): string => new Date().toISOString()

function firstOf(fd: number): number | undefined {
  for (const line of forwards(fd, 0, 1 << 14)) return parse(line.bytes)?.seq
  return undefined
}

const syncFailed = (path: string, cause: unknown): ToolError =>
  new ToolError('io', `The journal ${path} could not be synced to disk.`, {
    hint: 'Check the disk, then start again.',
    cause,
  })
