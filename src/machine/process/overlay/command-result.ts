import { ToolError } from '../../../kernel/error.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { createView } from '../../workspace/view.ts'
import { applyMade } from './apply-made.ts'
import { isGitPath } from './git-paths.ts'
import { holdRepository } from './hold-repository.ts'
import { ignoredWarning } from './ignored-warning.ts'
import { landRepository } from './land-repository.ts'
import type { Made } from './made.ts'
import { refuseBareRepository } from './refuse-bare-repository.ts'
import { repositoryWarning } from './repository-warning.ts'
import { sortMade } from './sort-made.ts'
import { changedMeanwhile, isYounger, stageMade } from './stage-made.ts'

/** What a command left, on its way into the workspace. */
export interface CommandResult {
  /** Stages what git does not ignore, and remembers the rest; says what never lands. */
  collect(made: readonly Made[]): readonly string[]
  /** What lands without being staged: ignored paths, and the repository's own content. */
  unstaged(): readonly Made[]
  /** Whether the repository itself changes when this lands. */
  changesRepository(): boolean
  /** Whether that, or anything that git ignores, does. */
  landsUnstaged(): boolean
  /**
   * Lands what the command did in the repository right after `work`, with git's own locks held around both; throws
   * `conflict` before either where somebody else was there first. Warnings are given by `apply`.
   */
  landing<T>(work: () => T): T
  /** Carries out the rest, at once and without undo; says which ignored paths that were, and what could not be done. */
  apply(): readonly string[]
  /** Says which ignored paths would change, and what in the repository. */
  foretell(): readonly string[]
}

export interface ResultParts {
  readonly root: Root
  readonly staging: Staging
  /** Where the layer of the command is. */
  readonly directory: string
  /** What the disk's clock said before the command: whatever is younger is somebody else's. */
  readonly begun: bigint
  /** Whether a change at a path that git ignores is for a person or a rule to judge, and so has to be staged. */
  readonly mustStage: (path: string) => boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether anything under `.git` may land. */
  readonly keepsRepository: boolean
}

export function commandResult({ root, staging, directory, begun, ...how }: ResultParts): CommandResult {
  let ignored: readonly Made[] = []
  let git: readonly Made[] = []
  const left: string[] = []
  return {
    collect(made) {
      const worktree = refuseBareRepository(made, createView(root, staging))
      const { staged, applied, warnings } = sortMade(made, { ...how, root: root.path, directory, worktree })
      refuseOvertaken(root, applied, begun)
      stageMade({ view: createView(root, staging), staging, begun }, staged)
      ignored = applied.filter(({ path }) => !isGitPath(path))
      git = applied.filter(({ path }) => isGitPath(path))
      return warnings
    },
    unstaged: () => [...ignored, ...git],
    changesRepository: () => git.length > 0,
    landsUnstaged: () => git.length + ignored.length > 0,
    landing(work) {
      if (git.length === 0) return work()
      const release = holdRepository(root, git)
      try {
        // Once more, now that nobody else can come in between.
        refuseOvertaken(root, git, begun)
        const result = work()
        left.push(...landRepository(root, git, directory))
        git = []
        return result
      } finally {
        release()
      }
    },
    apply() {
      const refused = refusedMeanwhile(root, staging, ignored)
      const { done, warnings } = applyMade(root, refused === undefined ? ignored : [], stats => isYounger(stats, begun))
      ignored = []
      return [...ignoredWarning(done, 'changed'), ...warnings, ...(refused === undefined ? [] : [refused]), ...left]
    },
    foretell: () => [
      ...ignoredWarning(pathsOf(ignored), 'would change'),
      ...repositoryWarning(pathsOf(git.filter(({ type }) => type !== 'directory'))),
    ],
  }
}

const pathsOf = (made: readonly Made[]): string[] => made.map(({ path }) => path)

/** What others landed since the command ended may be the rest of a repository. */
function refusedMeanwhile(root: Root, staging: Staging, made: readonly Made[]): string | undefined {
  try {
    refuseBareRepository(made, createView(root, staging))
    return undefined
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
}

/** Whoever works on the repository or on what it ignores meanwhile is not to lose what they did. */
function refuseOvertaken(root: Root, made: readonly Made[], begun: bigint): void {
  const paths = made.map(({ path }) => path).filter(path => !/^\.git\/(objects|logs)\//.test(path))
  // A reference that was packed or taken away meanwhile leaves no file that could be younger.
  const packed = paths.some(path => path.startsWith('.git/refs/')) ? ['.git/packed-refs'] : []
  for (const path of new Set([...paths, ...packed])) {
    const place = root.resolve(path, { link: true })
    try {
      if (isYounger(place.stats, begun)) throw changedMeanwhile(path)
    } finally {
      place.release()
    }
  }
}
