import type { DiskState } from './disk.ts'
import type { Operation, Base } from './operation.ts'
import type { Staged, State } from './staged.ts'
import { LINK_TYPE } from './identity.ts'
import { nameToBytes } from './name.ts'

/** Changes that have not landed, in layers over the disk. */
export interface Staging {
  readonly below: Staging | undefined
  /** Reports whether neither this layer nor one below holds a change. */
  isEmpty(): boolean
  /** Returns the state of a canonical path in this layer or the nearest below, or undefined if nothing is staged. */
  get(path: string): Staged | undefined
  /** Stages a state. The base counts only for a path that no layer has touched yet. */
  set(path: string, base: DiskState, state: State): void
  /** The changes of this layer only, by path. */
  own(): readonly (readonly [string, Staged])[]
  /** The changes of all layers, by path. */
  entries(): readonly (readonly [string, Staged])[]
  /** The files that were set to what they are on disk, and nothing else. */
  rewritten(): readonly string[]
  /** Moves the changes of this layer to the one below. */
  mergeDown(): void
  clear(): void
  /** Returns the operations to commit all layers, in an executable order. */
  toOperations(): Operation[]
}

export function createStaging(below?: Staging): Staging {
  const changes = new Map<string, Staged>()
  const rewritten = new Set<string>()

  const staging: Staging = {
    below,
    isEmpty: () => changes.size === 0 && (below?.isEmpty() ?? true),
    get: path => changes.get(path) ?? below?.get(path),
    set(path, base, state) {
      const entry = { base: staging.get(path)?.base ?? base, state }
      // A change back to the disk's state is dropped, unless it has to hide one of a layer below.
      const isDropped = isUnchanged(path, entry) && below?.get(path) === undefined
      if (isDropped && state.type === 'file') rewritten.add(path)
      if (isDropped) changes.delete(path)
      else changes.set(path, entry)
    },
    rewritten: () => [...rewritten],
    own: () => sortEntries(changes),
    entries: () =>
      below === undefined ? sortEntries(changes) : sortEntries(new Map([...below.entries(), ...changes])),
    mergeDown() {
      if (below === undefined) throw new Error('There is no layer below to merge into')
      for (const [path, { base, state }] of changes) below.set(path, base, state)
      changes.clear()
    },
    clear: () => changes.clear(),
    toOperations: () => operationsOf(staging.entries().filter(([path, staged]) => !isUnchanged(path, staged))),
  }
  return staging
}

/** Reports whether the state equals the disk. */
function isUnchanged(path: string, { base, state }: Staged): boolean {
  if (base.type === 'file' && state.type === 'file')
    return state.hash === base.hash && state.mode === base.identity.mode
  if (base.type === 'symlink' && state.type === 'symlink')
    return 'source' in state ? state.source === path : state.target === base.target
  return base.type === state.type
}

const sortEntries = (changes: ReadonlyMap<string, Staged>): [string, Staged][] =>
  [...changes].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

/**
 * Returns the steps from the base states on disk to the staged states. Deletes, moves or puts each path at most once,
 * in an order that works: names are freed first, directories are created before their contents and emptied before their
 * removal.
 */
function operationsOf(entries: readonly (readonly [string, Staged])[]): Operation[] {
  const movedSources = new Set(
    entries.flatMap(([path, { state }]) => ('source' in state && state.source !== path ? [state.source] : [])),
  )
  const steps = entries.flatMap(([path, staged]) => stepsFor(path, staged, movedSources))
  const of = (kind: Operation['kind']) => steps.filter(step => step.kind === kind)
  return [...of('delete'), ...of('mkdir'), ...of('move'), ...of('rmdir').toReversed(), ...of('put'), ...of('mode')]
}

function stepsFor(path: string, { base, state }: Staged, moved: ReadonlySet<string>): Operation[] {
  const clear = clearing(path, base, moved)
  switch (state.type) {
    case 'absent':
      return clear
    case 'directory':
      return base.type === 'directory' ? [] : [...clear, { kind: 'mkdir', path, mode: state.mode }]
    case 'symlink': {
      if ('source' in state) return [{ kind: 'move', from: state.source, to: path, base: state.identity }]
      const bytes = nameToBytes(state.target) ?? Buffer.from(state.target)
      const put: Operation = { kind: 'put', path, bytes, mode: LINK_TYPE | 0o777, base: baseOf(base) }
      return base.type === 'directory' ? [...clear, put] : [put]
    }
    case 'file': {
      const { mode } = state
      if (!('source' in state)) {
        const put: Operation = { kind: 'put', path, bytes: state.bytes, hash: state.hash, mode, base: baseOf(base) }
        return base.type === 'directory' ? [...clear, put] : [put]
      }
      if (state.source === path) return [{ kind: 'mode', path, mode, base: state.identity }]
      const move: Operation = { kind: 'move', from: state.source, to: path, base: state.identity }
      return [mode === state.identity.mode ? move : { ...move, mode }]
    }
  }
}

/** Returns the steps that free a name; none for the source of a move, which the move itself frees. */
function clearing(path: string, base: DiskState, moved: ReadonlySet<string>): Operation[] {
  if (base.type === 'absent' || moved.has(path)) return []
  return base.type === 'directory' ? [{ kind: 'rmdir', path }] : [{ kind: 'delete', path, base: base.identity }]
}

const baseOf = (base: DiskState): Base => (base.type === 'file' || base.type === 'symlink' ? base.identity : 'absent')
