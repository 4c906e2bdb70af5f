import { join } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { show } from '../../workspace/path.ts'
import { isObjectPath } from '../../workspace/repository-path.ts'
import type { Root } from '../../workspace/root.ts'
import { applyChanges } from './apply-changes.ts'
import { holdRepository } from './hold-repository.ts'
import { landRepository } from './land-repository.ts'
import type { LayerChange } from './layer-change.ts'
import { ownRepository, type RepositoryFiles } from './repository-place.ts'
import { changedMeanwhile, isYounger } from './stage-changes.ts'
import { kindAt } from './valid-repository.ts'

/** Changes to one repository, with paths as in a `.git` directory. */
export interface RepositoryChanges {
  readonly files: RepositoryFiles
  readonly made: readonly LayerChange[]
}

interface ResultParts {
  readonly root: Root
  /** Directory of the command's layer. */
  readonly directory: string
  /** Disk time before the command. */
  readonly begun: bigint
  readonly inTransaction: boolean
  /** Reports whether an earlier call of the transaction made a change, and the command did not touch it again. */
  readonly isEarlier: (path: string) => boolean
}

/** A command's changes to repositories on their way there. */
export interface RepositoryResult {
  /** All of them, by real path. */
  readonly all: readonly LayerChange[]
  /** Belongs to the staging: shown, undoable, and in one commit with the files. */
  readonly staged: readonly LayerChange[]
  /** Reports whether anything lands besides the staging. */
  readonly landsUnstaged: boolean
  /** Lands the rest around `work`. Returns its result and warnings. Throws before `work` if another program interferes. */
  landing<T>(work: () => T): { readonly result: T; readonly warnings: readonly string[] }
  previewWarnings(): readonly string[]
}

/**
 * Decides how changes to repositories land. New objects go first and directly: git names them by their content, nothing
 * leads to them yet, and they may be large. In a transaction they are staged with the rest.
 */
export function repositoryResult(
  repositoryChanges: readonly RepositoryChanges[],
  { root, directory, begun, inTransaction, isEarlier }: ResultParts,
): RepositoryResult {
  const realOf = ({ files, made }: RepositoryChanges) => made.map(one => ({ ...one, path: files.real(one.path) }))
  const outside = repositoryChanges.filter(({ files, made }) => files.root !== root && made.length > 0)
  const [elsewhere] = outside
  if (inTransaction && elsewhere) throw cannotBeStaged(elsewhere.files)
  const inside = repositoryChanges
    .flatMap(one => (one.files.root === root ? realOf(one) : []))
    .filter(one => !isEarlier(one.path))
  const objects = inTransaction ? [] : inside.filter(({ type, path }) => isObjectPath(path) && type !== 'absent')
  const direct = new Set(objects)
  const stagedChanges = inside.filter(one => !direct.has(one))
  return {
    all: [...outside.flatMap(realOf), ...inside],
    staged: stagedChanges,
    landsUnstaged: objects.length + outside.length > 0,
    landing(work) {
      refuseOvertaken(ownRepository(root), stagedChanges.filter(isReference), begun)
      // An object that is there already is the same.
      const missing = objects.filter(({ path, type }) => type !== 'file' || kindAt(join(root.path, path)) !== 'file')
      const [failure] = applyChanges(root, missing).warnings
      if (failure !== undefined) throw notStored(failure)
      const releases: (() => void)[] = []
      try {
        for (const { files, made } of outside) releases.push(holdRepository(files, made))
        // Checked again under the locks, when no other git can interfere.
        for (const { files, made } of outside) refuseOvertaken(files, made, begun)
        const result = work()
        const warnings = outside.flatMap(({ files, made }) => landRepository(files, made, directory))
        return { result, warnings: [...warnings, ...outside.flatMap(one => repositoryWarning(one, 'changed'))] }
      } finally {
        for (const release of releases.toReversed()) release()
      }
    },
    previewWarnings: () => outside.flatMap(one => repositoryWarning(one, 'would change')),
  }
}

const isReference = ({ path }: LayerChange): boolean => /^\.git\/(.*\/)?refs\//.test(path)

/** Protects concurrent work on the repository or on ignored paths. */
export function refuseOvertaken({ root, real }: RepositoryFiles, changes: readonly LayerChange[], begun: bigint): void {
  const replacedPaths = new Set(
    changes.flatMap(({ path, fresh }) => (fresh && isBelowFile(root, real(path)) ? [path] : [])),
  )
  const paths = changes.flatMap(({ path }) =>
    /^\.git\/(objects|logs)\//.test(path) || replacedPaths.has(path) ? [] : [path],
  )
  // A reference that was packed or removed in the meantime leaves no newer file.
  const packedPaths = paths.some(path => path.startsWith('.git/refs/')) ? ['.git/packed-refs'] : []
  for (const path of new Set([...paths, ...packedPaths])) {
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

/** Warns about changes to a repository outside the workspace, which no undo restores. */
function repositoryWarning({ files, made }: RepositoryChanges, what: 'changed' | 'would change'): readonly string[] {
  const paths = made.flatMap(({ path, type }) => (type === 'directory' ? [] : [path]))
  if (paths.length === 0) return []
  const moving = paths.filter(path => /^\.git\/(index$|packed-refs$|refs\/|[A-Z_]*HEAD$)/.test(path))
  const objects = paths.filter(path => path.startsWith('.git/objects/')).length
  const names = [
    ...moving.slice(0, SHOWN).map(show),
    ...(moving.length > SHOWN ? [`${moving.length - SHOWN} more`] : []),
    ...(objects > 0 ? [objects === 1 ? '1 object' : `${objects} objects`] : []),
  ]
  const place = show(files.root.path)
  return [
    `The repository ${place}, outside the workspace, ${what}, without undo: ${names.join(', ') || `${paths.length} of its files`}`,
  ]
}

const cannotBeStaged = ({ root, name = 'another work tree' }: RepositoryFiles): ToolError =>
  new ToolError(
    'unavailable',
    `The command changed the repository of ${name}, ${show(root.path)}, which lies outside the workspace and cannot belong to a transaction`,
    {
      hint: 'Its changes were discarded. Commit the transaction or roll it back, then run the command again; or work in the main work tree, whose repository can.',
    },
  )

const notStored = (why: string): ToolError =>
  new ToolError('io', `The objects that the command added to the repository cannot be stored: ${why}`, {
    hint: 'All changes of the command were discarded.',
  })
