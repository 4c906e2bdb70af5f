import { isRacy, sameLook, stampOf, type Looked } from './stamp.ts'
import type { TreeChange, TreeFile } from './tree.ts'

/** The list of files, and the listeners for its changes. */
export interface Catalog {
  readonly files: ReadonlyMap<string, KnownFile>
  version(): number
  /** Stores the result of a look at a new or changed file. Returns it as listed. */
  put(path: string, looked: Looked, lookedAtMs: number): KnownFile
  remove(path: string): void
  onChange(listener: (change: TreeChange) => void): () => void
  /** Reports all changes since the last call. If a listener throws, rethrows after all are notified. */
  tell(): void
}

/** Starts with files known from before, which have not been looked at yet. */
export function createCatalog(initialFiles: Iterable<KnownFile> = []): Catalog {
  const files = new Map<string, KnownFile>()
  const listeners = new Set<(change: TreeChange) => void>()
  let changes = new Map<string, TreeFile | undefined>()
  let version = 0
  // Stamps of an earlier process may be stored somewhere: never use one twice.
  let looks = Date.now()
  for (const file of initialFiles) files.set(file.path, file)

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
      changes.set(path, file)
      return file
    },
    remove(path) {
      if (files.delete(path)) changes.set(path, undefined)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell() {
      if (changes.size === 0) return
      version++
      const put: TreeFile[] = []
      const removedPaths: string[] = []
      for (const [path, file] of changes) {
        if (file === undefined) removedPaths.push(path)
        else put.push(file)
      }
      changes = new Map()
      const failures: unknown[] = []
      for (const listener of listeners) {
        try {
          listener({ put, gone: removedPaths })
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}

export interface KnownFile extends TreeFile, Looked {
  /** It could have changed within a clock tick after the look. */
  readonly racy: boolean
}

/** Returns true if a file is certainly unchanged. */
export const isSame = (before: KnownFile, look: Looked): boolean => !before.racy && sameLook(before, look)
