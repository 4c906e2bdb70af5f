import { closeSync, readFileSync } from 'node:fs'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { isSameIndex, readIndex } from '../../workspace/git-index.ts'
import type { LayerChange } from './layer-change.ts'
import { openGitFile } from './open-git-file.ts'
import { bytesOf } from './stage-changes.ts'

const INDEX = '.git/index'

/** The repository's index before a command. Close it. */
interface IndexBefore {
  /** Removes an index change that only refreshes file status: it contains no work, and nothing is lost. */
  withoutRefresh(made: readonly LayerChange[]): readonly LayerChange[]
  close(): void
}

/** Git replaces its index with a new file, so the old one can be held open and read only if needed. */
export function holdIndex(root: Root, staging: Staging): IndexBefore {
  const stagedState = staging.get(INDEX)?.state
  const stagedBytes = stagedState?.type === 'file' && 'bytes' in stagedState ? stagedState.bytes : undefined
  let indexFd = stagedState ? undefined : openGitFile(root, INDEX)
  return {
    withoutRefresh(made) {
      const one = made.find(({ path }) => path === INDEX)
      const bytes = stagedBytes ?? (indexFd === undefined ? undefined : readFileSync(indexFd))
      if (one?.type !== 'file' || bytes === undefined) return made
      const [before, after] = [readIndex(bytes), readIndex(bytesOf(one))]
      return before && after && isSameIndex(before, after) ? made.filter(other => other !== one) : made
    },
    close() {
      if (indexFd !== undefined) closeSync(indexFd)
      indexFd = undefined
    },
  }
}
