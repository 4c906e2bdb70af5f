import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type BigIntStats } from 'node:fs'
import { onDisk } from '../../../machine/workspace/name.ts'
import { LONGEST_MARK, markOf, searchableText } from '../pattern/searchable-text.ts'
import { KIND } from './segment.ts'

interface FileText {
  readonly kind: number
  /** The text as ripgrep searches it; empty unless the file is text. */
  readonly text: Buffer
  /** Stamp of the file that was read; a later reader can tell whether it is the same. */
  readonly stamp: string
  /** The file was unchanged for long enough before the read that no later change can have the same stamp. */
  readonly isSettled: boolean
}

/** A text that was read before. */
interface ReadBefore {
  readonly path: string
  readonly stamp: string
}

/** Reads files below one directory. Never follows a link. */
export interface FileReader {
  /** Returns undefined if the file no longer exists. */
  read(path: string): FileText | undefined
  /** Returns a part of a text that was read before, valid until the next read. Undefined if the file has changed since. */
  readPart(whole: ReadBefore, from: number, to: number): Buffer | undefined
  /** Returns the file's current size in bytes, or 0 if there is none. */
  size(path: string): number
}

/** The range in which ripgrep looks for a NUL byte first. */
const FIRST_LOOK = 65_536
const LARGEST_TEXT = 256 * 1024 * 1024
/** Longer than a tick of the clock that stamps files. */
const SETTLED_MS = 50
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants
const FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY

export function fileReader(directory: string): FileReader {
  let buffer = Buffer.allocUnsafeSlow(1 << 20)
  let root = placeOf(directory)

  const isBelow = (fd: number, path: string): boolean => {
    if (process.platform !== 'linux' || !path.isWellFormed()) return true
    const place = readlinkSync(`/proc/self/fd/${fd}`)
    if (place === `${root}/${path}`) return true
    root = placeOf(directory)
    return place === `${root}/${path}`
  }

  const take = (fd: number): FileText | undefined => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const before = fstatSync(fd, { bigint: true })
      if (!before.isFile()) return undefined
      const readAt = Date.now()
      const isSettled = readAt - Number(before.ctimeMs > before.mtimeMs ? before.ctimeMs : before.mtimeMs) > SETTLED_MS
      const size = Number(before.size)
      const stamp = stampOf(before)
      if (size > LARGEST_TEXT && !hasEarlyNul(fd, buffer)) return { kind: KIND.huge, text: NOTHING, stamp, isSettled }
      if (size >= buffer.length && size <= LARGEST_TEXT) buffer = Buffer.allocUnsafeSlow(size * 2)
      const length = readAll(fd, buffer, size)
      if (!isSame(before, fstatSync(fd, { bigint: true }))) continue
      return { ...asText(buffer.subarray(0, length)), stamp, isSettled }
    }
    return undefined
  }

  /** The last converted text. A search asks for its parts one after another, and keeps it alive until it is over. */
  let lastConverted: WeakRef<{ readonly stamp: string; readonly text: Buffer }> | undefined

  const convert = (fd: number, stamp: string): Buffer | undefined => {
    const lastText = lastConverted?.deref()
    if (lastText?.stamp === stamp) return lastText.text
    const now = take(fd)
    if (now?.stamp !== stamp || now.kind !== KIND.text) return undefined
    lastConverted = new WeakRef({ stamp, text: now.text })
    return now.text
  }

  const takePart = (fd: number, { stamp }: ReadBefore, from: number, to: number): Buffer | undefined => {
    const before = fstatSync(fd, { bigint: true })
    if (stampOf(before) !== stamp) return undefined
    const mark = markOf(buffer.subarray(0, readSync(fd, buffer, 0, LONGEST_MARK, 0)))
    if (mark.from !== undefined) return convert(fd, stamp)?.subarray(from, to)
    const length = to - from
    if (length > buffer.length) buffer = Buffer.allocUnsafeSlow(2 * length)
    const part = buffer.subarray(0, length)
    const isWhole = readAll(fd, part, length, mark.bytes + from) === length
    return isWhole && isSame(before, fstatSync(fd, { bigint: true })) ? part : undefined
  }

  const withFile = <T>(path: string, use: (fd: number) => T): T | undefined => {
    let fd
    try {
      fd = openSync(pathBelow(directory, path), FLAGS)
    } catch {
      return undefined
    }
    try {
      return isBelow(fd, path) ? use(fd) : undefined
    } catch {
      return undefined
    } finally {
      closeSync(fd)
    }
  }

  return {
    size: path => lstatSync(pathBelow(directory, path), { throwIfNoEntry: false })?.size ?? 0,
    read: path => withFile(path, take),
    readPart: (whole, from, to) => withFile(whole.path, fd => takePart(fd, whole, from, to)),
  }
}

const NOTHING = Buffer.alloc(0)

/** The returned bytes are valid until the next read. */
function asText(bytes: Buffer): { readonly kind: number; readonly text: Buffer } {
  const text = searchableText(bytes)
  if (text !== undefined) return { kind: KIND.text, text }
  return { kind: bytes.subarray(0, FIRST_LOOK).includes(0) ? KIND.binary : KIND.lateBinary, text: NOTHING }
}

function hasEarlyNul(fd: number, buffer: Buffer): boolean {
  const length = readSync(fd, buffer, 0, FIRST_LOOK, 0)
  return searchableText(buffer.subarray(0, length)) === undefined
}

/** Reads from this position to the end of the file, which is expected after `size` bytes, or until the buffer is full. */
function readAll(fd: number, buffer: Buffer, size: number, position = 0): number {
  let length = 0
  for (;;) {
    const wantedBytes = buffer.length - length
    const more = readSync(fd, buffer, length, wantedBytes, position + length)
    if (more === 0) return length
    length += more
    if (more === wantedBytes || length === size) return length
  }
}

const isSame = (one: BigIntStats, other: BigIntStats): boolean =>
  one.ctimeNs === other.ctimeNs &&
  one.mtimeNs === other.mtimeNs &&
  one.size === other.size &&
  one.ino === other.ino &&
  one.dev === other.dev

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`

function placeOf(directory: string): string {
  try {
    return readlinkSync(directory)
  } catch {
    return directory
  }
}

function pathBelow(directory: string, path: string): string | Buffer {
  const name = onDisk(path)
  return typeof name === 'string' ? `${directory}/${name}` : Buffer.concat([Buffer.from(`${directory}/`), name])
}
