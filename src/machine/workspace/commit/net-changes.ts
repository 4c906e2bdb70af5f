import { createHash } from 'node:crypto'
import type { CommitStore } from './commit-store.ts'
import { readWhole } from './file-bytes.ts'
import type { Step } from './intent.ts'
import { listUndo, lookUp, recordOf } from './list-undo.ts'
import { isRepositoryPath } from '../path.ts'

/** What several commits did to one path together. */
export interface NetChange {
  readonly path: string
  readonly kind: 'created' | 'modified' | 'deleted' | 'mode'
}

interface FileState {
  /** sha256 of the content; `unknown` if it is no longer kept. */
  readonly hash: string
  readonly mode: number
}

interface PathStates {
  readonly before: FileState | 'absent'
  after: FileState | 'absent'
}

/** Returns what these commits, the oldest first, did to the files together; what they took back themselves is left out. */
export function netChanges(store: CommitStore, ids: readonly string[]): readonly NetChange[] {
  const kept = new Set(listUndo(store).map(({ id }) => id))
  const states = new Map<string, PathStates>()
  const set = (path: string, before: FileState | 'absent', after: FileState | 'absent'): void => {
    const known = states.get(path)
    if (known) known.after = after
    else states.set(path, { before, after })
  }
  for (const id of ids.filter(each => kept.has(each)))
    for (const [path, before, after] of statesOf(store, id)) set(path, before, after)
  return [...states]
    .flatMap(([path, state]) => {
      const kind = isRepositoryPath(path) ? undefined : kindOf(state)
      return kind ? [{ path, kind }] : []
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

function kindOf({ before, after }: PathStates): NetChange['kind'] | undefined {
  if (before === 'absent') return after === 'absent' ? undefined : 'created'
  if (after === 'absent') return 'deleted'
  if (before.hash !== after.hash) return 'modified'
  return before.mode === after.mode ? undefined : 'mode'
}

type Transition = readonly [path: string, before: FileState | 'absent', after: FileState | 'absent']

function statesOf(store: CommitStore, id: string): readonly Transition[] {
  const { sys } = store
  const entry = lookUp(store, id)
  const directory = sys.openDirectory(entry.place.undo, entry.name)
  const contentBefore = (index: number): string => {
    const old = sys.lstat(directory, `x${index}`)
    if (old?.isSymbolicLink())
      return createHash('sha256')
        .update(sys.readlink(directory, `x${index}`))
        .digest('hex')
    return old?.isFile()
      ? createHash('sha256')
          .update(readWhole(sys, directory, `x${index}`))
          .digest('hex')
      : UNKNOWN
  }
  try {
    return recordOf(store, entry).steps.flatMap((step, index) => transitions(step, () => contentBefore(index)))
  } finally {
    sys.close(directory)
  }
}

const UNKNOWN = 'unknown'

function transitions(step: Step, contentBefore: () => string): readonly Transition[] {
  if (step.kind === 'put') {
    const before = step.base === 'absent' ? step.base : { hash: contentBefore(), mode: step.base.mode }
    return [[step.path, before, { hash: step.hash, mode: step.mode & 0o7777 }]]
  }
  if (step.kind === 'delete') return [[step.path, { hash: contentBefore(), mode: step.base.mode }, 'absent']]
  if (step.kind === 'mode')
    return [[step.path, { hash: UNKNOWN, mode: step.base.mode }, { hash: UNKNOWN, mode: step.mode }]]
  if (step.kind !== 'move') return []
  const { from, to, base, mode = base.mode, hash = UNKNOWN } = step
  const moved = { hash, mode: base.mode }
  return [
    [from, moved, 'absent'],
    [to, 'absent', { hash, mode }],
  ]
}
