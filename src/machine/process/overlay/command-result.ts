import type { Change } from '../../../kernel/change.ts'
import { ToolError } from '../../../kernel/error.ts'
import { sideOf } from '../../workspace/changes.ts'
import type { FileSide } from '../../workspace/diff/diff.ts'
import { nameToBytes } from '../../workspace/name.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { createView, type Look, type View } from '../../workspace/view.ts'
import { applyChanges } from './apply-changes.ts'
import { isGitPath } from './git-paths.ts'
import { holdRepository } from './hold-repository.ts'
import { landRepository } from './land-repository.ts'
import type { LayerChange } from './layer-change.ts'
import { noteLanding, type NotedLanding } from './pending-landing.ts'
import { ownRepository, type RepositoryFiles } from './repository-place.ts'
import { refuseBareRepository } from './refuse-bare-repository.ts'
import { sortChanges } from './sort-changes.ts'
import { sortPointed } from './sort-pointed.ts'
import { bytesOf, changedMeanwhile, isYounger, stageChanges } from './stage-changes.ts'
import { submoduleChanges, type PointedChanges } from './submodules.ts'
import { show } from '../../workspace/path.ts'

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
  /** Reports whether anything under `.git` may land. */
  readonly keepsRepository: boolean
}

export function commandResult({
  root,
  staging,
  directory,
  layer,
  landings,
  begun,
  ...how
}: ResultParts): CommandResult {
  let ignored: readonly LayerChange[] = []
  let repositories: readonly { readonly files: RepositoryFiles; readonly made: readonly LayerChange[] }[] = []
  const inGit = (): readonly LayerChange[] =>
    repositories.flatMap(({ files, made }) => made.map(one => ({ ...one, path: files.real(one.path) })))
  let content: readonly Change[] = []
  const left: string[] = []
  let noted: NotedLanding | undefined
  const note = (commit?: string): NotedLanding | undefined =>
    landings === undefined || ignored.length === 0
      ? undefined
      : noteLanding(landings, { ...(commit !== undefined && { commit }), directory, layer, begun, made: ignored })
  return {
    collect(made, linked) {
      const view = createView(root, staging)
      const worktree = refuseBareRepository(made, view)
      const { rest, modules } = submoduleChanges(root, made)
      const options = { ...how, directory, worktree, fileAt: filesAfter(made, view) }
      const pointed = sortPointed([...modules, ...(linked ? [linked] : [])], options)
      const { staged, applied, warnings, ...own } = sortChanges(rest, {
        ...options,
        root: root.path,
        refused: pointed.refused,
      })
      content = [...pointed.content, ...own.content]
      ignored = applied.filter(({ path }) => !isGitPath(path))
      // A submodule's commits must exist before the repository names them.
      repositories = [
        ...pointed.kept,
        { files: ownRepository(root), made: applied.filter(({ path }) => isGitPath(path)) },
      ].filter(one => one.made.length > 0)
      refuseOvertaken(ownRepository(root), ignored, begun)
      for (const one of repositories) refuseOvertaken(one.files, one.made, begun)
      stageChanges({ view, staging, begun }, staged)
      return [...pointed.warnings, ...warnings]
    },
    content: () => content,
    unstaged: () => [...ignored, ...inGit()],
    changesRepository: () => repositories.length > 0,
    landsUnstaged: () => repositories.length + ignored.length > 0,
    landing(work) {
      const releases: (() => void)[] = []
      try {
        for (const { files, made } of repositories) releases.push(holdRepository(files, made))
        // Checked again under the locks, when no other git can interfere.
        for (const { files, made } of repositories) refuseOvertaken(files, made, begun)
        const result = work()
        for (const { files, made } of repositories) left.push(...landRepository(files, made, directory))
        repositories = []
        return result
      } finally {
        for (const release of releases.toReversed()) release()
      }
    },
    prepare(commit) {
      noted = note(commit)
    },
    apply() {
      const refused = refusedMeanwhile(root, staging, ignored)
      if (refused === undefined) noted ??= note()
      const { done, warnings } = applyChanges(root, refused === undefined ? ignored : [], {
        isOvertaken: stats => isYounger(stats, begun),
        ...(noted && { mark: noted.mark }),
      })
      noted?.forget()
      ignored = []
      return [...ignoredWarning(done, 'changed'), ...warnings, ...(refused === undefined ? [] : [refused]), ...left]
    },
    abandon: () => noted?.forget(),
    previewWarnings: () => [
      ...ignoredWarning(pathsOf(ignored), 'would change'),
      ...repositories.flatMap(({ made }) =>
        repositoryWarning(pathsOf(made.filter(({ type }) => type !== 'directory'))),
      ),
    ],
  }
}

/** Returns the workspace's files and links as a command left them. */
function filesAfter(made: readonly LayerChange[], view: View): (path: string) => FileSide | undefined {
  const changed = new Map(made.map(one => [one.path, one]))
  return path => {
    const one = changed.get(path)
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

/** Protects concurrent work on the repository or on ignored paths. */
function refuseOvertaken({ root, real }: RepositoryFiles, made: readonly LayerChange[], begun: bigint): void {
  const replaced = new Set(made.flatMap(({ path, fresh }) => (fresh && isBelowFile(root, real(path)) ? [path] : [])))
  const paths = made.flatMap(({ path }) => (/^\.git\/(objects|logs)\//.test(path) || replaced.has(path) ? [] : [path]))
  // A reference that was packed or removed in the meantime leaves no newer file.
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

/** Reports whether the command put a directory in the place of a file, so that nothing is there yet. */
function isBelowFile(root: Root, path: string): boolean {
  try {
    root.resolve(path, { link: true }).release()
    return false
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not_a_directory') return true
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

/** Warns about repository changes, which no diff shows and no undo restores. Empty if there are none. */
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
