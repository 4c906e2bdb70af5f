import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTree, type DiskTree } from '../src/knowledge/tree/open-tree.ts'
import { openSearchIndex } from '../src/knowledge/search/index/open-search-index.ts'
import type { SearchIndex } from '../src/knowledge/search/index/types.ts'
import { openRoot } from '../src/machine/workspace/root.ts'
import { compileGlob } from '../src/guards/glob.ts'

/** The tree and the search index of a directory in this process, with the time that each took. */
export interface OpenedIndex extends AsyncDisposable {
  readonly tree: DiskTree
  readonly index: SearchIndex
  readonly treeMs: number
  readonly indexMs: number
}

/** Its segments are stored as those of the process of a workspace, in a directory of their own. */
export async function openedIndex(path: string): Promise<OpenedIndex> {
  const home = mkdtempSync(join(tmpdir(), 'toolwright-segments-'))
  const cacheDirectory = join(home, 'search')
  const root = openRoot(path)
  const start = performance.now()
  const tree = openTree(root)
  await tree.caughtUp()
  const listed = performance.now()
  const directory = `/proc/${process.pid}/fd/${root.fd}`
  const threads = Math.max(2, availableParallelism())
  const index = openSearchIndex({
    directory,
    tree,
    compileGlob,
    memoryBytes: 2 ** 31,
    threads,
    cache: { directory: cacheDirectory, key: () => 'bench' },
  })
  await index.ready()
  return {
    tree,
    index,
    treeMs: listed - start,
    indexMs: performance.now() - listed,
    async [Symbol.asyncDispose]() {
      await index.close()
      tree.close()
      root.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
