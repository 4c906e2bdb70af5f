import { closeSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { ToolError } from '../../kernel/error.ts'
import { elapsedMs, sleepSync } from '../../kernel/time.ts'

/** One holder at a time across processes. The kernel releases it when the holder dies in any way. */
export interface Lock {
  /** Holds the lock while `work` runs. `work` is synchronous, so that nothing in this process can interleave. */
  run<T>(work: () => T): T
  /** Reports whether this process holds it. */
  isHeld(): boolean
  /** Runs `work` while no other process holds the lock; after a second, even if one still does. */
  whileFree<T>(work: () => T): T
  /** Waits at most this long, then throws `unavailable` with the holder. */
  acquire(timeoutMs: number): void
  release(): void
  close(): void
}

const PATIENCE_MS = 10_000
/** This process answers nobody meanwhile. */
const SHORT_MS = 1_000
const LONGEST_PAUSE_MS = 50

interface Shared {
  readonly db: DatabaseSync
  readonly begin: StatementSync
  readonly end: StatementSync
  readonly ino: bigint
  /** Present once the lock was wanted. */
  reading?: Iterator<unknown>
  held: boolean
  handles: number
}

/**
 * One connection per file in a process: the kernel drops a process's lock when any descriptor of the file is closed.
 */
const open = new Map<string, Shared>()

/** Creates a missing file (mode 0600); its directory must exist. */
export function openLock(file: string): Lock {
  const path = join(realpathSync(dirname(file)), basename(file))
  let sharedLock = share(path)
  sharedLock.handles++
  let mine = false
  let isClosed = false

  const acquire = (timeoutMs: number): void => {
    if (isClosed) throw new Error(`The lock ${path} is closed`)
    if (sharedLock.held) throw busy(path, 'another part of this process')
    const deadline = elapsedMs() + timeoutMs
    // SQLite itself does not wait for a lock while it reads.
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const began = begin(sharedLock, path)
      if (began === 'held') break
      // If the file was deleted, our lock no longer excludes anyone.
      if (began === 'replaced') sharedLock = renew(path, sharedLock)
      else {
        const msLeft = deadline - elapsedMs()
        if (!(msLeft > 0)) throw heldByAnother(path, holder(sharedLock.ino))
        sleepSync(Math.min(pauseMs, msLeft))
      }
      if (sharedLock.held) throw busy(path, 'another part of this process')
    }
    sharedLock.held = true
    mine = true
  }

  const release = (): void => {
    if (!mine) return
    mine = false
    sharedLock.held = false
    sharedLock.end.get()
  }

  return {
    run(work) {
      acquire(PATIENCE_MS)
      try {
        const result = work()
        if (result instanceof Promise) throw new Error('Work under a lock must be synchronous')
        return result
      } finally {
        release()
      }
    },
    isHeld: () => sharedLock.held,
    whileFree(work) {
      if (sharedLock.held) return work()
      try {
        acquire(SHORT_MS)
      } catch (error) {
        if (isUnavailable(error)) return work()
        throw error
      }
      try {
        return work()
      } finally {
        release()
      }
    },
    acquire,
    release,
    close() {
      if (isClosed) return
      release()
      isClosed = true
      if (--sharedLock.handles > 0) return
      if (open.get(path) === sharedLock) open.delete(path)
      sharedLock.db.close()
    },
  }
}

function share(path: string): Shared {
  const sharedLock = open.get(path)
  if (sharedLock !== undefined) return sharedLock
  const newLock = connect(path)
  open.set(path, newLock)
  return newLock
}

function connect(path: string): Shared {
  try {
    // Exclusive: an existing file is not opened, so nothing is closed that could drop a lock.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  for (;;) {
    const ino = inode(path)
    const db = new DatabaseSync(path, { timeout: 0 })
    if (ino !== undefined && inode(path) === ino) {
      keepJournalInMemory(db)
      // One process at a time may intend to write. EXCLUSIVE would wait for all the others, which read: see keepReading.
      const statements = { begin: db.prepare('BEGIN IMMEDIATE'), end: db.prepare('ROLLBACK') }
      return { db, ...statements, ino, held: false, handles: 0 }
    }
    db.close()
  }
}

/** Nothing is ever written, so a journal on disk would only be a file to create and remove each time. */
function keepJournalInMemory(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA journal_mode = MEMORY')
  } catch (error) {
    // Another process holds the lock. A journal on disk works too.
    if (!isBusy(error)) throw error
  }
}

function renew(path: string, old: Shared): Shared {
  const fresh = open.get(path) === old ? connect(path) : share(path)
  open.set(path, fresh)
  fresh.handles++
  if (--old.handles === 0) old.db.close()
  return fresh
}

/** Takes the lock if it is free now; `replaced` if the file is no longer the opened one. */
function begin(shared: Shared, path: string): 'held' | 'busy' | 'replaced' {
  try {
    shared.reading ??= keepReading(shared.db)
    // Unlike `run`, `get` does not ask for counts of changed rows, which take longer than the lock.
    shared.begin.get()
    if (inode(path) === shared.ino) return 'held'
    shared.end.get()
    return 'replaced'
  } catch (error) {
    if (shared.db.isTransaction) shared.end.get()
    if (inode(path) !== shared.ino) return 'replaced'
    if (isBusy(error)) return 'busy'
    throw new ToolError('io', `The lock ${path} cannot be taken: ${error instanceof Error ? error.message : error}`, {
      hint: 'Check that the state directory can be written to and is not full.',
      cause: error,
    })
  }
}

/**
 * Begins to read and never ends: whoever reads needs one system call to lock, and eight otherwise. Readers do not exclude
 * each other or the holder.
 */
function keepReading(db: DatabaseSync): Iterator<unknown> {
  const rows = db.prepare('SELECT 1 FROM (VALUES (1), (2)) LEFT JOIN sqlite_schema').iterate()
  rows.next()
  return rows
}

const SQLITE_BUSY = 5

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY

const inode = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

const isUnavailable = (error: unknown): boolean => error instanceof ToolError && error.code === 'unavailable'

const heldByAnother = (path: string, found: Holder | undefined): ToolError =>
  found ? busy(path, `process ${found.pid} (${found.name})`, { pid: found.pid }) : busy(path, 'another process')

const busy = (path: string, who: string, more: { readonly pid?: number } = {}): ToolError =>
  new ToolError('unavailable', `The lock ${path} is held by ${who}.`, {
    hint: 'Wait for it to finish, or end it, and try again: the lock ends with its holder.',
    details: { lock: path, ...more },
  })

interface Holder {
  readonly pid: number
  readonly name: string
}

/** Returns the holder of a lock on this file from the kernel's list; only used after a timeout. */
function holder(ino: bigint): Holder | undefined {
  try {
    const line = readFileSync('/proc/locks', 'latin1')
      .split('\n')
      .find(text => text.includes(` WRITE `) && text.includes(`:${ino} `))
    if (line === undefined) return undefined
    const pid = Number(line.split(/\s+/)[4])
    return { pid, name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() }
  } catch {
    return undefined
  }
}
