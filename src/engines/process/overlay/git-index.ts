import { createHash } from 'node:crypto'

/** One path of what git is to commit next. */
export interface IndexEntry {
  /** What the disk said of the file: times, device, owner, size, and its mode among them. */
  readonly stat: Buffer
  readonly id: Buffer
  readonly flags: number
  /** Of an entry that has more to say: left out of the work tree, meant to be added. */
  readonly more: number
  readonly path: Buffer
}

export interface GitIndex {
  readonly entries: readonly IndexEntry[]
  readonly extensions: readonly { readonly name: string; readonly data: Buffer }[]
}

/** Git leaves the file of such an entry alone. */
export const SKIPPED = 0x4000

const SIGNATURE = 'DIRC'
const STAT = 40
const ID = 20
const EXTENDED = 0x4000
/** Where entries lie in the file, which a new file says by itself. */
const OFFSETS = new Set(['EOIE', 'IEOT'])

/** The index of a repository; undefined where it is in a form that is not read here: split, sparse, SHA-256. */
export function readIndex(bytes: Buffer): GitIndex | undefined {
  if (bytes.length < 12 + ID || bytes.toString('latin1', 0, 4) !== SIGNATURE) return undefined
  const version = bytes.readUInt32BE(4)
  const end = bytes.length - ID
  const sum = bytes.subarray(end)
  if (version < 2 || version > 4 || !(sum.equals(sumOf(bytes.subarray(0, end))) || sum.every(byte => byte === 0)))
    return undefined
  try {
    const { entries, at } = entriesIn(bytes, version)
    const extensions = extensionsIn(bytes.subarray(at, end))
    // One whose name is written small changes what the entries mean.
    return extensions.some(({ name }) => /^[^A-Z]/.test(name)) ? undefined : { entries, extensions }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The same index as bytes, in the plain form that every git reads. */
export function writeIndex({ entries, extensions }: GitIndex): Buffer {
  const head = Buffer.alloc(12)
  head.write(SIGNATURE, 'latin1')
  head.writeUInt32BE(entries.some(({ more }) => more !== 0) ? 3 : 2, 4)
  head.writeUInt32BE(entries.length, 8)
  const body = Buffer.concat([
    head,
    ...entries.flatMap(bytesOfEntry),
    ...extensions
      .filter(({ name }) => !OFFSETS.has(name))
      .flatMap(({ name, data }) => [sized(name, data.length), data]),
  ])
  return Buffer.concat([body, sumOf(body)])
}

/** Whether two say the same of the same paths, whatever the disk said of the files when they were written. */
export const isSameIndex = (one: GitIndex, other: GitIndex): boolean =>
  one.entries.length === other.entries.length &&
  one.entries.every((entry, at) => {
    const twin = other.entries[at]
    return (
      twin !== undefined &&
      entry.path.equals(twin.path) &&
      entry.id.equals(twin.id) &&
      modeOf(entry) === modeOf(twin) &&
      (entry.flags & ~EXTENDED) === (twin.flags & ~EXTENDED) &&
      entry.more === twin.more
    )
  })

const modeOf = ({ stat }: IndexEntry): number => stat.readUInt32BE(24)

function entriesIn(bytes: Buffer, version: number): { readonly entries: IndexEntry[]; readonly at: number } {
  const entries: IndexEntry[] = []
  let previous: Buffer = Buffer.alloc(0)
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = bytes.readUInt16BE(at + STAT + ID)
    const isExtended = version > 2 && (flags & EXTENDED) !== 0
    const more = isExtended ? bytes.readUInt16BE(at + STAT + ID + 2) : 0
    const head = STAT + ID + (isExtended ? 4 : 2)
    const name = version === 4 ? shared(bytes, at + head, previous) : { path: Buffer.alloc(0), at: at + head }
    const end = bytes.indexOf(0, name.at)
    if (end < 0) throw new RangeError('A path has no end')
    previous = Buffer.concat([name.path, bytes.subarray(name.at, end)])
    entries.push({
      stat: bytes.subarray(at, at + STAT),
      id: bytes.subarray(at + STAT, at + STAT + ID),
      flags,
      more,
      path: previous,
    })
    at = version === 4 ? end + 1 : at + padded(head + previous.length)
  }
  return { entries, at }
}

/** In the fourth form a path says how much of the one before it is to go, and what comes in its place. */
function shared(bytes: Buffer, start: number, previous: Buffer): { readonly path: Buffer; readonly at: number } {
  let at = start
  let byte = bytes.readUInt8(at++)
  let cut = byte & 127
  while (byte & 128) {
    byte = bytes.readUInt8(at++)
    cut = (cut + 1) * 128 + (byte & 127)
  }
  return { path: previous.subarray(0, Math.max(0, previous.length - cut)), at }
}

function extensionsIn(bytes: Buffer): GitIndex['extensions'] {
  const found = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at + 4)
    if (at + 8 + size > bytes.length) throw new RangeError('An extension has no end')
    found.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + size) })
    at += 8 + size
  }
  return found
}

function bytesOfEntry({ stat, id, flags, more, path }: IndexEntry): Buffer[] {
  const words = Buffer.alloc(more === 0 ? 2 : 4)
  words.writeUInt16BE(more === 0 ? flags & ~EXTENDED : flags | EXTENDED)
  if (more !== 0) words.writeUInt16BE(more, 2)
  const length = STAT + ID + words.length + path.length
  return [stat, id, words, path, Buffer.alloc(padded(length) - length)]
}

/** To a multiple of eight, with one NUL at least. */
const padded = (length: number): number => (length + 8) & ~7

const sized = (name: string, size: number): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32BE(size, 4)
  return head
}

const sumOf = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest()
