import { ToolError } from '../../kernel/error.ts'
import type { SearchEngine } from '../engines.ts'
import { notFound } from '../workspace/disk.ts'
import { show } from '../workspace/path.ts'
import type { Root } from '../workspace/root.ts'
import type { Staging } from '../workspace/staging.ts'
import { createView } from '../workspace/view.ts'

export interface SearchParts {
  readonly root: Root
  /** Searches see the workspace as it would be after a commit. */
  readonly staging: Staging
  readonly mayRead: (path: string) => boolean
  /** Some rule may keep a file from being read. */
  readonly hidesSome: boolean
  compileGlob(pattern: string): { matches(path: string): boolean }
}

const SEARCH_MS = 30_000

/** The search engine for one call; the searching code is loaded with the first search. */
export function openSearch({ root, staging, mayRead, hidesSome, compileGlob }: SearchParts): SearchEngine {
  return {
    async find(from, glob, options) {
      const [{ findFiles }, { holdDirectory }, { stagedOverlay }, { wantedFiles }] = await Promise.all([
        import('./find-files.ts'),
        import('./held-directory.ts'),
        import('./staged-overlay.ts'),
        import('./wanted-files.ts'),
      ])
      const wanted = wantedFiles(compileGlob, glob)
      const view = createView(root, staging)
      const { directory, isOnDisk } = view.look(from, {}, ({ located: { rel }, seen, type }) => {
        if (type === 'absent') throw notFound(rel)
        if (type !== 'directory') throw new ToolError('not_a_directory', `${show(rel)} is not a directory`)
        return { directory: rel, isOnDisk: seen.type === 'disk' }
      })
      const held = isOnDisk ? holdDirectory(root, directory) : undefined
      try {
        const staged = stagedOverlay(staging, view)
        return await findFiles(held, { ...options, directory, wanted, mayRead, staged, timeoutMs: SEARCH_MS })
      } finally {
        held?.release()
      }
    },
    async grep(options) {
      const [{ grep }, { holdDirectory }, { stagedOverlay }, { wantedAnywhere }] = await Promise.all([
        import('./grep.ts'),
        import('./held-directory.ts'),
        import('./staged-overlay.ts'),
        import('./wanted-files.ts'),
      ])
      const wanted = options.glob === undefined ? undefined : wantedAnywhere(compileGlob, options.glob)
      const held = holdDirectory(root, '.')
      try {
        const staged = stagedOverlay(staging, createView(root, staging))
        return await grep(held, options, { wanted, mayRead, hidesSome, staged })
      } finally {
        held.release()
      }
    },
  }
}
