import type { Change } from '../../../kernel/change.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { createView, type Look, type View } from '../../workspace/view.ts'
import { applyChanges } from './apply-changes.ts'
import { isGitPath } from './git-paths.ts'
import type { LayerChange } from './layer-change.ts'
import { noteLanding, type NotedLanding } from './pending-landing.ts'
import { ownRepository } from './repository-place.ts'
import {
  refuseOvertaken,
  repositoryResult,
  type RepositoryChanges,
  type RepositoryResult,
} from './repository-result.ts'
import { sortChanges } from './sort-changes.ts'
import { sortPointed } from './sort-pointed.ts'
import { isYounger, stageChanges, bytesOf } from './stage-changes.ts'
import { stagedRepository } from './staged-repository.ts'
import { submoduleChanges, type PointedChanges } from './submodules.ts'
import { show, parentOf } from '../../workspace/path.ts'
import { sideOf } from '../../workspace/changes.ts'
import type { FileSide } from '../../workspace/diff/diff.ts'
import { nameToBytes } from '../../workspace/name.ts'
import { refusedShape, shapeTree } from '../../workspace/refuse-repository.ts'
import { findRepositoryShape, type ShapeTree } from '../../workspace/repository-shape.ts'

const MOST_BYTES = 1024 ** 2

/**
 * Throws `denied` if a command left a directory that git takes for a repository, or changed what git follows in one.
 * Otherwise returns the command's files.
 */
function refuseBareRepository(changes: readonly LayerChange[], view: View): ShapeTree {
  const ordinary = changes.filter(({ path }) => !isGitPath(path))
  const before = shapeTree(view)
  const after = treeAfter(ordinary, before)
  const shape = findRepositoryShape(ordinary, before, after)
  if (shape) throw refusedShape(shape, 'All changes of the command were discarded')
  return after
}

function treeAfter(made: readonly LayerChange[], before: ShapeTree): ShapeTree {
  const changesByPath = new Map(made.map(one => [one.path, one]))
  const below = Map.groupBy(made, ({ path }) => parentOf(path))
  const isFresh = (directory: string): boolean => below.get(directory)?.some(({ fresh }) => fresh) ?? false
  return {
    names(directory) {
      const there = new Set(isFresh(directory) ? [] : before.names(directory))
      for (const { path, type } of below.get(directory) ?? []) {
        const name = path.slice(path.lastIndexOf('/') + 1)
        if (type === 'absent') there.delete(name)
        else there.add(name)
      }
      return [...there]
    },
    type: path => changesByPath.get(path)?.type ?? (isFresh(parentOf(path)) ? 'absent' : before.type(path)),
    bytes(path) {
      const one = changesByPath.get(path)
      if (one === undefined) return before.bytes(path)
      return one.type === 'file' && one.size <= MOST_BYTES ? bytesOf(one) : undefined
    },
  }
}

/** Result of a command on its way into the workspace. */
export interface CommandResult {
  /** Stages changes that git does not ignore and holds the rest. Returns warnings about changes that never land. */
  collect(made: readonly LayerChange[], linked?: PointedChanges): readonly string[]
  /** Content that only the repository gets, at paths that a rule or a person must judge. */
  content(): readonly Change[]
  /** Changes that land unstaged: ignored paths and repository content. */
  unstaged(): readonly LayerChange[]
  /** Reports whether landing changes the repository. */
  changesRepository(): boolean
  /** Reports whether landing changes the repository or an ignored path. */
  landsUnstaged(): boolean
  /**
   * Lands the repository changes right after `work`, holding git's locks around both. Throws `conflict` before either
   * if another program changed the same first. `apply` returns the warnings.
   */
  landing<T>(work: () => T): T
  /** Records the rest as what lands with this commit, so that a crash leaves all of both or nothing. */
  prepare(commit: string): void
  /** Applies the rest at once, without undo. Returns the ignored paths and any failures. */
  apply(): readonly string[]
  /** Drops the record of a landing that does not take place. */
  abandon(): void
  /** Returns the ignored paths and repository content that would change. */
  previewWarnings(): readonly string[]
}

interface ResultParts {
  readonly root: Root
  readonly staging: Staging
  /** Directory of the command. */
  readonly directory: string
  /** Directory of its layer. */
  readonly layer: string
  /** Directory for records of landings; without one a crash is not completed. */
  readonly landings?: string | undefined
  /** Disk time before the command. Anything newer comes from another program. */
  readonly begun: bigint
  /** Reports whether a person or a rule must judge a change at an ignored path, so that it has to be staged. */
  readonly mustStage: (path: string, isNew: boolean) => boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reports whether a change under `.git` may land. */
  readonly keepsRepository: (path: string, isNew?: boolean) => boolean
  readonly inTransaction?: boolean
}

export function commandResult({
  root,
  staging,
  directory,
  layer,
  landings,
  begun,
  inTransaction = false,
  ...how
}: ResultParts): CommandResult {
  let ignoredChanges: readonly LayerChange[] = []
  let repositories: RepositoryResult | undefined
  let content: readonly Change[] = []
  const laterWarnings: string[] = []
  let landingNote: NotedLanding | undefined
  const note = (commit?: string): NotedLanding | undefined =>
    landings === undefined || ignoredChanges.length === 0
      ? undefined
      : noteLanding(landings, {
          ...(commit !== undefined && { commit }),
          directory,
          layer,
          begun,
          made: ignoredChanges,
        })
  return {
    collect(made, linked) {
      const view = createView(root, staging)
      const worktree = refuseBareRepository(made, view)
      const before = stagedRepository(root, view, staging, directory)
      try {
        const changedPaths = new Set(made.map(({ path }) => path))
        const earlier = before.made.filter(({ path }) => !changedPaths.has(path))
        // The repository is judged as the whole transaction would leave it.
        const { rest, modules } = submoduleChanges(root, [...earlier, ...made])
        const options = { ...how, directory, worktree, fileAt: filesAfter(made, view), earlier: before.made }
        const pointedResult = sortPointed([...modules, ...(linked ? [linked] : [])], options)
        const { staged, applied, warnings, ...ownResult } = sortChanges(rest, {
          ...options,
          root: root.path,
          refused: pointedResult.refused,
        })
        content = [...pointedResult.content, ...ownResult.content]
        ignoredChanges = applied.filter(({ path }) => !isGitPath(path))
        // A submodule's commits must exist before the repository names them.
        const repositoryChanges = [
          ...pointedResult.kept,
          { files: ownRepository(root), made: applied.filter(({ path }) => isGitPath(path)) },
        ]
        const old = new Set(earlier.map(({ path }) => path))
        repositories = repositoryResult(repositoryChanges, {
          root,
          directory,
          begun,
          inTransaction,
          isEarlier: path => old.has(path),
        })
        refuseOvertaken(ownRepository(root), ignoredChanges, begun)
        for (const one of repositoryChanges) refuseOvertaken(one.files, newIn(one, old), begun)
        stageChanges({ view, staging, begun }, [...staged, ...repositories.staged])
        return [...pointedResult.warnings, ...warnings]
      } finally {
        before.close()
      }
    },
    content: () => content,
    unstaged: () => [...ignoredChanges, ...(repositories?.all ?? [])],
    changesRepository: () => (repositories?.all.length ?? 0) > 0,
    landsUnstaged: () => repositories?.landsUnstaged === true || ignoredChanges.length > 0,
    landing(work) {
      if (!repositories) return work()
      const { result, warnings } = repositories.landing(work)
      repositories = undefined
      laterWarnings.push(...warnings)
      return result
    },
    prepare(commit) {
      landingNote = note(commit)
    },
    apply() {
      const refusal = refusedMeanwhile(root, staging, ignoredChanges)
      if (refusal === undefined) landingNote ??= note()
      const { done, warnings } = applyChanges(root, refusal === undefined ? ignoredChanges : [], {
        isOvertaken: stats => isYounger(stats, begun),
        ...(landingNote && { mark: landingNote.mark }),
      })
      landingNote?.forget()
      ignoredChanges = []
      return [
        ...ignoredWarning(done, 'changed'),
        ...warnings,
        ...(refusal === undefined ? [] : [refusal]),
        ...laterWarnings,
      ]
    },
    abandon: () => landingNote?.forget(),
    previewWarnings: () => [
      ...ignoredWarning(pathsOf(ignoredChanges), 'would change'),
      ...(repositories?.previewWarnings() ?? []),
    ],
  }
}

/** The changes that the command itself made. */
const newIn = ({ files, made }: RepositoryChanges, earlier: ReadonlySet<string>): readonly LayerChange[] =>
  made.filter(one => !earlier.has(files.real(one.path)))

const pathsOf = (made: readonly LayerChange[]): string[] => made.map(({ path }) => path)

/** Changes landed since the command ended may complete a repository. */
function refusedMeanwhile(root: Root, staging: Staging, made: readonly LayerChange[]): string | undefined {
  try {
    refuseBareRepository(made, createView(root, staging))
    return undefined
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
}

const SHOWN = 5

/** Warns about ignored paths, which no diff shows and no undo restores. Empty if there are none. */
function ignoredWarning(paths: readonly string[], what: 'changed' | 'would change'): readonly string[] {
  if (paths.length === 0) return []
  const names = paths.slice(0, SHOWN).map(show).join(', ')
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : ''
  return [`${paths.length} ignored ${paths.length === 1 ? 'path' : 'paths'} ${what}, without undo: ${names}${more}`]
}

/** Returns the workspace's files and links as a command left them. */
function filesAfter(changes: readonly LayerChange[], view: View): (path: string) => FileSide | undefined {
  const changesByPath = new Map(changes.map(one => [one.path, one]))
  return path => {
    const one = changesByPath.get(path)
    if (one?.type === 'file') return { bytes: bytesOf(one), mode: one.mode }
    if (one?.type === 'symlink')
      return { bytes: nameToBytes(one.target) ?? Buffer.from(one.target), mode: 0o777, link: true }
    return one ? undefined : view.look(path, { link: true }, look => fileIn(view, path, look))
  }
}

function fileIn(view: View, path: string, look: Look): FileSide | undefined {
  if (look.located.rel !== path || (look.type !== 'file' && look.type !== 'symlink')) return undefined
  return sideOf(view, path, look.seen.type === 'disk' ? view.base(look) : look.seen)
}
