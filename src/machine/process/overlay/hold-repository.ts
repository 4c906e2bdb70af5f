import { ToolError } from '../../../kernel/error.ts'
import { sleepSync } from '../../../kernel/time.ts'
import { errnoOf } from '../../workspace/disk-error.ts'
import { onDisk } from '../../workspace/name.ts'
import { show } from '../../workspace/path.ts'
import type { LayerChange } from './layer-change.ts'
import type { RepositoryFiles } from './repository-place.ts'

/** Git locks these whenever it moves a branch or changes the index. */
const ALWAYS = ['.git/index', '.git/HEAD']
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'])
const PATIENCE_MS = 1000
const PAUSE_MS = 20

/**
 * Takes git's locks for these paths, so that no other process changes them. Returns a function that releases them.
 * Throws `conflict` if another process does not release a lock soon.
 */
export function holdRepository(files: RepositoryFiles, changes: readonly LayerChange[]): () => void {
  const lockable = changes.filter(
    ({ type, path }) => type !== 'directory' && !/^\.git\/(objects|logs)(\/|$)/.test(path),
  )
  const { root } = files
  const locks: string[] = []
  const release = () => {
    for (const lock of locks.splice(0).toReversed()) atPlace(files, lock, (dir, name) => root.sys.unlink(dir, name))
  }
  const until = performance.now() + PATIENCE_MS
  try {
    for (const path of new Set([...ALWAYS, ...lockable.map(one => one.path)])) take(`${path}.lock`)
    return release
  } catch (error) {
    release()
    throw error
  }

  function take(lock: string): void {
    for (;;)
      try {
        // A lock cannot exist while its directory is missing.
        if (atPlace(files, lock, (dir, name) => root.sys.close(root.sys.createFile(dir, name, 0o600)))) locks.push(lock)
        return
      } catch (error) {
        // If no lock can be created, no change can be made either; that change reports the failure.
        if (UNWRITABLE.has(errnoOf(error) ?? '')) return
        if (errnoOf(error) !== 'EEXIST') throw error
        if (performance.now() > until) throw isHeld(lock)
        sleepSync(PAUSE_MS)
      }
  }
}

function atPlace(
  { root, real }: RepositoryFiles,
  path: string,
  act: (dir: number, name: string | Buffer) => void,
): boolean {
  const place = root.resolve(real(path), { link: true })
  try {
    if (place.rel !== real(path) || place.missing.length > 0) return false
    act(place.dir, onDisk(place.name ?? ''))
    return true
  } finally {
    place.release()
  }
}

const isHeld = (lock: string): ToolError =>
  new ToolError('conflict', `Another git works in the repository: ${show(lock)} is there`, {
    hint: 'All changes of the command were discarded. Wait until the other git has ended, or remove the file if none runs; then run the command again.',
    details: { path: lock },
  })
