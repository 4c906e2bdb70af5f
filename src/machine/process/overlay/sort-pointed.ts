import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../../../kernel/change.ts'
import { join as joined } from '../../workspace/path.ts'
import type { ShapeTree } from '../../workspace/repository-shape.ts'
import { isSameIndex, readIndex } from '../../workspace/git-index.ts'
import { movedElsewhere } from './linked-repository.ts'
import type { LayerChange } from './layer-change.ts'
import { writeStandIn, type PointedRepository } from './repository-place.ts'
import { sortRepository, type SortOptions } from './sort-changes.ts'
import { bytesOf } from './stage-changes.ts'
import type { PointedChanges } from './submodules.ts'
import { kindAt } from './valid-repository.ts'

const INDEX = '.git/index'

interface SortedPointed {
  readonly kept: readonly { readonly files: PointedRepository; readonly made: readonly LayerChange[] }[]
  readonly content: readonly Change[]
  readonly warnings: readonly string[]
  /** Reason why the workspace's own repository must not land: it may name something that is discarded. */
  readonly refused: string | undefined
}

/**
 * Decides what lands in repositories that a `.git` only points to, each on its own, by the rules for the workspace's
 * repository.
 */
export function sortPointed(changes: readonly PointedChanges[], options: Omit<SortOptions, 'root'>): SortedPointed {
  const sortedChanges = changes.map(({ repository, made }) => {
    const place = join(options.directory, 'stand-in')
    mkdirSync(place)
    try {
      writeStandIn(repository, place)
      const ownChanges = withoutRefresh(place, made)
      const branch = movedElsewhere(repository, ownChanges)
      const sortedRepository = sortRepository(ownChanges, {
        ...options,
        root: place,
        worktree: below(options.worktree, repository.workTree),
        placeOf: path => join(repository.root.path, repository.real(path)),
        earlier: [],
        workTree: repository.workTree,
        name: repository.name,
        refused: branch && `because another work tree of the repository is on ${branch}`,
      })
      return { ...sortedRepository, repository }
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })
  const refusedPart = sortedChanges.find(({ isRefused }) => isRefused)
  return {
    kept: sortedChanges.map(({ repository, kept }) => ({ files: repository, made: kept })),
    content: sortedChanges.flatMap(({ content }) => content),
    warnings: sortedChanges.flatMap(({ warnings }) => warnings),
    refused: refusedPart && `because that of ${refusedPart.repository.name} is not kept either`,
  }
}

/** Drops index changes that only refresh file status. */
function withoutRefresh(place: string, made: readonly LayerChange[]): readonly LayerChange[] {
  const one = made.find(({ path }) => path === INDEX)
  if (one?.type !== 'file' || kindAt(join(place, INDEX)) !== 'file') return made
  const [before, after] = [readIndex(readFileSync(join(place, INDEX))), readIndex(bytesOf(one))]
  return before && after && isSameIndex(before, after) ? made.filter(other => other !== one) : made
}

const below = (tree: ShapeTree, directory: string): ShapeTree =>
  directory === '.'
    ? tree
    : {
        names: path => tree.names(joined(directory, path)),
        type: path => tree.type(joined(directory, path)),
        bytes: path => tree.bytes(joined(directory, path)),
      }
