import type { Change } from '../../kernel/change.ts'
import type { Staging } from './staging.ts'

/** Bytes `from` up to `to` of a file of `of` bytes. */
export interface ReadPart {
  readonly from: number
  readonly to: number
  readonly of: number
}

/** The last seen state of each file in a session: the precondition of its next write there. */
export interface ReadMemory {
  /** Returns the hash last read or written, or undefined for a file that this session does not know. */
  get(path: string): string | undefined
  /** Reports whether every byte of that content was seen, in one read or in several. */
  isWhole(path: string): boolean
  /** Returns the content last read or written, while it is kept: enough to say what changed since. */
  contentOf(path: string): Buffer | undefined
  /** Records a read. `bytes` are the whole content, where it is at hand. */
  note(path: string, hash: string, part?: ReadPart, bytes?: Buffer): void
  /** Records our own commit: the file now holds what we wrote, or is gone. */
  noteWritten(path: string, hash: string | undefined): void
  /** Records all changes of a commit of these staged states. */
  noteChanges(changes: readonly Change[], staging?: Pick<Staging, 'get'>): void
}

interface Seen {
  readonly hash: string
  /** The seen parts of a partly read file, sorted and disjoint. */
  readonly parts?: ReadPart[]
}

/** Maximum number of files that a session remembers; drops the least recently seen first. */
const MOST = 10_000

export function createReadMemory(): ReadMemory {
  const entriesByPath = new Map<string, Seen>()
  const contents = createContents()

  const set = (path: string, entry: Seen): void => {
    entriesByPath.delete(path)
    entriesByPath.set(path, entry)
    if (entriesByPath.size <= MOST) return
    const [oldest] = entriesByPath.keys()
    if (oldest !== undefined) entriesByPath.delete(oldest)
  }
  const note = (path: string, hash: string, part?: ReadPart): void => {
    const knownEntry = entriesByPath.get(path)
    const before = knownEntry?.hash === hash ? knownEntry : undefined
    if (part === undefined || (before && before.parts === undefined)) return set(path, { hash })
    const parts = before?.parts ?? []
    join(parts, part)
    const [first] = parts
    set(path, first && first.from === 0 && first.to >= part.of ? { hash } : { hash, parts })
  }
  const noteWritten = (path: string, hash: string | undefined): void => {
    if (hash === undefined) entriesByPath.delete(path)
    // An edit does not show the rest of the file.
    else set(path, entriesByPath.get(path)?.parts === undefined ? { hash } : { hash, parts: [] })
  }
  return {
    get: path => entriesByPath.get(path)?.hash,
    isWhole: path => entriesByPath.has(path) && entriesByPath.get(path)?.parts === undefined,
    contentOf: path => contents.get(path),
    note(path, hash, part, bytes) {
      note(path, hash, part)
      contents.set(path, bytes)
    },
    noteWritten(path, hash) {
      noteWritten(path, hash)
      contents.set(path, undefined)
    },
    noteChanges(changes, staging) {
      for (const { path, from, after } of changes) {
        if (from !== undefined) noteWritten(from, undefined)
        noteWritten(path, after)
        const state = staging?.get(path)?.state
        const landedFile = state?.type === 'file' && 'bytes' in state ? state : undefined
        if (landedFile?.holdsUnread) set(path, { hash: landedFile.hash, parts: [] })
        contents.set(path, landedFile?.bytes)
      }
    },
  }
}

const LARGEST_CONTENT = 256 * 1024
const MOST_CONTENT = 8 * 1024 * 1024

/** Keeps the contents that were set last, up to a total size. */
function createContents(): {
  get(path: string): Buffer | undefined
  set(path: string, bytes: Buffer | undefined): void
} {
  const contentsByPath = new Map<string, Buffer>()
  let total = 0
  const drop = (path: string): void => {
    total -= contentsByPath.get(path)?.length ?? 0
    contentsByPath.delete(path)
  }
  return {
    get: path => contentsByPath.get(path),
    set(path, bytes) {
      drop(path)
      if (bytes === undefined || bytes.length > LARGEST_CONTENT) return
      contentsByPath.set(path, bytes)
      total += bytes.length
      for (const oldest of contentsByPath.keys()) {
        if (total <= MOST_CONTENT) return
        drop(oldest)
      }
    },
  }
}

/** Inserts a part and keeps the parts sorted and disjoint: files are read in thousands of parts. */
function join(parts: ReadPart[], { from, to, of }: ReadPart): void {
  const first = firstEndingFrom(parts, from)
  let mergedPart = { from, to, of }
  let end = first
  for (let next = parts[end]; next && next.from <= mergedPart.to; next = parts[++end])
    mergedPart = { from: Math.min(mergedPart.from, next.from), to: Math.max(mergedPart.to, next.to), of }
  parts.splice(first, end - first, mergedPart)
}

/** Returns the index of the first part that does not end before this byte. */
function firstEndingFrom(parts: readonly ReadPart[], byte: number): number {
  let [from, to] = [0, parts.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((parts[middle]?.to ?? 0) < byte) from = middle + 1
    else to = middle
  }
  return from
}
