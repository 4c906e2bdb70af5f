import { closeSync, fstatSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePrivateDirectory } from '../state/private-file.ts'

/** Limits on the size and age of all state. */
export interface StateBounds {
  /** Limit over all workspaces together. */
  readonly maxBytes: number
  readonly maxAgeMs: number
}

export const DEFAULT_BOUNDS: StateBounds = { maxBytes: 2 * 1024 ** 3, maxAgeMs: 90 * 24 * 3600 * 1000 }

/** Counted in blocks, like disks: many small files take more than their bytes. */
const BLOCK = 4096

const fileIn = (home: string): string => join(home, 'growth')

/**
 * Adds to the size estimate of a state directory and returns it. The estimate is the size of a file with one byte per
 * block: one append adds, exactly even with concurrent processes, and nothing has to be listed.
 */
export function addGrowth(home: string, bytes: number): number {
  const fd = openGrowth(home)
  try {
    const blocks = Math.ceil(bytes / BLOCK)
    if (blocks > 0) writeSync(fd, Buffer.alloc(blocks))
    const { size } = fstatSync(fd)
    // Not measured yet: it may be any size.
    return size === blocks ? Infinity : size * BLOCK
  } finally {
    closeSync(fd)
  }
}

/** Every change counts here, so it looks for the directory only if the file cannot be opened. */
function openGrowth(home: string): number {
  try {
    return openSync(fileIn(home), 'a', 0o600)
  } catch {
    makePrivateDirectory(home)
    return openSync(fileIn(home), 'a', 0o600)
  }
}

/** Returns the current estimate, or 0 before the first measurement. */
export const growthOf = (home: string): number => (sizeOf(home) ?? 0) * BLOCK

/**
 * Counts a write to a cache of a workspace with this directory. Does nothing before the first measurement, which will
 * include it, and ignores failures, since a cache is optional.
 */
export function cacheGrew(folder: string, bytes: number): void {
  const home = dirname(dirname(dirname(folder)))
  try {
    if (sizeOf(home) !== undefined) addGrowth(home, bytes)
  } catch {}
}

/** Returns a function that counts the growth of a cache database, with its write-ahead log, since the last call. */
export function countDatabase(file: string): () => void {
  const bytes = (): number =>
    ['', '-wal'].reduce((sum, ending) => sum + (statSync(file + ending, { throwIfNoEntry: false })?.size ?? 0), 0)
  let lastBytes = bytes()
  return () => {
    const now = bytes()
    if (now > lastBytes) cacheGrew(dirname(file), now - lastBytes)
    lastBytes = now
  }
}

/** Starts a measurement. The returned function takes its result and adds what grew in the meantime. */
export function measuring(home: string): (bytes: number) => void {
  const before = sizeOf(home) ?? 0
  return bytes => {
    const growth = Math.max(0, (sizeOf(home) ?? 0) - before)
    closeSync(openSync(fileIn(home), 'a', 0o600))
    truncateSync(fileIn(home), Math.max(1, Math.ceil(bytes / BLOCK)) + growth)
  }
}

const sizeOf = (home: string): number | undefined => statSync(fileIn(home), { throwIfNoEntry: false })?.size
