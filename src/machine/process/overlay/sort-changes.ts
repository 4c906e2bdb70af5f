import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import type { Change } from '../../../kernel/change.ts'
import type { FileSide } from '../../workspace/diff/diff.ts'
import { parentOf, show } from '../../workspace/path.ts'
import type { ShapeTree } from '../../workspace/repository-shape.ts'
import { isGitContent, isGitPath, runsCommands } from './git-paths.ts'
import { ignoredPaths } from './ignored-paths.ts'
import type { LayerChange } from './layer-change.ts'
import { bytesOf } from './stage-changes.ts'
import { refusedContent } from './refused-content.ts'
import { unseenContent } from './unseen-content.ts'
import { breaksRepository, kindAt } from './valid-repository.ts'
import { lostObjects, type RepositoryParts } from './lost-objects.ts'

export interface SortOptions {
  readonly root: string
  readonly mustStage: (path: string, isNew: boolean) => boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Files as the command left them. */
  readonly worktree: ShapeTree
  /** Directory of the command's layer. */
  readonly directory: string
  /** Reports whether a change under `.git` may land. */
  readonly keepsRepository: (path: string, isNew?: boolean) => boolean
  /** Reason why nothing under `.git` may land. */
  readonly refused?: string | undefined
  /** Returns a file or link of the workspace as the command left it. */
  readonly fileAt: (path: string) => FileSide | undefined
  /** What earlier calls of the transaction changed in the workspace's repository. */
  readonly earlier: readonly LayerChange[]
}

interface Sorted {
  /** Joins the staging: shown, judged, undoable. */
  readonly staged: readonly LayerChange[]
  /** Applied when the call commits, without undo: ignored paths and repository content. */
  readonly applied: readonly LayerChange[]
  /** Content that only the repository has, at paths that a rule or a person must judge. */
  readonly content: readonly Change[]
  /** Changes that never land, in words. */
  readonly warnings: readonly string[]
}

/** Decides for each of a command's changes whether and how it lands. */
export function sortChanges(changes: readonly LayerChange[], options: SortOptions): Sorted {
  const { root, mustStage, env } = options
  const ordinary = changes.filter(({ path }) => !isGitPath(path))
  const ignoredByGit = ignoredPaths(root, ordinary.map(ignoreQuery), env)
  const appliedChanges = new Set(
    ordinary.filter(one => ignoredByGit.has(one.path) && !mustStage(one.path, isNewAt(root, one))),
  )
  leaveReplaced(ordinary, appliedChanges)
  takeWithThem(ordinary, appliedChanges)
  const repository = sortRepository(
    changes.filter(({ path }) => isGitPath(path)),
    { ...options, placeOf: path => join(root, path), workTree: '.' },
  )
  return {
    staged: ordinary.filter(one => !appliedChanges.has(one)),
    applied: [...appliedChanges, ...repository.kept],
    content: repository.content,
    warnings: repository.warnings,
  }
}

interface RepositoryOptions extends SortOptions {
  /** Returns the location of a repository file. `root` only stands in for the work tree if `.git` points elsewhere. */
  readonly placeOf: (path: string) => string
  /** Directory of its files, relative to the workspace. */
  readonly workTree: string
  /** Display name of a submodule or a linked work tree. */
  readonly name?: string
}

/** Decides whether a command's changes to a repository land, all or none. */
export function sortRepository(
  inGit: readonly LayerChange[],
  options: RepositoryOptions,
): Omit<Sorted, 'staged' | 'applied'> & { readonly kept: readonly LayerChange[]; readonly isRefused: boolean } {
  const { name, refused, placeOf, mustStage } = options
  // It may be anywhere in a tree of the repository, also where nothing is in the work tree.
  const isJudged = (path: string): boolean => mustStage(path, true)
  const whole = inGit.some(isAboutRepository) ? (refused ?? whyNot(inGit, options)) : undefined
  const content =
    whole === undefined
      ? unseenContent({ ...options, isJudged }, inGit.filter(isLanding).filter(isNew(placeOf)))
      : { changes: [], refused: whole }
  const why = content.refused
  const { kept, left } = gitChanges(placeOf, inGit, why !== undefined)
  const where = name === undefined ? '.git' : `the repository of ${name}`
  return {
    kept,
    content: content.changes,
    isRefused: why !== undefined,
    warnings:
      why !== undefined
        ? [`Not kept: anything the command changed under ${where}, ${why}`]
        : left.length > 0
          ? [leftOut(left)]
          : [],
  }
}

/** A file in the place of a directory is new too. */
function isNewAt(root: string, { type, path, fresh }: LayerChange): boolean {
  if (type === 'absent' || fresh) return fresh
  const before = kindAt(join(root, path))
  return before === 'absent' || (before === 'directory') !== (type === 'directory')
}

const ignoreQuery = (one: LayerChange) => ({
  path: one.path,
  directory: one.type === 'directory' || (one.type === 'absent' && one.was === 'directory'),
})

/** What goes with a directory that a staged file or link replaces is staged too: all of it goes in one commit. */
function leaveReplaced(made: readonly LayerChange[], applied: Set<LayerChange>): void {
  const replacing = new Set(
    made.flatMap(one => (one.type === 'absent' || one.type === 'directory' || applied.has(one) ? [] : [one.path])),
  )
  for (const one of applied)
    for (let at = parentOf(one.path); at !== '.'; at = parentOf(at)) if (replacing.has(at)) applied.delete(one)
}

/** A removed directory with ignored files must wait until they are removed. */
function takeWithThem(made: readonly LayerChange[], applied: Set<LayerChange>): void {
  const parents = new Set<string>()
  for (const { type, path } of applied)
    if (type === 'absent') for (let at = parentOf(path); at !== '.'; at = parentOf(at)) parents.add(at)
  for (const one of made)
    if (one.type === 'absent' && one.was === 'directory' && parents.has(one.path)) applied.add(one)
}

/** Excludes nested repositories, whose changes are discarded anyway. */
const isAboutRepository = ({ path }: LayerChange): boolean => path === '.git' || path.startsWith('.git/')

function whyNot(made: readonly LayerChange[], options: RepositoryOptions): string | undefined {
  const { root, worktree, keepsRepository, placeOf } = options
  if (!keepsRepository('.git/HEAD')) return 'because no permission to write covers it (fs:write)'
  const broken = breaksRepository(root, made)
  if (broken !== undefined) return `which would be no repository any more (${broken})`
  const landing = made.filter(isLanding)
  const isCreated = ({ type, path }: LayerChange): boolean => type !== 'absent' && kindAt(placeOf(path)) === 'absent'
  const deniedChange = landing.find(one => !keepsRepository(one.path, isCreated(one)))
  if (deniedChange)
    return `because a rule denies ${isCreated(deniedChange) ? 'creating' : 'writing'} ${show(deniedChange.path)}`
  // Without its list a rebase could neither continue nor abort.
  const steps = landing.find(one => one.type === 'file' && runsCommands(one.path, bytesOf(one).toString('latin1')))
  if (steps) return `because ${show(steps.path)} has steps that run commands`
  const refusal = refusedContent(root, landing, worktree) ?? lostHistory(options, landing.filter(isNew(placeOf)))
  return refusal && `for ${refusal}`
}

/** Excludes objects that already exist; they stay unchanged. */
const isNew =
  (placeOf: (path: string) => string) =>
  (one: LayerChange): boolean =>
    !(isObject(one.path) && one.type === 'file' && kindAt(placeOf(one.path)) === 'file')

const isLanding = (one: LayerChange): boolean => one.type !== 'symlink' && isGitContent(one.path)

function gitChanges(
  placeOf: (path: string) => string,
  made: readonly LayerChange[],
  broken: boolean,
): { readonly kept: readonly LayerChange[]; readonly left: readonly LayerChange[] } {
  const isKept = (one: LayerChange): boolean => {
    if (broken || one.type === 'symlink') return false
    if (one.path === '.git') return one.type === 'directory'
    return isNew(placeOf)(one) && isGitContent(one.path)
  }
  const keptChanges = new Set(made.filter(isKept))
  return {
    kept: [...keptChanges],
    left: made.filter(one => !keptChanges.has(one) && !one.path.endsWith('.lock') && !isObject(one.path)),
  }
}

/** Objects are named by their content, so an existing one never changes. */
const isObject = (path: string): boolean =>
  /^\.git\/objects\/([0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]+\.(pack|idx))$/.test(path)

const SHOWN = 5

function leftOut(left: readonly LayerChange[]): string {
  const names = left.slice(0, SHOWN).map(({ path }) => show(path))
  const more = left.length > SHOWN ? ` and ${left.length - SHOWN} more` : ''
  return `Not kept of what the command changed: ${names.join(', ')}${more}; what configures a repository or runs in it is left as it was`
}

/**
 * Returns the history that would be lost if these changes under `.git` landed, in words: reachable objects, the log of
 * a remaining branch, the branch of HEAD. Returns undefined if nothing is lost or git itself dropped it.
 */
function lostHistory(parts: RepositoryParts, changes: readonly LayerChange[]): string | undefined {
  const { root } = parts
  const changesByPath = new Map(changes.map(one => [one.path, one]))
  const packedReferences = fileAfter('.git/packed-refs')
  return lostReference() ?? lostObjects(parts, changes)

  function lostReference(): string | undefined {
    for (const { type, path } of changes) {
      const [, name] = type === 'absent' ? (/^\.git\/logs\/(HEAD|refs\/.+)$/.exec(path) ?? []) : []
      if (name !== undefined && kindAt(join(root, path)) === 'file' && (name === 'HEAD' || isThere(name)))
        return `the log of ${show(name)} is gone`
    }
    const branch = /^ref: (.+)\n?$/.exec(fileBefore('.git/HEAD'))?.[1]
    if (branch === undefined || changesByPath.has('.git/HEAD') || isThere(branch)) return undefined
    const wasThere = kindAt(join(root, '.git', branch)) === 'file' || isPacked(fileBefore('.git/packed-refs'), branch)
    return wasThere ? `${show(branch)} is gone, and HEAD is on it` : undefined
  }

  function isThere(name: string): boolean {
    const one = changesByPath.get(`.git/${name}`)
    return (one?.type ?? kindAt(join(root, '.git', name))) === 'file' || isPacked(packedReferences, name)
  }

  function fileBefore(path: string): string {
    return kindAt(join(root, path)) === 'file' ? readFileSync(join(root, path), 'latin1') : ''
  }

  function fileAfter(path: string): string {
    const one = changesByPath.get(path)
    return one === undefined ? fileBefore(path) : one.type === 'file' ? bytesOf(one).toString('latin1') : ''
  }
}

const isPacked = (packed: string, name: string): boolean => packed.includes(` ${name}\n`)
