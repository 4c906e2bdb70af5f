import { ToolError } from '../../kernel/error.ts'
import { capture, hashOf, type DiskState } from './disk.ts'
import { sameIdentity } from './identity.ts'
import type { Base, Operation } from './operation.ts'
import { show } from './path.ts'
import type { Root } from './root.ts'
import type { Staging } from './staging.ts'
import { createView } from './view.ts'

/** Stages operations that were made for the disk as it is, so that they can be shown, joined to a transaction and committed as any change. */
export function stageOperations(root: Root, staging: Staging, operations: readonly Operation[]): void {
  const moves = operations.filter(operation => operation.kind === 'move')
  const sources = moves.map(({ from, base }) => expected(root, from, base))
  // First every name is vacated, then taken: a swap needs no order.
  for (const [index, { from }] of moves.entries()) staging.set(from, sourceAt(sources, index), { type: 'absent' })
  for (const operation of operations) if (operation.kind !== 'move') stageOne(root, staging, operation)
  for (const [index, move] of moves.entries()) stageArrival(root, staging, move, sourceAt(sources, index))
}

type Move = Extract<Operation, { kind: 'move' }>

const sourceAt = (sources: readonly DiskState[], index: number): DiskState => sources[index] ?? { type: 'absent' }

function stageOne(root: Root, staging: Staging, operation: Exclude<Operation, Move>): void {
  const { path, kind } = operation
  if (kind === 'mkdir') staging.set(path, expected(root, path, 'absent'), { type: 'directory', mode: operation.mode })
  else if (kind === 'rmdir') staging.set(path, { type: 'directory' }, { type: 'absent' })
  else if (kind === 'delete') staging.set(path, expected(root, path, operation.base), { type: 'absent' })
  else if (kind === 'put') {
    const { bytes, mode } = operation
    staging.set(path, expected(root, path, operation.base), { type: 'file', bytes, hash: hashOf(bytes), mode })
  } else {
    const base = expected(root, path, operation.base)
    if (base.type !== 'file') throw changed(path)
    const { identity, hash } = base
    staging.set(path, base, { type: 'file', source: path, identity, hash, mode: operation.mode })
  }
}

function stageArrival(root: Root, staging: Staging, { from, to, mode }: Move, source: DiskState): void {
  if (source.type !== 'file' && source.type !== 'symlink') throw changed(from)
  const there = whatIs(root, to)
  if (there.type !== 'absent' && staging.get(to)?.state.type !== 'absent') throw changed(to)
  const kept = { source: from, identity: source.identity }
  if (source.type === 'symlink') {
    staging.set(to, there, { ...kept, type: 'symlink', target: source.target })
    return
  }
  const arrived = { type: 'file', hash: source.hash, mode: mode ?? source.identity.mode } as const
  // Onto a name that was not free from the start a rename would need an order; the bytes do not.
  if (there.type === 'absent') staging.set(to, there, { ...arrived, ...kept })
  else {
    const bytes = source.bytes ?? createView(root, staging).bytesOnDisk(from, source.identity)
    staging.set(to, there, { ...arrived, bytes, movedFrom: from })
  }
}

function whatIs(root: Root, path: string): DiskState {
  const located = root.resolve(path, { link: true })
  try {
    if (located.rel !== path) throw changed(path)
    return capture(root, located)
  } finally {
    located.release()
  }
}

function expected(root: Root, path: string, base: Base): DiskState {
  const now = whatIs(root, path)
  const same = base === 'absent' ? now.type === 'absent' : 'identity' in now && sameIdentity(now.identity, base)
  if (!same) throw changed(path)
  return now
}

const changed = (path: string): ToolError =>
  new ToolError('conflict', `${show(path)} changed while it was being looked at`, { hint: 'Try again.' })
