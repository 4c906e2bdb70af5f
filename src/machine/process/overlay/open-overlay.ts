import { chmodSync, chownSync, lstatSync, mkdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { HiddenPaths } from '../../../kernel/hidden-paths.ts'
import type { Root } from '../../workspace/root.ts'
import { createStaging, type Staging } from '../../workspace/staging.ts'
import { parentOf, show } from '../../workspace/path.ts'
import { createView } from '../../workspace/view.ts'
import type { Tree } from '../sandbox/types.ts'
import { refuseFilesAbove } from '../file-limit.ts'
import { commandResult, type CommandResult } from './command-result.ts'
import { copyTree, type CopiedTree } from './copy-tree.ts'
import { isGitPath } from './git-paths.ts'
import { hiddenPaths, type HiddenMemory } from './hidden-paths.ts'
import { holdIndex } from './index-before.ts'
import { openLayer, type Layer } from './layer.ts'
import { openLinkedRepository, type LinkedPlace } from './linked-repository.ts'
import { ownerOf, writeLowerLayer } from './lower-layer.ts'
import type { LayerChange } from './layer-change.ts'
import { readUpper, refuseUnseen, typeAt } from './read-upper.ts'
import { makeCommandDirectory, removeLayers } from './scratch.ts'
import { hideFromGit } from './hide-from-git.ts'

export interface OverlayOptions {
  /** Directory for layers; must not lie on an overlay. */
  readonly scratch: string
  /** Reports whether overlays can be mounted here. Otherwise a copy of the tree is used. */
  readonly overlay: boolean
  /** Paths that rules hide from reading. */
  readonly hides: HiddenPaths | undefined
  readonly memory: HiddenMemory
  /** Reports whether a person or a rule must judge a change at an ignored path, so that it has to be staged. */
  readonly mustStage: (path: string, isNew: boolean) => boolean
  /** Reports whether a change under `.git` may land. */
  readonly keepsRepository: (path: string, isNew?: boolean) => boolean
  /** Size limit for the command's files; none by default. */
  readonly fileBytes?: number
  /** Directory for records of landings. */
  readonly landings?: string
  /** Discards all changes of the command. */
  readonly drops?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly inTransaction?: boolean
  /** Repository of a linked work tree, if commands may change it. */
  readonly linked?: LinkedPlace | undefined
}

/** Tree of one command. It shows the staged workspace and reports changes afterwards. */
export interface Overlay extends Omit<CommandResult, 'collect'> {
  /** Disk time before the command. */
  readonly begun: bigint
  readonly tree: Tree
  readonly readOnly: readonly string[]
  readonly hidden: readonly string[]
  /** Stages changes that git does not ignore and holds the rest. Returns warnings about changes that never land. */
  collect(): readonly string[]
  /** All changes that may land, except those to an outside repository. */
  made(): readonly LayerChange[]
  /** Reports whether the command changed an outside repository, which only this call can land. */
  changesLinked(): boolean
  /** Moves the command's changes to a directory of ours, to land later. */
  keep(place: string): StoredLayer
  discard(): void
}

/** Facts needed to land a stored layer. */
interface StoredLayer {
  readonly begun: bigint
  /** Name of the layer's directory. */
  readonly layer: string
  readonly made: readonly LayerChange[]
}

/** Parts of a repository that configure or run something. */
const GIT_READ_ONLY = ['.git/hooks', '.git/config', '.git/config.worktree', '.git/info']

export function openOverlay(root: Root, staging: Staging, options: OverlayOptions): Overlay {
  const directory = makeCommandDirectory(options.scratch)
  try {
    const pathsToHide = hiddenIn(root, staging, options)
    const isAbsent = options.hides?.unseen !== undefined
    const visibleStaging = isAbsent ? withoutHidden(staging, pathsToHide) : staging
    const isHidden = isAbsent ? belowTest(pathsToHide) : hiddenTest(pathsToHide)
    const layers: LayerParts = { root, staging, shown: visibleStaging, directory, isHidden, isAbsent }
    const { tree, layer, read, held } = options.overlay ? mountable(layers) : copiedLayers(layers)
    const hasRepository = !isHidden(REPOSITORY)
    const isLinked = options.linked !== undefined && options.overlay && hasRepository && pathsToHide.length === 0
    const linkedRepository = isLinked && options.linked ? openLinkedRepository(options.linked, directory) : undefined
    const hiding = hideFromGit(root, staging, layer, hasRepository ? pathsToHide : [])
    const index = holdIndex(root, staging)
    const begun = lstatSync(makeMark(directory), { bigint: true }).ctimeNs
    const result = commandResult({ ...options, root, staging, directory, layer, begun })
    let landingChanges: readonly LayerChange[] = []
    let isKept = false
    let isLinkedChanged = false
    return {
      ...result,
      begun,
      tree: linkedRepository && tree.kind === 'overlay' ? { ...tree, second: linkedRepository.mount } : tree,
      readOnly: GIT_READ_ONLY,
      hidden: isAbsent ? [] : pathsToHide,
      collect() {
        const readChanges = index.withoutRefresh(hiding.lift(read()))
        refuseFilesAbove(options.fileBytes ?? Number.POSITIVE_INFINITY, readChanges)
        if (options.drops) return droppedWarning(readChanges)
        landingChanges = hasRepository ? readChanges : readChanges.filter(({ path }) => !isGitPath(path))
        const changes = linkedRepository?.read()
        isLinkedChanged = changes !== undefined
        const warnings = result.collect(landingChanges, changes)
        return landingChanges.length < readChanges.length ? [...warnings, UNSEEN_REPOSITORY] : warnings
      },
      made: () => landingChanges,
      changesLinked: () => isLinkedChanged,
      keep(place) {
        renameSync(directory, place)
        isKept = true
        return { begun, layer: basename(layer), made: landingChanges }
      },
      discard() {
        result.abandon()
        index.close()
        held.close()
        linkedRepository?.close()
        if (!isKept) removeLayers(directory)
      },
    }
  } catch (error) {
    removeLayers(directory)
    throw error
  }
}

interface Layers {
  readonly tree: Tree
  /** Directory for content that the command sees besides the workspace. */
  readonly layer: string
  /** The command's changes, readable after it has ended. */
  readonly held: Layer
  read(): LayerChange[]
}

interface LayerParts {
  readonly root: Root
  readonly staging: Staging
  /** The staging without hidden paths. */
  readonly shown: Staging
  readonly directory: string
  readonly isHidden: (path: string) => boolean
  /** Hidden paths are absent for the command, which may create entries of the same name. */
  readonly isAbsent: boolean
}

function mountable({ root, staging, shown, directory, isHidden, isAbsent }: LayerParts): Layers {
  const [upper, work, lower] = ['upper', 'work', 'lower'].map(name => join(directory, name)) as [string, string, string]
  for (const place of [upper, work]) mkdirSync(place)
  likeRoot(root, upper)
  const stages = !shown.isEmpty()
  if (stages) {
    mkdirSync(lower)
    writeLowerLayer(root, shown, lower)
    likeRoot(root, lower)
  }
  const layer = openLayer(root.sys, upper)
  return {
    tree: { kind: 'overlay', lower: [...(stages ? [lower] : []), root.path], upper, work },
    layer: upper,
    held: layer,
    read: () => readUpper(layer, createView(root, staging), { isHidden, isAbsent }),
  }
}

function copiedLayers({ root, staging, shown, directory, isHidden, isAbsent }: LayerParts): Layers {
  const path = join(directory, 'copy')
  mkdirSync(path)
  const layer = openLayer(root.sys, path)
  const tree: CopiedTree = copyTree(root, shown, path, layer, { hidden: isAbsent ? () => false : isHidden })
  likeRoot(root, path)
  if (!isAbsent) return { tree: { kind: 'copy', path }, layer: path, held: layer, read: tree.read }
  const view = createView(root, staging)
  return {
    tree: { kind: 'copy', path },
    layer: path,
    held: layer,
    // A file that existed but was hidden is not new.
    read: () =>
      tree.read().map(one => {
        if (!isHidden(one.path)) return one
        refuseUnseen(one, typeAt(view, one.path))
        return { ...one, fresh: false }
      }),
  }
}

/** The topmost layer decides mode and owner of the workspace's root directory. */
function likeRoot(root: Root, layer: string): void {
  const owner = ownerOf(root)
  if (owner) chownSync(layer, owner.uid, owner.gid)
  chmodSync(layer, Number(root.sys.fstat(root.fd).mode & 0o7777n))
}

function makeMark(directory: string): string {
  const mark = join(directory, 'begun')
  mkdirSync(mark)
  return mark
}

function hiddenIn(root: Root, staging: Staging, { hides, memory }: OverlayOptions): string[] {
  if (hides === undefined) return []
  const onDisk = hiddenPaths(root, hides, memory)
  const isHidden = hiddenTest(onDisk)
  const stagedPaths = staging
    .entries()
    .filter(([path, { state }]) => state.type !== 'absent' && hides.matches(path) && !isHidden(path))
    .map(([path]) => path)
  return [...onDisk, ...stagedPaths]
}

/** The staged workspace without hidden paths, including their names. */
function withoutHidden(staging: Staging, hidden: readonly string[]): Staging {
  const visibleStaging = createStaging(staging)
  for (const path of hidden) visibleStaging.set(path, { type: 'directory' }, { type: 'absent' })
  return visibleStaging
}

/** Returns a test for paths that are hidden or lie in a hidden directory. */
const belowTest = (hidden: readonly string[]): ((path: string) => boolean) => {
  const names = new Set(hidden)
  const test = (path: string): boolean => path !== '.' && (names.has(path) || test(parentOf(path)))
  return path => names.size > 0 && test(path)
}

const REPOSITORY = '.git'

const UNSEEN_REPOSITORY =
  'Not kept: anything the command changed under .git, because it may not read the repository of the workspace'

const hiddenTest = (hidden: readonly string[]): ((path: string) => boolean) => {
  const names = new Set(hidden)
  return path => names.size > 0 && names.has(path)
}

const SHOWN = 5

/** Warns about changes that never land, because the rule that allows the command permits none. */
function droppedWarning(made: readonly LayerChange[]): readonly string[] {
  if (made.length === 0) return []
  const ordinary = made.filter(({ path }) => !isGitPath(path))
  const notable = ordinary.filter(({ type }) => type !== 'directory')
  const files = (notable.length > 0 ? notable : ordinary).map(({ path }) => show(path))
  const names = [...files, ...(made.some(({ path }) => isGitPath(path)) ? ['the repository'] : [])]
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  return [`Discarded, because the rule of the command says "writes": []: ${names.slice(0, SHOWN).join(', ')}${more}`]
}
