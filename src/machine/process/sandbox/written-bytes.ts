import { lstatSync, readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Tree } from './types.ts'

const BLOCK = 512

/**
 * Asks how much a command has written to the layer that holds what it changes, in so far as it may be more than `limit`.
 * The disk is asked first, which is quick: only where so much less is free than before, everything is counted.
 */
export function writtenBytes(tree: Tree, limit: number): () => number {
  const place = tree.kind === 'overlay' ? tree.upper : tree.kind === 'copy' ? tree.path : undefined
  // On the same disk: layers of one command lie beside each other.
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

/** What lies there takes on disk, so that holes do not count; not more exactly than that it is enough. */
function bytesBelow(directory: string, enough: number): number {
  let bytes = 0
  for (const name of readNames(directory)) {
    const place = join(directory, name)
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (!stats) continue
    bytes += stats.blocks * BLOCK
    if (stats.isDirectory()) bytes += bytesBelow(place, enough - bytes)
    if (bytes > enough) break
  }
  return bytes
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // It went while we looked, or the command closed it.
    return []
  }
}
