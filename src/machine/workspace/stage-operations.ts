import { ToolError } from '../../kernel/error.ts'
import { capture, hashOf, type DiskState } from './disk.ts'
import { sameIdentity } from './identity.ts'
import type { Base, Operation } from './operation.ts'
import { parentOf, show } from './path.ts'
import type { Root } from './root.ts'
import type { Staging } from './staging.ts'
import { createView } from './view.ts'

/**
 * Stages operations made for the current disk, so that they can be shown, joined to a transaction and committed like
 * any change.
 */
export function stageOperations(root: Root, staging: Staging, operations: readonly Operation[]): void {
  // All names are vacated first, then taken: a swap, or a file in place of a directory, needs no order.
  for (const operation of operations) vacate(root, staging, operation)
  for (const operation of operations) take(root, staging, operation)
}

type Move = Extract<Operation, { kind: 'move' }>

function vacate(root: Root, staging: Staging, operation: Operation): void {
  if (operation.kind === 'rmdir') staging.set(operation.path, { type: 'directory' }, { type: 'absent' })
  if (operation.kind === 'delete')
    staging.set(operation.path, expectState(root, operation.path, operation.base), { type: 'absent' })
  if (operation.kind === 'move')
    staging.set(operation.from, expectState(root, operation.from, operation.base), { type: 'absent' })
}

function take(root: Root, staging: Staging, operation: Operation): void {
  if (operation.kind === 'move') stageArrival(root, staging, operation)
  if (operation.kind === 'mkdir')
    staging.set(operation.path, vacantState(root, staging, operation.path), { type: 'directory', mode: operation.mode })
  if (operation.kind === 'put') {
    const { path, bytes, mode, base } = operation
    const there = base === 'absent' ? vacantState(root, staging, path) : expectState(root, path, base)
    staging.set(path, there, { type: 'file', bytes, hash: hashOf(bytes), mode })
  }
  if (operation.kind === 'mode') {
    const { path, mode } = operation
    const base = expectState(root, path, operation.base)
    if (base.type !== 'file') throw changedError(path)
    const { identity, hash } = base
    staging.set(path, base, { type: 'file', source: path, identity, hash, mode })
  }
}

/** Returns the state of a name that must be free, on disk or because the same operations vacate it. */
function vacantState(root: Root, staging: Staging, path: string): DiskState {
  const stagedEntry = staging.get(path)
  if (stagedEntry?.state.type === 'absent') return stagedEntry.base
  return isBelowFile(staging, path) ? { type: 'absent' } : expectState(root, path, 'absent')
}

/** Reports whether these operations put a directory in the place of a file or link that is on the way. */
function isBelowFile(staging: Staging, path: string): boolean {
  for (let at = parentOf(path); at !== '.'; at = parentOf(at)) {
    const base = staging.get(at)?.base.type
    if (base === 'file' || base === 'symlink') return true
  }
  return false
}

function stageArrival(root: Root, staging: Staging, { from, to, mode }: Move): void {
  const source = staging.get(from)?.base
  if (source?.type !== 'file' && source?.type !== 'symlink') throw changedError(from)
  const there = vacantState(root, staging, to)
  const moveSource = { source: from, identity: source.identity }
  if (source.type === 'symlink') {
    staging.set(to, there, { ...moveSource, type: 'symlink', target: source.target })
    return
  }
  const arrival = { type: 'file', hash: source.hash, mode: mode ?? source.identity.mode } as const
  // A rename onto a name that was not free from the start would need an order; writing the bytes does not.
  if (there.type === 'absent') staging.set(to, there, { ...arrival, ...moveSource })
  else {
    const bytes = source.bytes ?? createView(root, staging).bytesOnDisk(from, source.identity)
    staging.set(to, there, { ...arrival, bytes, movedFrom: from })
  }
}

function expectState(root: Root, path: string, base: Base): DiskState {
  const location = root.resolve(path, { link: true })
  try {
    if (location.rel !== path) throw changedError(path)
    const now = capture(root, location)
    const same = base === 'absent' ? now.type === 'absent' : 'identity' in now && sameIdentity(now.identity, base)
    if (!same) throw changedError(path)
    return now
  } finally {
    location.release()
  }
}

const changedError = (path: string): ToolError =>
  new ToolError('conflict', `${show(path)} changed while it was being looked at`, { hint: 'Try again.' })
