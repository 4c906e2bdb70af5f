import type { Folder } from './folder.ts'
import { syncFolder, syncName, type Depth, type SyncParts } from './sync-folder.ts'

/** Directories and names still to be looked at. */
export interface WorkQueue {
  size(): number
  enqueue(folder: Folder, depth: Depth): void
  mark(folder: Folder, name: string): void
  /** Looks at the next directory, or the next name. Returns false if nothing is left. */
  work(parts: SyncParts): boolean
  clear(): void
}

export function createWorkQueue(): WorkQueue {
  const folders: Folder[] = []
  const names = new Map<Folder, Set<string>>()
  let nameCount = 0
  let walk: { readonly folder: Folder; readonly rest: Iterator<string, undefined> } | undefined

  return {
    size: () => folders.length + nameCount,
    enqueue,
    mark,
    work: parts => workOnFolder(parts) || workOnName(parts),
    clear() {
      folders.length = 0
      names.clear()
      walk = undefined
      nameCount = 0
    },
  }

  function enqueue(folder: Folder, depth: Depth): void {
    if (folder.queued === undefined) folders.push(folder)
    if (folder.queued === undefined || ORDER[depth] > ORDER[folder.queued]) folder.queued = depth
  }

  function mark(folder: Folder, name: string): void {
    let markedNames = names.get(folder)
    if (markedNames === undefined) names.set(folder, (markedNames = new Set()))
    if (markedNames.has(name)) return
    markedNames.add(name)
    nameCount++
  }

  function workOnFolder(parts: SyncParts): boolean {
    const folder = folders.pop()
    if (folder === undefined) return false
    const depth = folder.queued ?? 'list'
    folder.queued = undefined
    if (folder.gone) return true
    try {
      syncFolder(parts, folder, depth)
    } catch (error) {
      enqueue(folder, depth)
      throw error
    }
    return true
  }

  function workOnName(parts: SyncParts): boolean {
    for (const [folder, markedNames] of names) {
      // Continues the same walk, because a new one would step over everything already removed.
      if (walk?.folder !== folder) walk = { folder, rest: markedNames.values() }
      const { value: name } = walk.rest.next()
      if (name === undefined) {
        names.delete(folder)
        walk = undefined
        continue
      }
      markedNames.delete(name)
      nameCount--
      if (folder.gone) return true
      try {
        syncName(parts, folder, name)
      } catch (error) {
        mark(folder, name)
        throw error
      }
      return true
    }
    return false
  }
}

const ORDER = { list: 0, verify: 1, all: 2 } as const
