import type { Operation } from './operation.ts'
import { capture } from './disk.ts'
import { indexContent } from './index-content.ts'
import { isIndexPath } from './repository-path.ts'
import type { Root } from './root.ts'
import type { Staging } from './staging.ts'
import { createStaging } from './staging.ts'
import { createView } from './view.ts'

/**
 * Returns the operations for the index as it is now, if git has only refreshed its file status since the change was
 * staged: any `git status` does that.
 */
export function withFreshIndex(root: Root, staging: Staging, operations: readonly Operation[]): readonly Operation[] {
  return operations.map(operation => {
    if (operation.kind !== 'put' || operation.base === 'absent' || !isIndexPath(operation.path)) return operation
    const before = staging.get(operation.path)?.base
    const location = root.resolve(operation.path, { link: true })
    try {
      const now = location.rel === operation.path ? capture(root, location) : undefined
      if (now?.type !== 'file' || before?.type !== 'file') return operation
      const bytes = createView(root, createStaging()).bytesOnDisk(operation.path, now.identity)
      return indexContent(bytes) === before.hash ? { ...operation, base: now.identity } : operation
    } finally {
      location.release()
    }
  })
}
