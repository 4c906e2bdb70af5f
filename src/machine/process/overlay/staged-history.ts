import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { createView } from '../../workspace/view.ts'
import { lostObjects, type RepositoryParts } from './lost-objects.ts'
import { writeStandIn } from './repository-place.ts'
import { makeCommandDirectory, removeLayers, scratchDirectory } from './scratch.ts'
import { stagedRepository } from './staged-repository.ts'
import { submoduleChanges } from './submodules.ts'

/**
 * Throws `conflict` if staged changes of the repository, or of a submodule's, lead to objects that are no longer there:
 * git may have removed them since they were staged, or since the commit that an undo restores.
 */
export function refuseLostObjects(
  root: Root,
  staging: Staging,
  { state, env }: { readonly state: string } & Pick<RepositoryParts, 'env'>,
): void {
  const directory = makeCommandDirectory(scratchDirectory(state))
  try {
    const stagedGit = stagedRepository(root, createView(root, staging), staging, directory)
    try {
      const { rest, modules } = submoduleChanges(root, stagedGit.made)
      const missing = lostObjects({ root: root.path, directory, env }, rest)
      if (missing !== undefined) throw isLost('The repository', missing)
      for (const { repository, made } of modules) {
        const place = join(directory, 'stand-in')
        mkdirSync(place)
        writeStandIn(repository, place)
        const lostInside = lostObjects({ root: place, directory, env }, made)
        if (lostInside !== undefined) throw isLost(`The repository of ${repository.name}`, lostInside)
        rmSync(place, { recursive: true })
      }
    } finally {
      stagedGit.close()
    }
  } finally {
    removeLayers(directory)
  }
}

const isLost = (what: string, lost: string): ToolError =>
  new ToolError('conflict', `${what} cannot become what was staged: ${lost}`, {
    hint: 'Nothing was changed. Git has removed objects since (git gc, git prune). Undo later commits or bring the objects back with git fetch, then repeat the call; in a transaction, roll it back.',
  })
