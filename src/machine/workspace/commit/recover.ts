import { ToolError } from '../../../kernel/error.ts'
import { apply, check } from './apply.ts'
import type { CommitStore, HeldRoot, Place } from './commit-store.ts'
import { errnoOf } from '../disk-error.ts'
import { decodeEntryName } from './entry-name.ts'
import { readWhole } from './file-bytes.ts'
import { removeEntry, seal, tidy } from './finish.ts'
import { releaseLocks, takeLocks } from './git-locks.ts'
import { decodeIntent, pathsOf, type Intent } from './intent.ts'
import { isPendingEmpty } from './pending-count.ts'
import { commitError, openSite, type Site } from './site.ts'
import type { Sys } from '../sys.ts'
import { revertCommit } from './revert-commit.ts'

/** How an interrupted commit was resolved. */
interface Recovered {
  readonly id: string
  /**
   * `completed`: it is in force. `taken back`: it was rolled back completely. `removed`: it had not begun. `damaged`:
   * its record is unreadable; its directory is set aside and the workspace unchanged.
   */
  readonly outcome: 'completed' | 'taken back' | 'removed' | 'damaged'
  readonly paths: readonly string[]
  /** Reason of the rollback, stored contents, or place of the damaged commit. */
  readonly note?: string
}

/**
 * Resolves every interrupted commit: completes it if its intent exists, rolls it back on a conflict. Call it under the
 * workspace's lock. Throws on an I/O error; the next call retries.
 */
export function recover(root: HeldRoot, store: CommitStore, sys: Sys = root.sys): Recovered[] {
  return store.places().flatMap(place => {
    if (isPendingEmpty(sys, place)) return []
    const names = attempt(place.path, () => sys.list(place.pending))
    return names
      .map(String)
      .toSorted()
      .map(name => attempt(decodeEntryName(name)?.id ?? name, () => recoverOne(root, store, place, name, sys)))
  })
}

function recoverOne(root: HeldRoot, store: CommitStore, place: Place, name: string, sys: Sys): Recovered {
  const id = decodeEntryName(name)?.id ?? name
  const site = openSite(sys, root.fd, place.pending, name)
  try {
    const state = (['done', 'abort', 'intent'] as const).find(file => sys.lstat(site.own, file) !== undefined)
    if (state === undefined) {
      removeEntry(sys, place.pending, name)
      return { id, outcome: 'removed', paths: [] }
    }
    const intent = decodeIntent(readWhole(sys, site.own, state), store.key)
    if (intent === undefined) return setAside(site, place, name, id)
    return bringToEnd(site, place, name, intent, state)
  } finally {
    site.close()
  }
}

function bringToEnd(
  site: Site,
  place: Place,
  name: string,
  intent: Intent,
  state: 'done' | 'abort' | 'intent',
): Recovered {
  const { id, steps } = intent
  const paths = pathsOf(steps)
  let why = 'it was interrupted during its rollback'
  try {
    if (state === 'intent') forward(site, steps)
    if (state !== 'abort') {
      releaseLocks(site, steps)
      tidy(site, place, name, steps)
      return { id, outcome: 'completed', paths }
    }
  } catch (error) {
    if (!(error instanceof ToolError && error.code === 'conflict')) throw error
    why = error.message
  }
  const keptContents = revertCommit(site, place, name, steps)
  return { id, outcome: 'taken back', paths, note: [why, ...keptContents].join('; ') }
}

function forward(site: Site, steps: Intent['steps']): void {
  takeLocks(site, steps)
  apply(site, steps)
  site.sync()
  check(site, steps)
  seal(site)
}

/** Changes nothing, because its effects are unknown: it may hold the only copy of a content. */
function setAside({ sys }: Site, place: Place, name: string, id: string): Recovered {
  try {
    sys.mkdir(place.dir, 'damaged', 0o700)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
  const damagedDirectory = sys.openDirectory(place.dir, 'damaged')
  try {
    sys.rename(place.pending, name, damagedDirectory, name)
  } finally {
    sys.close(damagedDirectory)
  }
  return { id, outcome: 'damaged', paths: [], note: `${place.path}/damaged/${name}` }
}

function attempt<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const failure = commitError(error, what)
    if (!(failure instanceof ToolError)) throw error
    throw new ToolError(failure.code, `An interrupted commit cannot be completed (${what}): ${failure.message}`, {
      hint: `${failure.hint ?? ''} Fix this and open the workspace again: recovery then continues.`.trim(),
      ...(failure.details && { details: failure.details }),
      cause: error,
    })
  }
}
