import { ToolError } from '../../../kernel/error.ts'
import { sleepSync } from '../../../kernel/time.ts'
import { errnoOf } from '../disk-error.ts'
import { parentOf, show, isRepositoryPath } from '../path.ts'
import { isObjectPath, repositoryOrder } from '../repository-path.ts'
import type { Step } from './intent.ts'
import { reachable, type Site } from './site.ts'

/** Git locks these whenever it moves a branch or changes the index. */
const ALWAYS = ['.git/index', '.git/HEAD']
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'])
const PATIENCE_MS = 1000
const PAUSE_MS = 20
/** All locks of a commit are links to this file of its own directory, by which a recovery knows them. */
const LOCK = 'lock'

/**
 * Takes git's locks for what a commit changes in the repository. Locks that it holds already stay. Throws `conflict` if
 * another process does not release one soon.
 */
export function takeLocks(site: Site, steps: readonly Step[]): void {
  const locks = locksOf(steps)
  if (locks.length === 0) return
  const { sys, own } = site
  if (sys.lstat(own, LOCK) === undefined) sys.close(sys.createFile(own, LOCK, 0o600))
  // No lock outlasts a power cut without the intent, which knows it.
  sys.syncDirectory(own)
  const until = performance.now() + PATIENCE_MS
  for (const lock of locks) take(site, lock, until)
}

/** Releases the locks that `takeLocks` took, in this process or in one that was killed. */
export function releaseLocks(site: Site, steps: readonly Step[]): void {
  const { sys, own } = site
  const mine = sys.lstat(own, LOCK)
  if (mine === undefined) return
  const changedDirectories = new Set<number>()
  for (const lock of locksOf(steps).toReversed()) {
    const spot = reachable(() => site.at(lock))
    if (spot === undefined || sys.lstat(spot.dir, spot.name)?.ino !== mine.ino) continue
    sys.unlink(spot.dir, spot.name)
    changedDirectories.add(spot.dir)
  }
  for (const dir of changedDirectories) sys.syncDirectory(dir)
  sys.unlink(own, LOCK)
}

function take(site: Site, lock: string, until: number): void {
  const { sys, own } = site
  // A lock cannot exist while its directory is missing.
  const spot = reachable(() => site.at(lock))
  if (spot === undefined) return
  for (;;)
    try {
      return sys.link(own, LOCK, spot.dir, spot.name)
    } catch (error) {
      // If no lock can be made, no change can be made either; that change reports the failure.
      if (UNWRITABLE.has(errnoOf(error) ?? '')) return
      if (errnoOf(error) !== 'EEXIST') throw error
      if (sys.lstat(spot.dir, spot.name)?.ino === sys.lstat(own, LOCK)?.ino) return
      if (performance.now() > until) throw isLocked(lock)
      sleepSync(PAUSE_MS)
    }
}

/** Objects and logs have no locks. A lock in a directory that comes or goes would keep it. */
function locksOf(steps: readonly Step[]): readonly string[] {
  const directories = new Set(
    steps.flatMap(step => (step.kind === 'rmdir' || step.kind === 'mkdir' ? [step.path] : [])),
  )
  const moves = (path: string): boolean => path !== '.' && (directories.has(path) || moves(parentOf(path)))
  const changedPaths = steps.flatMap(step =>
    step.kind === 'put' || step.kind === 'delete' || step.kind === 'mode' ? [step.path] : [],
  )
  const inGit = steps.flatMap(step => (step.kind !== 'move' && isRepositoryPath(step.path) ? [step.path] : []))
  if (inGit.length === 0) return []
  const repositoryFiles = changedPaths.filter(
    path => isRepositoryPath(path) && !isObjectPath(path) && repositoryOrder(path) > LOGS,
  )
  return [...new Set([...ALWAYS, ...repositoryFiles])]
    .map(path => `${path}.lock`)
    .filter(path => !moves(parentOf(path)))
}

const LOGS = repositoryOrder('.git/logs')

const isLocked = (lock: string): ToolError =>
  new ToolError('conflict', `Another git works in the repository: ${show(lock)} is there`, {
    hint: 'Nothing was changed. Wait until the other git has ended, or remove the file if none runs; then repeat the call.',
    details: { path: lock },
  })
