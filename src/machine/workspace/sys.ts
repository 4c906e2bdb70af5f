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

/** Node has no name for O_PATH: a descriptor that names a place without opening what is there. */
const O_PATH = 0x200000
const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** A file name as the disk spells it; names that are not UTF-8 stay bytes. */
export type Name = string | Buffer

/**
 * The system calls that everything in a workspace goes through, each relative to a held directory and none following
 * a link in its last part. It is a value, so that the fault tests can stand between any two calls.
 */
export interface Sys {
  /** Holds a directory; a link or a file of that name is ENOTDIR. */
  openDirectory(dir: number, name: Name): number
  /** Opens for reading without hanging on a fifo; check `fstat` before reading. */
  openFile(dir: number, name: Name): number
  /** Makes a new file and opens it for writing; EEXIST where there is one. */
  createFile(dir: number, name: Name, mode: number): number
  /** Opens for adding at the end, and makes it where it is missing, without hanging on a fifo; check `fstat` before writing. */
  appendFile(dir: number, name: Name, mode: number): number
  read(fd: number, buffer: Buffer, offset: number, length: number, position: number): number
  write(fd: number, bytes: Buffer, offset: number): number
  chmod(fd: number, mode: number): void
  /** Returns an open file to another owner; only root may. */
  chown(fd: number, uid: number, gid: number): void
  /** Holds whatever has that name, a link itself included, without opening it: for `fstat` and `chmodHeld`. */
  hold(dir: number, name: Name): number
  /** Works without the right to read the file; check by `fstat` that it is no link. */
  chmodHeld(held: number, mode: number): void
  fstat(fd: number): BigIntStats
  /** Undefined if nothing has that name. */
  lstat(dir: number, name: Name): BigIntStats | undefined
  readlink(dir: number, name: Name): Buffer
  symlink(target: Buffer, dir: number, name: Name): void
  list(dir: number): Buffer[]
  /** The same with the type of each, which most file systems tell without a look at it. */
  listTypes(dir: number): Dirent<Buffer>[]
  mkdir(dir: number, name: Name, mode: number): void
  rmdir(dir: number, name: Name): void
  unlink(dir: number, name: Name): void
  link(fromDir: number, from: Name, toDir: number, to: Name): void
  rename(fromDir: number, from: Name, toDir: number, to: Name): void
  sync(fd: number): void
  syncDirectory(dir: number): void
  /** Where a held directory is now. */
  whereIs(dir: number): string
  close(fd: number): void
}

/** By way of `/proc/self/fd` on Linux, where a held directory cannot be swapped under us. */
export const linuxSys: Sys = {
  openDirectory: (dir, name) => openSync(at(dir, name), O_PATH | O_DIRECTORY | O_NOFOLLOW),
  openFile: (dir, name) => openSync(at(dir, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
  createFile: (dir, name, mode) => openSync(at(dir, name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode),
  appendFile: (dir, name, mode) =>
    openSync(at(dir, name), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode),
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
  listTypes: dir => readdirSync(`/proc/self/fd/${dir}`, { encoding: 'buffer', withFileTypes: true }),
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

/** A held directory as a descriptor that can be synced; the caller closes it. */
export const openForSync = (dir: number): number => openSync(`/proc/self/fd/${dir}/.`, O_RDONLY | O_DIRECTORY)

/** Holds a directory that the caller of the program named; from here on names are walked one by one. */
export const holdDirectory = (path: string): number => openSync(path, O_PATH | O_DIRECTORY)

/** One name below a held directory. A name that could mean another place is a defect of the caller, never passed on. */
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

const DOT = Buffer.from('.')
const DOTDOT = Buffer.from('..')
