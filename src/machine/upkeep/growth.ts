import { closeSync, fstatSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePrivateDirectory } from '../state/private-file.ts'

/** What all state may take on disk, and how long it is kept. */
export interface StateBounds {
  /** Over all workspaces together. */
  readonly maxBytes: number
  readonly maxAgeMs: number
}

export const DEFAULT_BOUNDS: StateBounds = { maxBytes: 2 * 1024 ** 3, maxAgeMs: 90 * 24 * 3600 * 1000 }

/** Counted in blocks, as disks do: many small files take more than their bytes. */
const BLOCK = 4096

const fileIn = (home: string): string => join(home, 'growth')

/**
 * Adds to the estimate of what a state directory takes, and returns it. It is the size of a file with one byte for each
 * block: adding is one append, which is exact whichever processes add at the same time, and nothing has to be listed.
 */
export function addGrowth(home: string, bytes: number): number {
  makePrivateDirectory(home)
  const fd = openSync(fileIn(home), 'a', 0o600)
  try {
    const blocks = Math.ceil(bytes / BLOCK)
    if (blocks > 0) writeSync(fd, Buffer.alloc(blocks))
    const { size } = fstatSync(fd)
    // Nobody has measured yet: it may be anything.
    return size === blocks ? Infinity : size * BLOCK
  } finally {
    closeSync(fd)
  }
}

/** The estimate as it stands; 0 where nobody has measured yet. */
export const growthOf = (home: string): number => (sizeOf(home) ?? 0) * BLOCK

/**
 * Counts what was written to a cache of a workspace, whose folder this is. Where nobody has measured yet the first
 * measurement will find it, and a cache is not worth a failure.
 */
export function cacheGrew(folder: string, bytes: number): void {
  const home = dirname(dirname(dirname(folder)))
  try {
    if (sizeOf(home) !== undefined) addGrowth(home, bytes)
  } catch {}
}

/** Counts, each time it is called, what a database of a cache has grown by since the last time, with its log of writes. */
export function countDatabase(file: string): () => void {
  const bytes = (): number =>
    ['', '-wal'].reduce((sum, ending) => sum + (statSync(file + ending, { throwIfNoEntry: false })?.size ?? 0), 0)
  let known = bytes()
  return () => {
    const now = bytes()
    if (now > known) cacheGrew(dirname(file), now - known)
    known = now
  }
}

/** Notes when a measurement begins; what is given back takes its result, with what was added meanwhile on top. */
export function measuring(home: string): (bytes: number) => void {
  const before = sizeOf(home) ?? 0
  return bytes => {
    const added = Math.max(0, (sizeOf(home) ?? 0) - before)
    closeSync(openSync(fileIn(home), 'a', 0o600))
    truncateSync(fileIn(home), Math.max(1, Math.ceil(bytes / BLOCK)) + added)
  }
}

const sizeOf = (home: string): number | undefined => statSync(fileIn(home), { throwIfNoEntry: false })?.size
