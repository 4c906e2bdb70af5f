import { ToolError } from '../../kernel/error.ts'
import { capture, hashOf, type DiskState } from './disk.ts'
import { sameIdentity } from './identity.ts'
import type { Base, Operation } from './operation.ts'
import { show } from './path.ts'
import type { Root } from './root.ts'
import type { Staging } from './staging.ts'

/** Stages operations that were made for the disk as it is, so that they can be shown, joined to a transaction and committed as any change. */
export function stageOperations(root: Root, staging: Staging, operations: readonly Operation[]): void {
  for (const operation of operations) {
    if (operation.kind === 'move') {
      const from = expected(root, operation.from, operation.base)
      const to = expected(root, operation.to, 'absent')
      if (from.type !== 'file' && from.type !== 'symlink') throw changed(operation.from)
      const kept = { source: operation.from, identity: from.identity }
      staging.set(
        operation.to,
        to,
        from.type === 'file'
          ? { ...kept, type: 'file', hash: from.hash, mode: operation.mode ?? from.identity.mode }
          : { ...kept, type: 'symlink', target: from.target },
      )
      staging.set(operation.from, from, { type: 'absent' })
      continue
    }
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
      staging.set(path, base, {
        type: 'file',
        source: path,
        identity: base.identity,
        hash: base.hash,
        mode: operation.mode,
      })
    }
  }
}

function expected(root: Root, path: string, base: Base): DiskState {
  const located = root.resolve(path, { link: true })
  try {
    if (located.rel !== path) throw changed(path)
    const now = capture(root, located)
    const same = base === 'absent' ? now.type === 'absent' : 'identity' in now && sameIdentity(now.identity, base)
    if (!same) throw changed(path)
    return now
  } finally {
    located.release()
  }
}

const changed = (path: string): ToolError =>
  new ToolError('conflict', `${show(path)} changed while it was being looked at`, { hint: 'Try again.' })
