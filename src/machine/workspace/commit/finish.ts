import type { KeyObject } from 'node:crypto'
import { errnoOf } from '../disk-error.ts'
import type { Place } from './commit-store.ts'
import { keptEntryName } from './entry-name.ts'
import { createWith } from './file-bytes.ts'
import { encodeIntent, restsOnIntent, type Intent, type Step } from './intent.ts'
import type { Site } from './site.ts'
import type { Name, Sys } from '../sys.ts'

/**
 * The commit point: once the intent has its name on disk, the commit will be carried out. New contents, and the data of
 * `syncOwn`, are on disk before. No step outlasts a power cut without that name: it is synced, or the step rests on it.
 */
export function decide(site: Site, place: Place, intent: Intent, key: KeyObject, syncOwn: () => void): void {
  const { sys, own } = site
  const fd = createWith(sys, own, 'intent.new', encodeIntent(intent, key))
  try {
    // The name of the commit's directory is new too.
    site.settle(fd, place.pending, syncOwn)
  } finally {
    sys.close(fd)
  }
  sys.rename(own, 'intent.new', own, 'intent')
  if (!intent.steps.every(restsOnIntent)) sys.syncDirectory(own)
}

/** Everything is in its place and on disk: from here on nothing is rolled back. */
export const seal = ({ sys, own }: Site): void => sys.rename(own, 'intent', own, 'done')

/** Reduces a sealed commit to its undo record and moves that into place. The one sync also covers the seal. */
export function tidy(site: Site, place: Place, name: string, steps: readonly Step[]): void {
  const { sys, own } = site
  for (const [index, step] of steps.entries())
    if (step.kind === 'put' || step.kind === 'mkdir') removeOne(sys, own, `n${index}`)
    else if (step.kind === 'move' || step.kind === 'rmdir') removeOne(sys, own, `x${index}`)
  sys.syncDirectory(own)
  sys.rename(place.pending, name, place.undo, name)
}

/** Marks the commit as not to be continued, on disk, before the first step back. */
export function abandon({ sys, own }: Site): void {
  if (sys.lstat(own, 'abort') !== undefined) return
  sys.rename(own, 'intent', own, 'abort')
  sys.syncDirectory(own)
}

/**
 * Removes a commit that was rolled back or never got its intent. Contents that could not return to their name are
 * stored with the undo records and count like them.
 */
export function discard(site: Site, place: Place, name: string, keptFiles: ReadonlySet<string> = new Set()): void {
  const { sys, own } = site
  if (keptFiles.size === 0) {
    removeOne(sys, own, 'abort')
    removeEntry(sys, place.pending, name)
    return
  }
  for (const file of sys.list(own).map(String)) if (file !== 'abort' && !keptFiles.has(file)) removeOne(sys, own, file)
  sys.rename(place.pending, name, place.undo, keptEntryName(name))
}

/** Removes a commit's directory with its contents. Removes the record first, so that a half-removed one has none. */
export function removeEntry(sys: Sys, parent: number, name: Name): void {
  const entryDirectory = sys.openDirectory(parent, name)
  try {
    removeOne(sys, entryDirectory, 'done')
    for (const file of sys.list(entryDirectory)) removeOne(sys, entryDirectory, file)
  } finally {
    sys.close(entryDirectory)
  }
  sys.rmdir(parent, name)
}

/**
 * Also accepts a missing entry, and a directory, which is always empty: only empty ones are removed from the workspace.
 */
function removeOne(sys: Sys, dir: number, name: Name): void {
  try {
    sys.unlink(dir, name)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'ENOENT') return
    if (errno !== 'EISDIR' && errno !== 'EPERM') throw error
    if (sys.lstat(dir, name)?.isDirectory() !== true) throw error
    sys.rmdir(dir, name)
  }
}
