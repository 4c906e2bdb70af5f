import type { ApprovalShelf } from './approval-book.ts'

/**
 * Approvals as a deterministic session sees them: new ones get names in order. Since its clock stands still in the past,
 * what has expired is left out by the real time, but for what this session was told itself.
 */
export function fixedShelf(shelf: ApprovalShelf, newId: () => string, realTime: () => number): ApprovalShelf {
  const own = new Set<string>()
  const isValid = (expiresAt: string | undefined) => expiresAt === undefined || Date.parse(expiresAt) > realTime()
  return {
    list: () => shelf.list().filter(({ id, expiresAt }) => own.has(id) || isValid(expiresAt)),
    add(approval) {
      const taken = new Set(shelf.list().map(({ id }) => id))
      let id = newId()
      while (taken.has(id)) id = newId()
      own.add(id)
      return shelf.add(approval, id)
    },
    touch: (id, at) => shelf.touch(id, at),
  }
}
