import { ToolError } from '../../../kernel/error.ts'
import { errnoOf } from '../../workspace/disk-error.ts'
import { onDisk } from '../../workspace/name.ts'
import { show } from '../../workspace/path.ts'
import type { LayerChange } from './layer-change.ts'
import type { RepositoryFiles } from './repository-place.ts'

/** What git itself locks whenever it moves a branch or changes what is to be committed. */
const ALWAYS = ['.git/index', '.git/HEAD']
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'])
const PATIENCE_MS = 1000
const PAUSE_MS = 20

/**
 * Takes the locks that git takes before it changes these paths, so that no git and no other of ours works on them; gives
 * what lets them go. Throws `conflict` if somebody holds one and does not let it go soon.
 */
export function holdRepository(files: RepositoryFiles, made: readonly LayerChange[]): () => void {
  const changed = made.filter(({ type, path }) => type !== 'directory' && !/^\.git\/(objects|logs)(\/|$)/.test(path))
  const { root } = files
  const held: string[] = []
  const release = () => {
    for (const lock of held.splice(0).toReversed()) atPlace(files, lock, (dir, name) => root.sys.unlink(dir, name))
  }
  const until = performance.now() + PATIENCE_MS
  try {
    for (const path of new Set([...ALWAYS, ...changed.map(one => one.path)])) take(`${path}.lock`)
    return release
  } catch (error) {
    release()
    throw error
  }

  function take(lock: string): void {
    for (;;)
      try {
        // Where its directory is not there yet, nobody can hold it either.
        if (atPlace(files, lock, (dir, name) => root.sys.close(root.sys.createFile(dir, name, 0o600)))) held.push(lock)
        return
      } catch (error) {
        // Where nothing can be made nothing can be changed either, and that is told when it is tried.
        if (UNWRITABLE.has(errnoOf(error) ?? '')) return
        if (errnoOf(error) !== 'EEXIST') throw error
        if (performance.now() > until) throw isHeld(lock)
        Atomics.wait(clock, 0, 0, PAUSE_MS)
      }
  }
}

/** Nobody ever wakes who waits for it. */
const clock = new Int32Array(new SharedArrayBuffer(4))

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
    hint: 'Nothing of what the command changed is kept. Wait until the other git has ended, or remove the file where none runs; then run the command again.',
    details: { path: lock },
  })
