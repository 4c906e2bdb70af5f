import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Hides } from '../../../kernel/hides.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { createView } from '../../workspace/view.ts'
import type { Tree } from '../sandbox/types.ts'
import { applyMade } from './apply-made.ts'
import { copyTree, type CopiedTree } from './copy-tree.ts'
import { isGitPath } from './git-paths.ts'
import { hiddenPaths, type HiddenMemory } from './hidden-paths.ts'
import { holdRepository } from './hold-repository.ts'
import { ignoredWarning } from './ignored-warning.ts'
import { holdIndex } from './index-before.ts'
import { landRepository } from './land-repository.ts'
import { ownerOf, writeLowerLayer } from './lower-layer.ts'
import type { Made } from './made.ts'
import { readUpper } from './read-upper.ts'
import { refuseBareRepository } from './refuse-bare-repository.ts'
import { repositoryWarning } from './repository-warning.ts'
import { makeCommandDirectory, removeLayers } from './scratch.ts'
import { sortMade } from './sort-made.ts'
import { veilRepository } from './veil-repository.ts'
import { changedMeanwhile, isYounger, stageMade } from './stage-made.ts'

export interface OverlayOptions {
  /** Where the layers are made; not on an overlay itself. */
  readonly scratch: string
  /** Whether overlays can be mounted here; a copy of the tree takes their place otherwise. */
  readonly overlay: boolean
  /** What rules keep from being read. */
  readonly hides: Hides | undefined
  readonly memory: HiddenMemory
  /** Whether a change at a path that git ignores is for a person or a rule to judge, and so has to be staged. */
  readonly mustStage: (path: string) => boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The tree of one command: it sees the workspace as staged, and what it changes is told afterwards. */
export interface Overlay {
  readonly tree: Tree
  readonly readOnly: readonly string[]
  readonly hidden: readonly string[]
  /** Stages what the command changed and git does not ignore, and remembers the rest; says what never lands. */
  collect(): readonly string[]
  /** Whether the repository itself changes when this lands. */
  changesRepository(): boolean
  /**
   * Lands what the command did in the repository right after `work`, with git's own locks held around both; throws
   * `conflict` before either where somebody else was there first. Warnings are given by `apply`.
   */
  landing<T>(work: () => T): T
  /** Carries out the rest, at once and without undo; says which ignored paths that were, and what could not be done. */
  apply(): readonly string[]
  /** Says which ignored paths would change, and what in the repository. */
  foretell(): readonly string[]
  discard(): void
}

/** Of a repository's own directory, what configures or runs something. */
export const GIT_READ_ONLY = ['.git/hooks', '.git/config', '.git/config.worktree', '.git/info']

export function openOverlay(root: Root, staging: Staging, options: OverlayOptions): Overlay {
  const directory = makeCommandDirectory(options.scratch)
  try {
    const hidden = hiddenIn(root, staging, options)
    const isHidden = hiddenTest(hidden)
    const { tree, layer, read } = options.overlay
      ? mountable(root, staging, directory, isHidden)
      : copied(root, staging, directory, isHidden)
    const veil = veilRepository(root, layer, hidden)
    const index = holdIndex(root)
    const begun = lstatSync(makeMark(directory), { bigint: true }).ctimeNs
    let ignored: readonly Made[] = []
    let git: readonly Made[] = []
    const left: string[] = []
    return {
      tree,
      readOnly: GIT_READ_ONLY,
      hidden,
      collect() {
        const made = index.withoutRefresh(veil.lift(read()))
        refuseBareRepository(made, createView(root, staging))
        const { staged, applied, warnings } = sortMade(made, {
          root: root.path,
          mustStage: options.mustStage,
          env: options.env,
        })
        refuseOvertaken(root, applied, begun)
        stageMade({ view: createView(root, staging), staging, begun }, staged)
        ignored = applied.filter(({ path }) => !isGitPath(path))
        git = applied.filter(({ path }) => isGitPath(path))
        return warnings
      },
      changesRepository: () => git.length > 0,
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
        const { done, warnings } = applyMade(root, ignored, stats => isYounger(stats, begun))
        ignored = []
        return [...ignoredWarning(done, 'changed'), ...warnings, ...left]
      },
      foretell: () => [
        ...ignoredWarning(pathsOf(ignored), 'would change'),
        ...repositoryWarning(pathsOf(git.filter(({ type }) => type !== 'directory'))),
      ],
      discard() {
        index.close()
        removeLayers(directory)
      },
    }
  } catch (error) {
    removeLayers(directory)
    throw error
  }
}

const pathsOf = (made: readonly Made[]): string[] => made.map(({ path }) => path)

interface Layers {
  readonly tree: Tree
  /** Where what the command sees besides the workspace can be put. */
  readonly layer: string
  read(): Made[]
}

function mountable(root: Root, staging: Staging, directory: string, isHidden: (path: string) => boolean): Layers {
  const [upper, work, lower] = ['upper', 'work', 'lower'].map(name => join(directory, name)) as [string, string, string]
  for (const place of [upper, work]) mkdirSync(place)
  likeRoot(root, upper)
  const stages = !staging.isEmpty()
  if (stages) {
    mkdirSync(lower)
    writeLowerLayer(root, staging, lower)
    likeRoot(root, lower)
  }
  return {
    tree: { kind: 'overlay', lower: [...(stages ? [lower] : []), root.path], upper, work },
    layer: upper,
    read: () => readUpper(upper, createView(root, staging), isHidden),
  }
}

function copied(root: Root, staging: Staging, directory: string, isHidden: (path: string) => boolean): Layers {
  const path = join(directory, 'copy')
  mkdirSync(path)
  const tree: CopiedTree = copyTree(root, staging, path, { hidden: isHidden })
  likeRoot(root, path)
  return { tree: { kind: 'copy', path }, layer: path, read: tree.read }
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

const hiddenTest = (hidden: readonly string[]): ((path: string) => boolean) => {
  const names = new Set(hidden)
  return path => names.size > 0 && names.has(path)
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
