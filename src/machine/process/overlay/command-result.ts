import { ToolError } from '../../../kernel/error.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { createView } from '../../workspace/view.ts'
import { applyChanges } from './apply-changes.ts'
import { isGitPath } from './git-paths.ts'
import { holdRepository } from './hold-repository.ts'
import { landRepository } from './land-repository.ts'
import type { LayerChange } from './layer-change.ts'
import { ownRepository, type RepositoryFiles } from './repository-place.ts'
import { refuseBareRepository } from './refuse-bare-repository.ts'
import { sortChanges } from './sort-changes.ts'
import { sortPointed } from './sort-pointed.ts'
import { changedMeanwhile, isYounger, stageChanges } from './stage-changes.ts'
import { submoduleChanges, type PointedChanges } from './submodules.ts'
import { show } from '../../workspace/path.ts'

/** What a command left, on its way into the workspace. */
export interface CommandResult {
  /** Stages what git does not ignore, and remembers the rest; says what never lands. */
  collect(made: readonly LayerChange[], linked?: PointedChanges): readonly string[]
  /** What lands without being staged: ignored paths, and the repository's own content. */
  unstaged(): readonly LayerChange[]
  /** Reports whether the repository itself changes when this lands. */
  changesRepository(): boolean
  /** Reports whether that, or anything that git ignores, does. */
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

interface ResultParts {
  readonly root: Root
  readonly staging: Staging
  /** Where the layer of the command is. */
  readonly directory: string
  /** What the disk's clock said before the command: whatever is younger is somebody else's. */
  readonly begun: bigint
  /** Reports whether a change at a path that git ignores is for a person or a rule to judge, and so has to be staged. */
  readonly mustStage: (path: string) => boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reports whether anything under `.git` may land. */
  readonly keepsRepository: boolean
}

export function commandResult({ root, staging, directory, begun, ...how }: ResultParts): CommandResult {
  let ignored: readonly LayerChange[] = []
  let repositories: readonly { readonly files: RepositoryFiles; readonly made: readonly LayerChange[] }[] = []
  const inGit = (): readonly LayerChange[] =>
    repositories.flatMap(({ files, made }) => made.map(one => ({ ...one, path: files.real(one.path) })))
  const left: string[] = []
  return {
    collect(made, linked) {
      const worktree = refuseBareRepository(made, createView(root, staging))
      const { rest, modules } = submoduleChanges(root, made)
      const options = { ...how, directory, worktree }
      const pointed = sortPointed([...modules, ...(linked ? [linked] : [])], options)
      const { staged, applied, warnings } = sortChanges(rest, { ...options, root: root.path, refused: pointed.refused })
      ignored = applied.filter(({ path }) => !isGitPath(path))
      // What a submodule has committed is there before the repository names it.
      repositories = [
        ...pointed.kept,
        { files: ownRepository(root), made: applied.filter(({ path }) => isGitPath(path)) },
      ].filter(one => one.made.length > 0)
      refuseOvertaken(ownRepository(root), ignored, begun)
      for (const one of repositories) refuseOvertaken(one.files, one.made, begun)
      stageChanges({ view: createView(root, staging), staging, begun }, staged)
      return [...pointed.warnings, ...warnings]
    },
    unstaged: () => [...ignored, ...inGit()],
    changesRepository: () => repositories.length > 0,
    landsUnstaged: () => repositories.length + ignored.length > 0,
    landing(work) {
      const releases: (() => void)[] = []
      try {
        for (const { files, made } of repositories) releases.push(holdRepository(files, made))
        // Once more, now that nobody else can come in between.
        for (const { files, made } of repositories) refuseOvertaken(files, made, begun)
        const result = work()
        for (const { files, made } of repositories) left.push(...landRepository(files, made, directory))
        repositories = []
        return result
      } finally {
        for (const release of releases.toReversed()) release()
      }
    },
    apply() {
      const refused = refusedMeanwhile(root, staging, ignored)
      const { done, warnings } = applyChanges(root, refused === undefined ? ignored : [], stats =>
        isYounger(stats, begun),
      )
      ignored = []
      return [...ignoredWarning(done, 'changed'), ...warnings, ...(refused === undefined ? [] : [refused]), ...left]
    },
    foretell: () => [
      ...ignoredWarning(pathsOf(ignored), 'would change'),
      ...repositories.flatMap(({ made }) =>
        repositoryWarning(pathsOf(made.filter(({ type }) => type !== 'directory'))),
      ),
    ],
  }
}

const pathsOf = (made: readonly LayerChange[]): string[] => made.map(({ path }) => path)

/** What others landed since the command ended may be the rest of a repository. */
function refusedMeanwhile(root: Root, staging: Staging, made: readonly LayerChange[]): string | undefined {
  try {
    refuseBareRepository(made, createView(root, staging))
    return undefined
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
}

/** Whoever works on the repository or on what it ignores meanwhile is not to lose what they did. */
function refuseOvertaken({ root, real }: RepositoryFiles, made: readonly LayerChange[], begun: bigint): void {
  const paths = made.map(({ path }) => path).filter(path => !/^\.git\/(objects|logs)\//.test(path))
  // A reference that was packed or taken away meanwhile leaves no file that could be younger.
  const packed = paths.some(path => path.startsWith('.git/refs/')) ? ['.git/packed-refs'] : []
  for (const path of new Set([...paths, ...packed])) {
    const place = root.resolve(real(path), { link: true })
    try {
      if (isYounger(place.stats, begun)) throw changedMeanwhile(path)
    } finally {
      place.release()
    }
  }
}

const SHOWN = 5

/** Tells of ignored paths, which no diff shows and nothing undoes; nothing if there are none. */
function ignoredWarning(paths: readonly string[], what: 'changed' | 'would change'): readonly string[] {
  if (paths.length === 0) return []
  const names = paths.slice(0, SHOWN).map(show).join(', ')
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : ''
  return [`${paths.length} ignored ${paths.length === 1 ? 'path' : 'paths'} ${what}, without undo: ${names}${more}`]
}

/** Tells what would move in the repository itself, which no diff shows and nothing undoes; nothing where nothing would. */
function repositoryWarning(paths: readonly string[]): readonly string[] {
  const moving = paths.filter(path => /^\.git\/(index$|packed-refs$|refs\/|[A-Z_]*HEAD$)/.test(path))
  if (paths.length === 0) return []
  const objects = paths.filter(path => path.startsWith('.git/objects/')).length
  const names = [
    ...moving.slice(0, SHOWN).map(show),
    ...(moving.length > SHOWN ? [`${moving.length - SHOWN} more`] : []),
    ...(objects > 0 ? [objects === 1 ? '1 object' : `${objects} objects`] : []),
  ]
  return [`The repository itself would change, without undo: ${names.join(', ') || `${paths.length} of its files`}`]
}
