import type { FSWatcher, Stats } from 'node:fs'
import type { Folder } from './folder.ts'

/**
 * Watches a file with several names: a change through another name notifies that directory, not ours. Returns true if a
 * watch was just started, so that the file must be looked at once more.
 */
export function followLinks(folder: Folder, name: string, stats: Stats, watch: () => FSWatcher | undefined): boolean {
  const linkWatch = folder.linked?.get(name)
  if (stats.nlink > 1 && linkWatch?.ino === stats.ino) return false
  unfollow(folder, name)
  const watcher = stats.nlink > 1 ? watch() : undefined
  if (watcher === undefined) return false
  folder.linked ??= new Map()
  folder.linked.set(name, { ino: stats.ino, watcher })
  return true
}

export function unfollow(folder: Folder, name: string): void {
  folder.linked?.get(name)?.watcher.close()
  folder.linked?.delete(name)
}
