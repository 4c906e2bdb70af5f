import type { BigIntStats } from 'node:fs'
import { isRacy, stampOf } from './stamp.ts'
import type { TreeChange, TreeFile } from './tree.ts'

/** The list of files itself, and who wants to hear of its changes. */
export interface Catalog {
  readonly files: ReadonlyMap<string, TreeFile>
  /** Files that could have changed within a tick of the clock after they were looked at. */
  readonly racy: ReadonlySet<string>
  version(): number
  /** Takes in what a look at a file found, and gives the file as it is now listed. */
  put(path: string, stats: BigIntStats, lookedAtMs: number): TreeFile
  remove(path: string): void
  onChange(listener: (change: TreeChange) => void): () => void
  /** Tells of everything since the last time. */
  tell(): void
}

/** Starts with files that were known before, which nobody has looked at yet. */
export function createCatalog(known: Iterable<TreeFile> = [], knownRacy: Iterable<string> = []): Catalog {
  const files = new Map<string, TreeFile>()
  const racy = new Set<string>(knownRacy)
  const listeners = new Set<(change: TreeChange) => void>()
  let changed = new Map<string, TreeFile | undefined>()
  let version = 0
  // Stamps of an earlier process may be kept somewhere: none is given twice.
  let looks = Date.now()
  for (const file of known) files.set(file.path, file)

  return {
    files,
    racy,
    version: () => version,
    put(path, stats, lookedAtMs) {
      const stamp = stampOf(stats)
      const before = files.get(path)
      const same = before !== undefined && sameStats(before.stamp, stamp)
      const wasRacy = racy.has(path)
      if (isRacy(stats, lookedAtMs)) racy.add(path)
      else if (wasRacy) racy.delete(path)
      if (same && !wasRacy) return before
      const size = Number(stats.size)
      const mtimeMs = Number(stats.mtimeNs) / 1e6
      const file: TreeFile = { path, size, mtimeMs, stamp: same ? `${stamp}~${(++looks).toString(36)}` : stamp }
      files.set(path, file)
      changed.set(path, file)
      return file
    },
    remove(path) {
      racy.delete(path)
      if (files.delete(path)) changed.set(path, undefined)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell() {
      if (changed.size === 0) return
      version++
      const put: TreeFile[] = []
      const gone: string[] = []
      for (const [path, file] of changed) {
        if (file === undefined) gone.push(path)
        else put.push(file)
      }
      changed = new Map()
      for (const listener of listeners) listener({ put, gone })
    },
  }
}

/** A stamp given for a look alone has a mark after what the disk said. */
const sameStats = (before: string, now: string): boolean =>
  before === now || (before.startsWith(now) && before.charAt(now.length) === '~')
