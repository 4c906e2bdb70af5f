import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import { markBackground } from './background-mark.ts'
import type { CommandParts, CommandPlace, Ready } from './command-place.ts'
import { ensureDirect, refuseUnstaged } from './direct-place.ts'
import { parentOf } from '../workspace/path.ts'
import { hiddenPaths, type HiddenMemory } from './overlay/hidden-paths.ts'
import type { LinkedPlace } from './overlay/linked-repository.ts'
import { openOverlay, type Overlay } from './overlay/open-overlay.ts'
import { findLeftBehind, sweepLeftBehind } from './overlay/left-behind.ts'
import { outsideRepository } from './outside-repository.ts'
import type { SandboxSpec } from './sandbox/types.ts'

type TreeSpec = Pick<SandboxSpec, 'tree' | 'readOnly' | 'hidden'>

/** Returns the tree for a command: the staged workspace, with an overlay or a copy for its changes. */
export function treeFor(
  parts: CommandParts,
  place: CommandPlace,
  { report, scratch }: Ready,
): TreeSpec & { readonly overlay: Overlay | undefined } {
  if (parts.off) {
    refuseUnstaged(place, 'Without the sandbox a command writes to the workspace itself')
    return { tree: { kind: 'direct' }, readOnly: [], hidden: [], overlay: undefined }
  }
  const isReading = place.commandTree === 'read-only'
  // With nothing staged or hidden, no layer is needed and the workspace itself is shown.
  if (isReading && place.staging.isEmpty() && place.hides === undefined)
    return { tree: { kind: 'read-only' }, readOnly: [], hidden: [], overlay: undefined }
  const overlay = openOverlay(place.root, place.staging, {
    scratch,
    overlay: report.overlay,
    hides: place.hides,
    memory: memoryOf(place.hides),
    mustStage: place.isJudged,
    keepsRepository: place.keepsRepository,
    drops: place.commandTree !== 'writable',
    fileBytes: parts.limits.fileBytes,
    env: parts.env,
    landings: parts.landings,
    inTransaction: place.inTransaction,
    linked: isReading ? undefined : linkedPlace(place),
  })
  const readOnly = isReading ? ['.'] : overlay.readOnly
  return { tree: overlay.tree, readOnly, hidden: overlay.hidden, overlay }
}

/** Returns the repository of a linked work tree if the sandbox can hold changes to it. */
function linkedPlace({ root, hides }: CommandPlace): LinkedPlace | undefined {
  const outside = hides?.unseen === undefined ? outsideRepository(root.path) : undefined
  const { gitDir, shown, isApart } = outside ?? {}
  return gitDir !== undefined && shown !== undefined && isApart ? { gitDir, common: shown } : undefined
}

/** The workspace itself, for a background command. Repository configuration and protected paths stay unchanged. */
export function directTree(
  parts: CommandParts,
  place: CommandPlace,
): TreeSpec & {
  /** Disarms what the command has left so far. Returns what it did. */
  readonly sweep: () => readonly string[]
  /** Records the start of the command. Returns a function that removes the record. */
  readonly mark: () => () => void
} {
  ensureDirect(parts, place)
  if (parts.off) return { tree: { kind: 'direct' }, readOnly: [], hidden: [], sweep: () => [], mark: () => () => {} }
  const { root, isJudged } = place
  const judgedPaths: HiddenPaths = {
    matches: path => isJudged(path, false),
    covers: () => false,
    reaches: () => true,
    names: () => false,
  }
  const before = findLeftBehind(root)
  const repositories = [...before].flatMap(([path, kind]) =>
    kind === 'a repository' ? [path] : kind === 'a bare repository' ? [parentOf(path)] : [],
  )
  const readOnly = new Set(['.git', ...repositories, ...hiddenPaths(root, judgedPaths, new Map())])
  readOnly.delete('.')
  return {
    tree: { kind: 'direct' },
    readOnly: [...readOnly],
    hidden: [],
    sweep: () => sweepLeftBehind(root, before),
    mark: () => markBackground(parts.marks, before),
  }
}

const memories = new WeakMap<HiddenPaths, HiddenMemory>()

function memoryOf(hides: HiddenPaths | undefined): HiddenMemory {
  if (hides === undefined) return new Map()
  const memory = memories.get(hides) ?? new Map()
  memories.set(hides, memory)
  return memory
}
