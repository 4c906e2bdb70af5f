import {
  closeSync,
  constants,
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
import { openHead } from './head.ts'
import { forwards } from './lines.ts'
import { repairTail } from './repair-tail.ts'
import { CURRENT, newestFirst, segmentName } from './segments.ts'
import { openWriteLock } from './write-lock.ts'

interface WriterOptions {
  readonly lock: string
  readonly headFile: string
  readonly syncEveryMs: number
  readonly segmentBytes: () => number
  readonly rotated: ((bytes: number) => void) | undefined
}

export type Entries = readonly object[] | (() => readonly object[])

/** The one place in a process that writes to a journal. */
export interface Writer {
  /** Entries that depend on what the journal holds are made while nobody else can write to it. */
  append(entries: Entries, time: string, durable: boolean): Head
  sync(): void
  head(): Head
  close(): void
}

/** What a batch gathers for one system call; larger texts cost more to join than they save. */
const BATCH_CHARS = 1 << 13

const { O_APPEND, O_CREAT, O_RDWR } = constants

export function openWriter(dir: string, options: WriterOptions): Writer {
  makePrivateDirectory(dir)
  const path = join(dir, CURRENT)
  const turn = openWriteLock(options.lock)
  const kept = openHead(options.headFile)
  let fd = -1
  let ino = -1
  let size = 0
  let head = GENESIS
  /** Something of ours may lie half-written in the file. */
  let suspect = false
  let unsynced = false
  let failure: unknown
  let group: NodeJS.Timeout | undefined
  /** A descriptor that a sync is running on must not be closed: its number could be given to another file. */
  let syncing = -1

  /**
   * Work for which the journal belongs to this process. Nothing is kept beyond it: a process that waits for another
   * lock while it has this one, and one that has that lock and waits for this one, would wait for each other.
   */
  function hold<T>(time: string, work: () => T): T {
    turn.take()
    try {
      catchUp(time)
      return work()
    } finally {
      turn.giveBack()
    }
  }

  /** Another process may have written, or begun a new file, since we last held the lock. */
  function catchUp(time: string): void {
    const file = fd < 0 ? undefined : statSync(path, { throwIfNoEntry: false })
    const same = file && file.ino === ino && file.size === size && !suspect
    const known = kept.read()
    if (same && known && known.seq <= head.seq) return
    if (file?.ino !== ino) open()
    const mended = repairTail(fd, dir, fstatSync(fd).size)
    const found = mended.last ?? lastOf(dir) ?? GENESIS
    const notes = [...(mended.torn ? [{ type: 'torn', ...mended.torn }] : []), ...gapsBefore(found, known)]
    size = mended.size
    head = found
    suspect = false
    if (notes.length === 0) return
    write(notes, time)
    fdatasyncSync(fd)
    kept.put(head)
  }

  function open(): void {
    release(fd)
    fd = openOwnFile(path, O_RDWR | O_APPEND | O_CREAT)
    ino = fstatSync(fd).ino
  }

  /** The trace that a journal leaves in itself when it is found without records that it had. */
  function gapsBefore(found: Head, known: Head | undefined): object[] {
    // A journal starts with its head: one that is missing later was taken away.
    if (!known && found.seq === 0 && head.seq === 0) kept.put(GENESIS)
    else if (!known) return [{ type: 'gap', what: 'the head kept elsewhere is missing or damaged', found }]
    const lost = [head, known].find(expected => expected && !holds(expected, found))
    return lost
      ? [{ type: 'gap', what: `record ${lost.seq} is not the one that was there`, expected: lost, found }]
      : []
  }

  function holds(expected: Head, found: Head): boolean {
    if (expected.seq === 0 || expected.hash === found.hash) return true
    if (expected.seq >= found.seq) return false
    for (const { seq, prev, hash } of newestFirst(dir)) {
      if (seq === expected.seq) return hash === expected.hash
      if (seq === expected.seq + 1 && prev === expected.hash) return true
      if (seq < expected.seq) return false
    }
    return false
  }

  function write(entries: readonly object[], time: string): void {
    let [text, last] = ['', head]
    for (const [index, entry] of entries.entries()) {
      const sealed = seal(entry, last, time)
      text += sealed.line
      last = sealed.head
      if (text.length < BATCH_CHARS && index < entries.length - 1) continue
      size += writeText(text)
      head = last
      text = ''
    }
    unsynced = true
  }

  /** All of it or none: a disk that fills up half-way leaves no half line. */
  function writeText(text: string): number {
    const bytes = Buffer.byteLength(text)
    try {
      const done = writeSync(fd, text)
      if (done < bytes) writeWhole(fd, Buffer.from(text).subarray(done))
      return bytes
    } catch (cause) {
      suspect = true
      ftruncateSync(fd, size)
      throw new ToolError('io', `The journal ${path} cannot be written.`, {
        hint: 'Check that its disk has room and may be written to.',
        cause,
      })
    }
  }

  /** The lock is held. */
  function flush(): void {
    fdatasyncSync(fd)
    unsynced = false
    kept.raise(head)
  }

  function rotate(): void {
    flush()
    const first = firstOf(fd)
    if (first === undefined) return
    renameSync(path, join(dir, segmentName(first)))
    open()
    options.rotated?.(size)
    size = 0
    syncDirectory(dir)
  }

  function schedule(): void {
    group ??= setTimeout(syncGroup, options.syncEveryMs).unref()
  }

  function syncGroup(): void {
    group = undefined
    if (!unsynced || fd < 0) return
    if (syncing >= 0) return schedule()
    const [file, upTo] = [fd, head]
    syncing = file
    unsynced = false
    fdatasync(file, error => {
      syncing = -1
      if (file !== fd) closeSync(file)
      failure ??= error ?? undefined
      if (!error && fd >= 0) raiseLater(upTo)
    })
  }

  function raiseLater(upTo: Head): void {
    try {
      if (!turn.tryTake()) {
        unsynced = true
        return schedule()
      }
      try {
        kept.raise(upTo)
      } finally {
        turn.giveBack()
      }
    } catch (error) {
      failure = error
    }
  }

  function release(file: number): void {
    if (file >= 0 && file !== syncing) closeSync(file)
  }

  return {
    append(entries, time, durable) {
      if (failure) throw syncFailed(path, failure)
      return hold(time, () => {
        const given = typeof entries === 'function' ? entries() : entries
        if (given.length === 0) return head
        if (size >= options.segmentBytes()) rotate()
        write(given, time)
        if (durable) flush()
        else schedule()
        return head
      })
    },
    sync() {
      if (failure) throw syncFailed(path, failure)
      if (unsynced) hold(now(), flush)
    },
    head: () => hold(now(), () => head),
    close() {
      clearTimeout(group)
      try {
        if (unsynced && fd >= 0) hold(now(), flush)
      } finally {
        release(fd)
        fd = -1
        kept.close()
        turn.close()
      }
    },
  }
}

const now = (): string => new Date().toISOString()

function lastOf(dir: string): Head | undefined {
  for (const { seq, hash } of newestFirst(dir)) return { seq, hash }
  return undefined
}

function firstOf(fd: number): number | undefined {
  for (const line of forwards(fd, 0, 1 << 14)) return parse(line.bytes)?.seq
  return undefined
}

const syncFailed = (path: string, cause: unknown): ToolError =>
  new ToolError('io', `The journal ${path} could not be brought to disk.`, {
    hint: 'Check the disk, then start again.',
    cause,
  })
