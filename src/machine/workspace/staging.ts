import type { DiskState } from './disk.ts'
import { operationsOf } from './operations.ts'
import type { Operation } from './operation.ts'
import type { Staged, State } from './staged.ts'

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
