import { createHash } from 'node:crypto'

/** One path in git's index. */
export interface IndexEntry {
  /** File status at that time: times, device, owner, size and mode. */
  readonly stat: Buffer
  readonly id: Buffer
  readonly flags: number
  /** Flags of an extended entry: skip-worktree, intent-to-add. */
  readonly more: number
  readonly path: Buffer
}

export interface GitIndex {
  readonly entries: readonly IndexEntry[]
  readonly extensions: readonly { readonly name: string; readonly data: Buffer }[]
}

/** Git ignores the file of an entry with this flag. */
export const SKIPPED = 0x4000

const SIGNATURE = 'DIRC'
const STAT = 40
/** Bytes of an object id: SHA-1, SHA-256. */
export type IdSize = 20 | 32
const ID = 20
const EXTENDED = 0x4000
/** Maximum path length in an entry's flags; longer paths have this value. */
const LENGTH = 0xfff
/** Allowed flags of an extended entry: skip-worktree, intent-to-add. */
const EXTENDED_FLAGS = 0x6000
/** Offsets of entries in the file; recomputed for a new file. */
const OFFSETS = new Set(['EOIE', 'IEOT'])

/** Reads a repository's index. Returns undefined for a form that is not rewritten here: split, sparse, SHA-256. */
export function readIndex(bytes: Buffer): GitIndex | undefined {
  const index = parseIndex(bytes, ID)
  // An extension with a lower-case name changes the meaning of the entries.
  return index?.extensions.some(({ name }) => /^[^A-Z]/.test(name)) ? undefined : index
}

/**
 * Parses the index in any form that git writes. Returns undefined if a byte differs from what git would write, since
 * another reader, or a git thread that starts in the middle, could then see other entries.
 */
export function parseIndex(bytes: Buffer, idSize: IdSize): GitIndex | undefined {
  if (bytes.length < 12 + idSize || bytes.toString('latin1', 0, 4) !== SIGNATURE) return undefined
  const version = bytes.readUInt32BE(4)
  const end = bytes.length - idSize
  const sum = bytes.subarray(end)
  if (version < 2 || version > 4) return undefined
  if (!sum.every(byte => byte === 0) && !sum.equals(sumOf(bytes.subarray(0, end), idSize))) return undefined
  try {
    const { entries, starts, at } = entriesIn(bytes.subarray(0, end), version, idSize)
    const extensions = extensionsIn(bytes.subarray(at, end))
    ensureOffsets(extensions, starts, at)
    return { entries, extensions }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Returns the index as bytes, in the plain form that every git reads. */
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
      .flatMap(({ name, data }) => [extensionHead(name, data.length), data]),
  ])
  return Buffer.concat([body, sumOf(body)])
}

/** Reports whether both hold the same entries, regardless of file status. */
export const isSameIndex = (one: GitIndex, other: GitIndex): boolean =>
  one.entries.length === other.entries.length &&
  one.entries.every((entry, at) => {
    const otherEntry = other.entries[at]
    return (
      otherEntry !== undefined &&
      entry.path.equals(otherEntry.path) &&
      entry.id.equals(otherEntry.id) &&
      modeOf(entry) === modeOf(otherEntry) &&
      (entry.flags & ~EXTENDED) === (otherEntry.flags & ~EXTENDED) &&
      entry.more === otherEntry.more
    )
  })

export const modeOf = ({ stat }: IndexEntry): number => stat.readUInt32BE(24)

interface Entries {
  readonly entries: IndexEntry[]
  /** Offsets of entries that can be read without their predecessor. */
  readonly starts: ReadonlyMap<number, number>
  readonly at: number
}

function entriesIn(bytes: Buffer, version: number, idSize: IdSize): Entries {
  const entries: IndexEntry[] = []
  const starts = new Map<number, number>()
  let previous: Buffer = Buffer.alloc(0)
  let at = 12
  for (let entriesLeft = bytes.readUInt32BE(8); entriesLeft > 0; entriesLeft--) {
    const flags = bytes.readUInt16BE(at + STAT + idSize)
    const isExtended = (flags & EXTENDED) !== 0
    const more = isExtended ? bytes.readUInt16BE(at + STAT + idSize + 2) : 0
    if ((isExtended && version === 2) || (more & ~EXTENDED_FLAGS) !== 0)
      throw new RangeError('An entry has unknown flags')
    const head = STAT + idSize + (isExtended ? 4 : 2)
    const name = version === 4 ? pathInVersion4(bytes, at + head, previous) : { path: Buffer.alloc(0), at: at + head }
    const end = bytes.indexOf(0, name.at)
    if (end < 0) throw new RangeError('A path has no end')
    if (name.path.length === 0) starts.set(at, entries.length)
    previous = Buffer.concat([name.path, bytes.subarray(name.at, end)])
    if ((flags & LENGTH) !== Math.min(previous.length, LENGTH)) throw new RangeError('A path has another length')
    entries.push({
      stat: bytes.subarray(at, at + STAT),
      id: bytes.subarray(at + STAT, at + STAT + idSize),
      flags,
      more,
      path: previous,
    })
    at = version === 4 ? end + 1 : at + paddedLength(head + previous.length)
    if (bytes.subarray(end, at).some(byte => byte !== 0)) throw new RangeError('Unexpected bytes after a path')
  }
  return { entries, starts, at }
}

/** Git threads start at the offsets in these extensions, so each must be a real start of an entry or extension. */
function ensureOffsets(extensions: GitIndex['extensions'], starts: Entries['starts'], end: number): void {
  for (const { name, data } of extensions) {
    if (name === 'EOIE' && data.readUInt32BE(0) !== end) throw new RangeError('Extensions begin elsewhere')
    if (name !== 'IEOT') continue
    let count = 0
    for (let at = 4; at < data.length; at += 8) {
      if (starts.get(data.readUInt32BE(at)) !== count) throw new RangeError('A block of entries has a wrong offset')
      count += data.readUInt32BE(at + 4)
    }
  }
}

/** A path in version 4 says how many bytes of the previous path to drop and what to append. */
function pathInVersion4(
  bytes: Buffer,
  start: number,
  previous: Buffer,
): { readonly path: Buffer; readonly at: number } {
  let at = start
  let byte = bytes.readUInt8(at++)
  let cut = byte & 127
  while (byte & 128) {
    byte = bytes.readUInt8(at++)
    cut = (cut + 1) * 128 + (byte & 127)
    if (cut > previous.length) break
  }
  if (cut > previous.length) throw new RangeError('A path shares more than the previous path has')
  return { path: previous.subarray(0, previous.length - cut), at }
}

function extensionsIn(bytes: Buffer): GitIndex['extensions'] {
  const extensions = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at + 4)
    if (at + 8 + size > bytes.length) throw new RangeError('An extension has no end')
    extensions.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + size) })
    at += 8 + size
  }
  return extensions
}

function bytesOfEntry({ stat, id, flags, more, path }: IndexEntry): Buffer[] {
  const words = Buffer.alloc(more === 0 ? 2 : 4)
  words.writeUInt16BE(more === 0 ? flags & ~EXTENDED : flags | EXTENDED)
  if (more !== 0) words.writeUInt16BE(more, 2)
  const length = STAT + ID + words.length + path.length
  return [stat, id, words, path, Buffer.alloc(paddedLength(length) - length)]
}

/** Pads to a multiple of eight, with at least one NUL. */
const paddedLength = (length: number): number => (length + 8) & ~7

const extensionHead = (name: string, size: number): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32BE(size, 4)
  return head
}

const sumOf = (bytes: Buffer, idSize: IdSize = ID): Buffer =>
  createHash(idSize === ID ? 'sha1' : 'sha256')
    .update(bytes)
    .digest()
