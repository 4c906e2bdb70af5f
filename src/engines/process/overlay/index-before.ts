import { closeSync, readFileSync } from 'node:fs'
import { onDisk } from '../../workspace/name.ts'
import type { Root } from '../../workspace/root.ts'
import { isSameIndex, readIndex } from './git-index.ts'
import type { Made } from './made.ts'
import { bytesOf } from './stage-made.ts'

const INDEX = '.git/index'

/** The repository's index as it was before a command; close it. */
export interface IndexBefore {
  /** Without the index where git only noted anew what it saw of the files: that is nobody's work, and none is lost. */
  withoutRefresh(made: readonly Made[]): readonly Made[]
  close(): void
}

/** Git replaces its index by a new file, so that the old one can be held and is read only where it matters. */
export function holdIndex(root: Root): IndexBefore {
  let held = opened(root)
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

function opened(root: Root): number | undefined {
  const place = root.resolve(INDEX, { link: true })
  try {
    if (place.rel !== INDEX || place.missing.length > 0 || !place.stats?.isFile()) return undefined
    return root.sys.openFile(place.dir, onDisk(place.name ?? ''))
  } finally {
    place.release()
  }
}
