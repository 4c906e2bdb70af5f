import type { BigIntStats } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { onDisk } from '../../machine/workspace/name.ts'
import { parentOf } from '../../machine/workspace/path.ts'
import type { Root } from '../../machine/workspace/root.ts'

/** Returns what lies at a canonical path now, reached through held directories. Undefined if a link is on the way. */
export function entryInPlace(root: Root, path: string): BigIntStats | undefined {
  try {
    const location = root.resolve(path, { link: true })
    location.release()
    return location.rel === path ? location.stats : undefined
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}

/** Returns those of the canonical paths at which a regular file lies now. Holds each directory once. */
export function filesInPlace(root: Root, paths: readonly string[]): readonly string[] {
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    const folder = parentOf(path)
    const names = folders.get(folder)
    if (names) names.push(path)
    else folders.set(folder, [path])
  }
  return [...folders.values()].flatMap(inFolder => filesInFolder(root, inFolder))
}

function filesInFolder(root: Root, paths: readonly string[]): readonly string[] {
  const [first = ''] = paths
  try {
    const location = root.resolve(first, { link: true })
    try {
      if (location.rel !== first || location.missing.length > 0) return []
      const start = first.lastIndexOf('/') + 1
      return paths.filter(path => root.sys.lstat(location.dir, onDisk(path.slice(start)))?.isFile())
    } finally {
      location.release()
    }
  } catch (error) {
    if (error instanceof ToolError) return []
    throw error
  }
}
