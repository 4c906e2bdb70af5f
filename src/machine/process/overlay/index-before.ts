import { closeSync, readFileSync } from 'node:fs'
import type { Root } from '../../workspace/root.ts'
import { isSameIndex, readIndex } from './git-index.ts'
import type { LayerChange } from './layer-change.ts'
import { openGitFile } from './open-git-file.ts'
import { bytesOf } from './stage-changes.ts'

const INDEX = '.git/index'

/** The repository's index as it was before a command; close it. */
interface IndexBefore {
  /** Without the index where git only noted anew what it saw of the files: that is nobody's work, and none is lost. */
  withoutRefresh(made: readonly LayerChange[]): readonly LayerChange[]
  close(): void
}

/** Git replaces its index by a new file, so that the old one can be held and is read only where it matters. */
export function holdIndex(root: Root): IndexBefore {
  let held = openGitFile(root, INDEX)
  return {
    withoutRefresh(made) {
      const one = made.find(({ path }) => path === INDEX)
      if (one?.type !== 'file' || held === undefined) return made
      const [before, after] = [readIndex(readFileSync(held)), readIndex(bytesOf(one))]
      return before && after && isSameIndex(before, after) ? made.filter(other => other !== one) : made
    },
    close() {
      if (held !== undefined) closeSync(held)
      held = undefined
    },
  }
}
