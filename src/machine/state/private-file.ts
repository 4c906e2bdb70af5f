import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { dirname, isAbsolute, join, parse } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ToolError } from '../../kernel/error.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'

/** Creates a directory and its missing parents, private to this user. */
export const makePrivateDirectory = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    for (let place = path; place !== dirname(place); place = dirname(place)) ensureKind(place, 'directory')
    throw error
  }
}

/** Throws if another kind of entry has this name; a missing one is fine. */
export function ensureKind(path: string, kind: 'file' | 'directory'): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats && !(kind === 'file' ? stats.isFile() : stats.isDirectory())) throw notThis(path, stats, kind)
}

/**
 * Opens a file of ours. Does not wait for the other end of a pipe. Throws if the name is not a regular file; accepts a
 * link only with `links`.
 */
export function openOwnFile(path: string, flags: number = constants.O_RDONLY, links = false): number {
  const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  let fd: number
  try {
    fd = openSync(path, flags | O_NONBLOCK | (links ? 0 : O_NOFOLLOW), 0o600)
  } catch (error) {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats && !stats.isFile() && !(links && stats.isSymbolicLink())) throw notThis(path, stats, 'file')
    throw error
  }
  const stats = fstatSync(fd)
  if (stats.isFile()) return fd
  closeSync(fd)
  throw notThis(path, stats, 'file')
}

/** Reads a file of ours, opened like `openOwnFile`. */
export function readOwnFile(path: string, links = false): Buffer {
  const fd = openOwnFile(path, constants.O_RDONLY, links)
  try {
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

function notThis(path: string, stats: Stats, kind: 'file' | 'directory'): ToolError {
  return new ToolError(
    'io',
    `${path} is ${kindOf(stats)}, where a ${kind === 'file' ? 'regular file' : kind} has to be.`,
    {
      hint: `Look where it comes from, and move it away: mv ${quoteArgv([path, `${path}.away`])}`,
      details: { path },
    },
  )
}

const kindOf = (stats: Stats): string =>
  stats.isFile()
    ? 'a file'
    : stats.isDirectory()
      ? 'a directory'
      : stats.isSymbolicLink()
        ? 'a symbolic link'
        : stats.isFIFO()
          ? 'a named pipe'
          : stats.isSocket()
            ? 'a socket'
            : 'a device'

/** Appends a line to a file of ours. Creates the file and its directory if missing. */
export function appendPrivateLine(path: string, line: string): void {
  makePrivateDirectory(dirname(path))
  const fd = openOwnFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
  try {
    writeWhole(fd, Buffer.from(`${line}\n`))
  } finally {
    closeSync(fd)
  }
}

/** Replaces a file of ours atomically: a reader, or a crash, finds the old content or the new, never a part. */
export function writePrivateFile(path: string, content: string | Buffer): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeSynced(temporary, typeof content === 'string' ? Buffer.from(content) : content)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncDirectory(dirname(path))
}

/** Makes a rename or a new name in this directory survive a power cut. */
export function syncDirectory(path: string): void {
  // Windows cannot open a directory, and persists names on its own.
  if (process.platform === 'win32') return
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** A single write may take only a part of its input. */
export function writeWhole(fd: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset)
}

function writeSynced(path: string, bytes: Buffer): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeWhole(fd, bytes)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

interface Ownership {
  /** Name of the file, for the error. */
  readonly what: string
  /** How to move it to a private place, for the error. */
  readonly hint: string
  /** A user whose files are trusted here like one's own. */
  readonly owner?: number
}

const MOST_LINKS = 40
const STICKY = 0o1000
const WRITABLE_BY_OTHERS = 0o002
const WRITABLE_BY_GROUP = 0o020

/**
 * Throws `denied` if another user could change a file or directory, or replace it. It, and every link and directory on
 * the way, must belong to this user or to root, and be writable by no other user. Missing entries pass. Root's own
 * rights make no exception.
 */
export function ensureOwn(path: string, ownership: Ownership): void {
  // Windows reports no owners here: access lists make a profile private.
  if (process.getuid === undefined) return
  // Resolved like the system does: '..' after a link is the parent of the link's target.
  const full = isAbsolute(path) ? path : `${process.cwd()}/${path}`
  const ahead = partsOf(full)
  let [here, links] = [parse(full).root, 0]
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === '..') {
      here = dirname(here)
      continue
    }
    const place = join(here, name)
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (stats === undefined) return
    if (!stats.isSymbolicLink()) {
      ensurePrivate(place, stats, ownership, ahead.length > 0)
      here = place
      continue
    }
    if (links++ > MOST_LINKS || !isTrusted(stats.uid, ownership, true)) throw foreign(place, stats, ownership)
    const target = readlinkSync(place)
    if (isAbsolute(target)) here = parse(target).root
    ahead.unshift(...partsOf(target))
  }
}

/** Checks an entry of a directory that is known to be one's own. */
export function ensureOwnEntry(path: string, ownership: Ownership): void {
  if (process.getuid === undefined) return
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink()) ensureOwn(path, ownership)
  else if (stats) ensurePrivate(path, stats, ownership, false)
}

const partsOf = (path: string): string[] =>
  path
    .slice(parse(path).root.length)
    .split('/')
    .filter(part => part !== '' && part !== '.')

/** In a sticky directory (/tmp) the entries are safe, though not the directory itself. */
function ensurePrivate(place: string, stats: Stats, ownership: Ownership, isOnTheWay: boolean): void {
  const { uid, gid, mode } = stats
  if (!isTrusted(uid, ownership, isOnTheWay)) throw foreign(place, stats, ownership)
  if (isOnTheWay && (mode & STICKY) !== 0) return
  // A group of the same number is the user's own, which many systems create with each user.
  const isOpen = (mode & WRITABLE_BY_OTHERS) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && gid !== uid)
  if (isOpen) throw foreign(place, stats, ownership)
}

function isTrusted(uid: number, { owner }: Ownership, isOnTheWay: boolean): boolean {
  return uid === 0 || uid === process.getuid?.() || uid === owner || (isOnTheWay && isUnmapped(uid))
}

/** Inside a user namespace root itself may be unmapped: all unmapped users appear under the same number. */
function isUnmapped(uid: number): boolean {
  try {
    const overflow = Number(readFileSync('/proc/sys/kernel/overflowuid', 'latin1'))
    return uid === overflow && !/^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'latin1'))
  } catch {
    return false
  }
}

function foreign(place: string, stats: Stats, { what, hint }: Ownership): ToolError {
  const { uid, mode } = stats
  const why =
    uid === 0 || uid === process.getuid?.()
      ? `others may write to it (mode ${(mode & 0o7777).toString(8)})`
      : `it belongs to another user (uid ${uid})`
  // Moving everything helps against a directory owned by others, but not against one file in one's own.
  const word = quoteArgv([place])
  const [kind, remedy] = stats.isFile()
    ? [
        what.replace(/directory$/, 'file'),
        `Check its content. Then remove it (rm ${word}), or make it yours alone: chown ${process.getuid?.()} ${word} && chmod go-w ${word}`,
      ]
    : [what, hint]
  return new ToolError('denied', `The ${kind} ${place} can be changed by other users: ${why}.`, {
    hint: remedy,
    details: { path: place },
  })
}

/** Opens a database that only this user reads, with its directory; `use` sets it up. */
export function openPrivateDatabase<T>(file: string, use: (database: DatabaseSync) => T): T {
  makePrivateDirectory(dirname(file))
  makePrivate(file)
  const database = new DatabaseSync(file, { timeout: 10_000 })
  try {
    return use(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/** One transaction decides, so that two concurrent requests do not both succeed. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** SQLite's codes for other tables, for a damaged database, and for a file that is no database. */
const DAMAGED = new Set([1, 11, 26])

/** Describes a failure of the file; undefined for any other error. `removed` says what follows from removing it. */
export function databaseError(
  { file, what, removed }: { readonly file: string; readonly what: string; readonly removed: string },
  cause: unknown,
): ToolError | undefined {
  if (!(cause instanceof Error) || !('errcode' in cause)) return undefined
  const isDamaged = DAMAGED.has(Number(cause.errcode) & 0xff)
  const hint = isDamaged
    ? `Remove it: rm ${quoteArgv([file])}*. ${removed}`
    : 'Check the space on its disk, its permissions, and whether another process keeps it locked.'
  const state = isDamaged ? 'is damaged' : 'cannot be used'
  return new ToolError('io', `${what} ${file} ${state}: ${cause.message}.`, { hint, cause })
}

/** Only creates, never opens and closes: closing would drop this process's locks on it. */
function makePrivate(file: string): void {
  ensureKind(file, 'file')
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
