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
  /** Where the layers are made; not on an overlay itself. */
  readonly scratch: string
  /** Reports whether overlays can be mounted here; a copy of the tree takes their place otherwise. */
  readonly overlay: boolean
  /** What rules keep from being read. */
  readonly hides: HiddenPaths | undefined
  readonly memory: HiddenMemory
  /** Reports whether a change at a path that git ignores is for a person or a rule to judge, and so has to be staged. */
  readonly mustStage: (path: string) => boolean
  /** Reports whether anything under `.git` may land. */
  readonly keepsRepository: boolean
  /** The largest file that the command may leave; any unless given. */
  readonly fileBytes?: number
  /** Nothing of what the command changes lands. */
  readonly drops?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** The repository of a linked work tree, where commands may change it. */
  readonly linked?: LinkedPlace | undefined
}

/** The tree of one command: it sees the workspace as staged, and what it changes is told afterwards. */
export interface Overlay extends Omit<CommandResult, 'collect'> {
  /** What the disk's clock said before the command. */
  readonly begun: bigint
  readonly tree: Tree
  readonly readOnly: readonly string[]
  readonly hidden: readonly string[]
  /** Stages what the command changed and git does not ignore, and remembers the rest; says what never lands. */
  collect(): readonly string[]
  /** Everything that the command changed and that may land, but for a repository outside the workspace. */
  made(): readonly LayerChange[]
  /** Reports whether it changed such a repository, which nothing but this call can land. */
  changesLinked(): boolean
  /** Moves what the command left to a place of ours, to land later. */
  keep(place: string): KeptLayer
  discard(): void
}

/** What is needed besides the layer itself to land what is in it. */
interface KeptLayer {
  readonly begun: bigint
  /** The name of the directory that the layer is. */
  readonly layer: string
  readonly made: readonly LayerChange[]
}

/** Of a repository's own directory, what configures or runs something. */
const GIT_READ_ONLY = ['.git/hooks', '.git/config', '.git/config.worktree', '.git/info']

export function openOverlay(root: Root, staging: Staging, options: OverlayOptions): Overlay {
  const directory = makeCommandDirectory(options.scratch)
  try {
    const hidden = hiddenIn(root, staging, options)
    const isAbsent = options.hides?.unseen !== undefined
    const shown = isAbsent ? withoutHidden(staging, hidden) : staging
    const isHidden = isAbsent ? belowTest(hidden) : hiddenTest(hidden)
    const layers: LayerParts = { root, staging, shown, directory, isHidden, isAbsent }
    const { tree, layer, read, held } = options.overlay ? mountable(layers) : copied(layers)
    const hasRepository = !isHidden(REPOSITORY)
    const isLinked = options.linked !== undefined && options.overlay && hasRepository && hidden.length === 0
    const linked = isLinked && options.linked ? openLinkedRepository(options.linked, directory) : undefined
    const veil = hideFromGit(root, layer, hasRepository ? hidden : [])
    const index = holdIndex(root)
    const begun = lstatSync(makeMark(directory), { bigint: true }).ctimeNs
    const result = commandResult({ ...options, root, staging, directory, begun })
    let collected: readonly LayerChange[] = []
    let isKept = false
    let isLinkedChanged = false
    return {
      ...result,
      begun,
      tree: linked && tree.kind === 'overlay' ? { ...tree, second: linked.mount } : tree,
      readOnly: GIT_READ_ONLY,
      hidden: isAbsent ? [] : hidden,
      collect() {
        const found = index.withoutRefresh(veil.lift(read()))
        refuseFilesAbove(options.fileBytes ?? Number.POSITIVE_INFINITY, found)
        if (options.drops) return droppedWarning(found)
        collected = hasRepository ? found : found.filter(({ path }) => !isGitPath(path))
        const changes = linked?.read()
        isLinkedChanged = changes !== undefined
        const warnings = result.collect(collected, changes)
        return collected.length < found.length ? [...warnings, UNSEEN_REPOSITORY] : warnings
      },
      made: () => collected,
      changesLinked: () => isLinkedChanged,
      keep(place) {
        renameSync(directory, place)
        isKept = true
        return { begun, layer: basename(layer), made: collected }
      },
      discard() {
        index.close()
        held.close()
        linked?.close()
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
  /** Where what the command sees besides the workspace can be put. */
  readonly layer: string
  /** What the command leaves, to be read when it has ended. */
  readonly held: Layer
  read(): LayerChange[]
}

interface LayerParts {
  readonly root: Root
  readonly staging: Staging
  /** The staging without what the command may not see. */
  readonly shown: Staging
  readonly directory: string
  readonly isHidden: (path: string) => boolean
  /** What is hidden is not there for the command, which may make something of the same name. */
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
  const held = openLayer(root.sys, upper)
  return {
    tree: { kind: 'overlay', lower: [...(stages ? [lower] : []), root.path], upper, work },
    layer: upper,
    held,
    read: () => readUpper(held, createView(root, staging), { isHidden, isAbsent }),
  }
}

function copied({ root, staging, shown, directory, isHidden, isAbsent }: LayerParts): Layers {
  const path = join(directory, 'copy')
  mkdirSync(path)
  const held = openLayer(root.sys, path)
  const tree: CopiedTree = copyTree(root, shown, path, held, { hidden: isAbsent ? () => false : isHidden })
  likeRoot(root, path)
  if (!isAbsent) return { tree: { kind: 'copy', path }, layer: path, held, read: tree.read }
  const view = createView(root, staging)
  return {
    tree: { kind: 'copy', path },
    layer: path,
    held,
    // What was there all along, unseen, is no new file.
    read: () =>
      tree.read().map(one => {
        if (!isHidden(one.path)) return one
        refuseUnseen(one, typeAt(view, one.path))
        return { ...one, fresh: false }
      }),
  }
}

/** What the command sees of the workspace's own directory is what the topmost layer says. */
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
  const staged = staging
    .entries()
    .filter(([path, { state }]) => state.type !== 'absent' && hides.matches(path) && !isHidden(path))
    .map(([path]) => path)
  return [...onDisk, ...staged]
}

/** The workspace as staged, without what is hidden: nothing of it is there, not even its name. */
function withoutHidden(staging: Staging, hidden: readonly string[]): Staging {
  const shown = createStaging(staging)
  for (const path of hidden) shown.set(path, { type: 'directory' }, { type: 'absent' })
  return shown
}

/** Reports whether a path is hidden itself or lies in a directory that is. */
const belowTest = (hidden: readonly string[]): ((path: string) => boolean) => {
  const names = new Set(hidden)
  const test = (path: string): boolean => path !== '.' && (names.has(path) || test(parentOf(path)))
  return path => names.size > 0 && test(path)
}

const REPOSITORY = '.git'

const UNSEEN_REPOSITORY =
  'Not kept: anything the command changed under .git, for it may not read the repository of the workspace'

const hiddenTest = (hidden: readonly string[]): ((path: string) => boolean) => {
  const names = new Set(hidden)
  return path => names.size > 0 && names.has(path)
}

const SHOWN = 5

/** Tells of changes that never land, because the rule that allows the command lets it change nothing. */
function droppedWarning(made: readonly LayerChange[]): readonly string[] {
  if (made.length === 0) return []
  const ordinary = made.filter(({ path }) => !isGitPath(path))
  const notable = ordinary.filter(({ type }) => type !== 'directory')
  const files = (notable.length > 0 ? notable : ordinary).map(({ path }) => show(path))
  const names = [...files, ...(made.some(({ path }) => isGitPath(path)) ? ['the repository'] : [])]
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  return [`Dropped, for the rule of the command says "writes": []: ${names.slice(0, SHOWN).join(', ')}${more}`]
}
