import { isRacy, sameLook, stampOf, type Looked } from './stamp.ts'
import type { TreeChange, TreeFile } from './tree.ts'

/** The list of files itself, and who wants to hear of its changes. */
export interface Catalog {
  readonly files: ReadonlyMap<string, KnownFile>
  version(): number
  /** Takes in what a look at a file found that was not known, or not as it is now; gives it as listed. */
  put(path: string, looked: Looked, lookedAtMs: number): KnownFile
  remove(path: string): void
  onChange(listener: (change: TreeChange) => void): () => void
  /** Tells of everything since the last time; throws what a listener threw, once all are told. */
  tell(): void
}

/** Starts with files that were known before, which nobody has looked at yet. */
export function createCatalog(known: Iterable<KnownFile> = []): Catalog {
  const files = new Map<string, KnownFile>()
  const listeners = new Set<(change: TreeChange) => void>()
  let changed = new Map<string, TreeFile | undefined>()
  let version = 0
  // Stamps of an earlier process may be kept somewhere: none is given twice.
  let looks = Date.now()
  for (const file of known) files.set(file.path, file)

  return {
    files,
    version: () => version,
    put(path, looked, lookedAtMs) {
      const before = files.get(path)
      if (before !== undefined && isSame(before, looked)) return before
      const { ino, size, mtimeMs, ctimeMs } = looked
      const unsure = before !== undefined && sameLook(before, looked)
      const stamp = unsure ? `${stampOf(looked)}~${(++looks).toString(36)}` : stampOf(looked)
      const file = { path, size, mtimeMs, stamp, ino, ctimeMs, racy: isRacy(looked, lookedAtMs) }
      files.set(path, file)
      changed.set(path, file)
      return file
    },
    remove(path) {
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
      const failed: unknown[] = []
      for (const listener of listeners) {
        try {
          listener({ put, gone })
        } catch (error) {
          failed.push(error)
        }
      }
      if (failed.length > 0) throw failed[0]
    },
  }
}

export interface KnownFile extends TreeFile, Looked {
  /** It could have changed within a tick of the clock after it was looked at. */
  readonly racy: boolean
}

/** True if a file is surely what it was. */
export const isSame = (before: KnownFile, looked: Looked): boolean => !before.racy && sameLook(before, looked)
