import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import { comparePaths } from '../search/path-order.ts'
import { getFrom } from './api.ts'
import type { Hub } from './hub.ts'
import { jsonOf } from './json-of.ts'
import type { CallParts } from './send.ts'
import type { RepositoryEntry, TreeListing } from './types.ts'

const listing = z.object({
  truncated: z.boolean().optional(),
  tree: z.array(
    z.object({ path: z.string(), mode: z.string(), type: z.string(), sha: z.string(), size: z.number().optional() }),
  ),
})

const MOST_BYTES = 64 * 1024 * 1024

/** Returns the immutable tree of a commit or directory, recursively or not. */
export async function listTree(hub: Hub, sha: string, recursive: boolean, call: CallParts): Promise<TreeListing> {
  const key = `${sha}${recursive ? '/**' : ''}`
  const cachedTree = hub.trees.get(key)
  if (cachedTree) return cachedTree
  const { bytes, truncated } = await getFrom(
    hub,
    {
      path: `/repos/${hub.connection.repository}/git/trees/${sha}${recursive ? '?recursive=1' : ''}`,
      what: `tree ${sha} of ${hub.connection.repository}`,
      maxBytes: MOST_BYTES,
    },
    call,
  )
  const answer = truncated ? undefined : listing.safeParse(jsonOf(bytes))
  if (!answer?.success)
    throw new ToolError('io', `GitHub gave a list of ${hub.connection.repository} that cannot be read`, {
      hint: 'Check that the address of the connection is that of a GitHub API',
    })
  const entries = answer.data.tree.flatMap(entryOf).toSorted((one, other) => comparePaths(one.path, other.path))
  const tree = { entries, truncated: answer.data.truncated ?? false }
  hub.trees.set(key, tree, entries.length * 250 + 100)
  return tree
}

/** Submodules are other repositories. */
function entryOf({ path, mode, type, sha, size = 0 }: z.output<typeof listing>['tree'][number]): RepositoryEntry[] {
  if (type === 'tree') return [{ path, kind: 'directory', size: 0, sha }]
  return type === 'blob' ? [{ path, kind: mode === '120000' ? 'link' : 'file', size, sha }] : []
}
