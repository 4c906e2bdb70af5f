import { errnoOf } from '../disk-error.ts'
import type { Place } from './commit-store.ts'
import { keptEntryName } from './entry-name.ts'
import { createWith } from './file-bytes.ts'
import { encodeIntent, type Intent, type Step } from './intent.ts'
import type { Site } from './site.ts'
import type { Name, Sys } from '../sys.ts'

/**
 * The commit point: once the intent stands under its name, and that is on disk, the commit will be carried out. New
 * contents, and what `syncOwn` syncs, are on disk before.
 */
export function decide(site: Site, place: Place, intent: Intent, key: Buffer, syncOwn: () => void): void {
  const { sys, own } = site
  const fd = createWith(sys, own, 'intent.new', encodeIntent(intent, key))
  try {
    // The commit's own directory is a new name as well.
    site.settle(fd, place.pending, syncOwn)
  } finally {
    sys.close(fd)
  }
  sys.rename(own, 'intent.new', own, 'intent')
  sys.syncDirectory(own)
}

/** Everything is in its place and on disk: from here on nothing is taken back. */
export const seal = ({ sys, own }: Site): void => sys.rename(own, 'intent', own, 'done')

/** Leaves of a sealed commit what undo needs, and puts it there. The one sync covers the seal as well. */
export function tidy(site: Site, place: Place, name: string, steps: readonly Step[]): void {
  const { sys, own } = site
  for (const [index, step] of steps.entries())
    if (step.kind === 'put' || step.kind === 'mkdir') removeOne(sys, own, `n${index}`)
    else if (step.kind === 'move' || step.kind === 'rmdir') removeOne(sys, own, `x${index}`)
  sys.syncDirectory(own)
  sys.rename(place.pending, name, place.undo, name)
}

/** Nobody may take this commit forward any more; said, and on disk, before the first step back. */
export function abandon({ sys, own }: Site): void {
  if (sys.lstat(own, 'abort') !== undefined) return
  sys.rename(own, 'intent', own, 'abort')
  sys.syncDirectory(own)
}

/**
 * Removes a commit that was taken back, or that never got its intent. Contents that could not go back to their name are
 * kept where undo records are, and count like them.
 */
export function discard(site: Site, place: Place, name: string, kept: ReadonlySet<string> = new Set()): void {
  const { sys, own } = site
  if (kept.size === 0) {
    removeOne(sys, own, 'abort')
    removeEntry(sys, place.pending, name)
    return
  }
  for (const file of sys.list(own).map(String)) if (file !== 'abort' && !kept.has(file)) removeOne(sys, own, file)
  sys.rename(place.pending, name, place.undo, keptEntryName(name))
}

/** Removes a commit's directory with all that is in it; the record first, so that a half-removed one has none. */
export function removeEntry(sys: Sys, parent: number, name: Name): void {
  const own = sys.openDirectory(parent, name)
  try {
    removeOne(sys, own, 'done')
    for (const file of sys.list(own)) removeOne(sys, own, file)
  } finally {
    sys.close(own)
  }
  sys.rmdir(parent, name)
}

/** Also what is gone already, and a directory, which is empty: it was removed from the workspace as that. */
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
