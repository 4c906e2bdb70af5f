import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs'

/** Node has no constant for O_PATH: a descriptor that names a place without opening it. */
const O_PATH = 0x200000
const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** A file name as on disk; names that are not UTF-8 stay bytes. */
export type Name = string | Buffer

/**
 * The system calls for everything in a workspace, each relative to a held directory; none follows a link in its last
 * part. It is a value, so that fault tests can intervene between any two calls.
 */
export interface Sys {
  /** Holds a directory. Fails with ENOTDIR for a link or a file. */
  openDirectory(dir: number, name: Name): number
  /** Opens for reading without hanging on a fifo; check `fstat` before reading. */
  openFile(dir: number, name: Name): number
  /** Creates a file and opens it for writing. Fails with EEXIST if the name exists. */
  createFile(dir: number, name: Name, mode: number): number
  /** Opens for appending without hanging on a fifo, and creates a missing file. Check `fstat` before writing. */
  appendFile(dir: number, name: Name, mode: number): number
  /** Opens an existing file for writing from its beginning. Check `fstat` before writing. */
  rewriteFile(dir: number, name: Name): number
  read(fd: number, buffer: Buffer, offset: number, length: number, position: number): number
  write(fd: number, bytes: Buffer, offset: number): number
  chmod(fd: number, mode: number): void
  /** Changes the owner of an open file; only root may. */
  chown(fd: number, uid: number, gid: number): void
  /** Holds any entry, links not followed, without opening it: for `fstat` and `chmodHeld`. */
  hold(dir: number, name: Name): number
  /** Works without read permission; check by `fstat` that it is no link. */
  chmodHeld(held: number, mode: number): void
  fstat(fd: number): BigIntStats
  /** Returns undefined if the name does not exist. */
  lstat(dir: number, name: Name): BigIntStats | undefined
  readlink(dir: number, name: Name): Buffer
  symlink(target: Buffer, dir: number, name: Name): void
  list(dir: number): Buffer[]
  /** Lists names with types, which most file systems report without a stat. Names that are not UTF-8 stay bytes. */
  listTypes(dir: number): readonly Dirent<Name>[]
  mkdir(dir: number, name: Name, mode: number): void
  rmdir(dir: number, name: Name): void
  unlink(dir: number, name: Name): void
  link(fromDir: number, from: Name, toDir: number, to: Name): void
  rename(fromDir: number, from: Name, toDir: number, to: Name): void
  sync(fd: number): void
  syncDirectory(dir: number): void
  /** Returns the current path of a held directory. */
  whereIs(dir: number): string
  close(fd: number): void
}

/** Uses `/proc/self/fd` on Linux, through which a held directory cannot be swapped. */
export const linuxSys: Sys = {
  openDirectory: (dir, name) => openSync(at(dir, name), O_PATH | O_DIRECTORY | O_NOFOLLOW),
  openFile: (dir, name) => openSync(at(dir, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
  createFile: (dir, name, mode) => openSync(at(dir, name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode),
  appendFile: (dir, name, mode) =>
    openSync(at(dir, name), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode),
  rewriteFile: (dir, name) => openSync(at(dir, name), O_WRONLY | O_NOFOLLOW | O_NONBLOCK),
  read: readSync,
  write: (fd, bytes, offset) => writeSync(fd, bytes, offset),
  chmod: fchmodSync,
  chown: fchownSync,
  hold: (dir, name) => openSync(at(dir, name), O_PATH | O_NOFOLLOW),
  chmodHeld: (held, mode) => chmodSync(`/proc/self/fd/${held}`, mode),
  fstat: fd => fstatSync(fd, { bigint: true }),
  lstat: (dir, name) => lstatSync(at(dir, name), { bigint: true, throwIfNoEntry: false }),
  readlink: (dir, name) => readlinkSync(at(dir, name), { encoding: 'buffer' }),
  symlink: (target, dir, name) => symlinkSync(target, at(dir, name)),
  list: dir => readdirSync(`/proc/self/fd/${dir}`, { encoding: 'buffer' }),
  listTypes(dir) {
    const path = `/proc/self/fd/${dir}`
    // Text costs half as much as bytes. What is no UTF-8 becomes the replacement character there.
    const entries = readdirSync(path, { withFileTypes: true })
    const isText = entries.every(({ name }) => !name.includes(REPLACEMENT))
    return isText ? entries : readdirSync(path, { encoding: 'buffer', withFileTypes: true })
  },
  mkdir: (dir, name, mode) => mkdirSync(at(dir, name), { mode }),
  rmdir: (dir, name) => rmdirSync(at(dir, name)),
  unlink: (dir, name) => unlinkSync(at(dir, name)),
  link: (fromDir, from, toDir, to) => linkSync(at(fromDir, from), at(toDir, to)),
  rename: (fromDir, from, toDir, to) => renameSync(at(fromDir, from), at(toDir, to)),
  sync: fsyncSync,
  syncDirectory(dir) {
    const fd = openForSync(dir)
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },
  whereIs: dir => readlinkSync(`/proc/self/fd/${dir}`),
  close: closeSync,
}

/** Reopens a held directory as a descriptor that can be synced. The caller closes it. */
export const openForSync = (dir: number): number => openSync(`/proc/self/fd/${dir}/.`, O_RDONLY | O_DIRECTORY)

/** Holds a directory named by the caller of the program. From here on names are walked one by one. */
export const holdDirectory = (path: string): number => openSync(path, O_PATH | O_DIRECTORY)

/**
 * Returns one name below a held directory. Throws for a name that could lead elsewhere, which is a defect of the
 * caller.
 */
function at(dir: number, name: Name): string | Buffer {
  const prefix = `/proc/self/fd/${dir}/`
  if (typeof name === 'string') {
    if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
      throw new Error(`Not a file name: ${JSON.stringify(name)}`)
    return prefix + name
  }
  if (name.length === 0 || name.includes(0x2f) || name.includes(0) || name.equals(DOT) || name.equals(DOTDOT))
    throw new Error(`Not a file name: ${name.toString('hex')}`)
  return Buffer.concat([Buffer.from(prefix), name])
}

const REPLACEMENT = '\u{fffd}'
const DOT = Buffer.from('.')
const DOTDOT = Buffer.from('..')
