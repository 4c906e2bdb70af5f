import { availableParallelism } from 'node:os'
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

export async function openedIndex(path: string, more: { readonly cacheDirectory?: string } = {}): Promise<OpenedIndex> {
  const root = openRoot(path)
  const start = performance.now()
  const tree = openTree(root)
  await tree.caughtUp()
  const listed = performance.now()
  const directory = `/proc/${process.pid}/fd/${root.fd}`
  const threads = Math.max(2, availableParallelism())
  const index = openSearchIndex({ directory, tree, compileGlob, memoryBytes: 2 ** 31, threads, ...more })
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
    },
  }
}
