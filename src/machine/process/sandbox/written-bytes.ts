import { lstatSync, readdirSync, statfsSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { Tree } from './types.ts'

const BLOCK = 512

/**
 * Returns a function that counts the bytes a command has written to its layer; exact only if they may exceed `limit`.
 * Checks the disk's free space first, which is fast, and counts files only if that much is gone.
 */
export function writtenBytes(tree: Tree, limit: number): () => number {
  const place = tree.kind === 'overlay' ? tree.upper : tree.kind === 'copy' ? tree.path : undefined
  // On the same disk: the layers of one command lie side by side.
  const second = tree.kind === 'overlay' ? tree.second?.upper : undefined
  const before = place === undefined ? undefined : freeAt(place)
  if (place === undefined || before === undefined) return () => 0
  return () => {
    const now = freeAt(place)
    if (now === undefined || before - now <= limit) return 0
    return bytesBelow(place, limit) + (second === undefined ? 0 : bytesBelow(second, limit))
  }
}

function freeAt(place: string): number | undefined {
  try {
    const { bfree, bsize } = statfsSync(place)
    return bfree * bsize
  } catch {
    return undefined
  }
}

/** Returns the disk usage below a directory, so holes do not count. Stops once it reaches `enough`. */
function bytesBelow(directory: string, enough: number): number {
  let bytes = 0
  for (const name of readNames(directory)) {
    const place = join(directory, name)
    const stats = statsOf(place)
    if (!stats) continue
    bytes += stats.blocks * BLOCK
    if (stats.isDirectory()) bytes += bytesBelow(place, enough - bytes)
    if (bytes > enough) break
  }
  return bytes
}

function statsOf(place: string): Stats | undefined {
  try {
    return lstatSync(place)
  } catch {
    // It disappeared, or it lies deeper than a path can be long: what is above it is counted.
    return undefined
  }
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // It disappeared during the walk, or the command closed it.
    return []
  }
}
