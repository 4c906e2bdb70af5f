import { ToolError } from '../../kernel/error.ts'
import { notFound } from '../../machine/workspace/disk.ts'
import { createGrant } from '../../machine/workspace/grant.ts'
import { parentOf, show } from '../../machine/workspace/path.ts'
import { createView } from '../../machine/workspace/view.ts'
import { holdDirectory, type HeldDirectory } from './held-directory.ts'
import type { SearchParts } from './search-parts.ts'
import { stagedOverlay, type StagedOverlay } from './staged-overlay.ts'

export interface SearchPlace {
  /** Canonical, in the workspace. */
  readonly path: string
  readonly type: 'directory' | 'file'
  readonly staged: StagedOverlay | undefined
  /**
   * Holds the directory, or the directory of a file, while `use` runs. It is undefined if it exists only in staging.
   */
  hold<T>(use: (held: HeldDirectory | undefined) => Promise<T>): Promise<T>
}

/** Resolves the start of a search: a directory or one file that the call was granted. */
export function searchPlace({ root, staging, claims }: SearchParts, from: string): SearchPlace {
  const view = createView(root, staging)
  return view.look(from, {}, ({ located: { rel }, seen, type }) => {
    if (type === 'absent') throw notFound(rel)
    if (type !== 'directory' && type !== 'file') throw notADirectory(rel)
    createGrant(claims).need(rel, 'read')
    return {
      path: rel,
      type,
      staged: stagedOverlay(staging, view),
      async hold(use) {
        const onDisk = type === 'directory' ? rel : parentOf(rel)
        const heldDirectory = seen.type === 'disk' ? holdDirectory(root, onDisk) : undefined
        try {
          return await use(heldDirectory)
        } finally {
          heldDirectory?.release()
        }
      },
    }
  })
}

export const notADirectory = (path: string): ToolError =>
  new ToolError('not_a_directory', `${show(path)} is not a directory`, {
    hint: 'Name a directory; a file can be read.',
  })
