import { extname } from 'node:path/posix'
import type { Changes } from './edit-question.ts'

/** Changes that were answered before they were judged. */
interface Pending extends Changes {
  /** Their `undo` ids, the newest last. */
  readonly ids: readonly string[]
}

/** Changes that a session has not been told about, and how long judging took recently. */
export interface Backlog {
  /** Reports whether judging changes of such files last took no longer than this; true before the first measurement. */
  isQuick(changed: readonly string[], deadlineMs: number): boolean
  took(changed: readonly string[], ms: number): void
  isEmpty(): boolean
  /** Adds a change that landed, and returns it together with earlier unjudged ones. */
  add(id: string, changes: Changes, textNow: (path: string) => string | null): Pending
  /** Reports whether nothing was added since. */
  isNewest(pending: Pending): boolean
  /** Drops judged changes, unless one was added meanwhile. */
  settle(pending: Pending): void
}

/** Beyond this only the newest change is judged: the others would delay it. */
const MOST_FILES = 200
const MOST_CHARACTERS = 8 * 1024 ** 2

export function createBacklog(): Backlog {
  const times = new Map<string, number>()
  let pending: Pending | undefined
  return {
    isQuick: (changed, deadlineMs) => (times.get(kindOf(changed)) ?? 0) <= deadlineMs,
    took: (changed, ms) => void times.set(kindOf(changed), ms),
    isEmpty: () => pending === undefined,
    add(id, changes, textNow) {
      const together = pending && joined(pending, changes, textNow)
      pending =
        together && isHandy(together) ? { ...together, ids: [...(pending?.ids ?? []), id] } : { ...changes, ids: [id] }
      return pending
    },
    isNewest: given => given === pending,
    settle(given) {
      if (given === pending) pending = undefined
    },
  }
}

const kindOf = (changed: readonly string[]): string =>
  [...new Set(changed.map(path => extname(path)))].toSorted().join()

/** From before the first to after the last; files that only the first changed keep their current text. */
function joined(first: Changes, last: Changes, textNow: (path: string) => string | null): Changes {
  const before = { ...last.before, ...first.before }
  const now = Object.keys(first.after).filter(path => !Object.hasOwn(last.after, path))
  const after = { ...last.after, ...Object.fromEntries(now.map(path => [path, textNow(path)])) }
  const changed = [...new Set([...last.changed, ...first.changed])].filter(path => before[path] !== after[path])
  return { before, after, changed }
}

function isHandy({ before, after, changed }: Changes): boolean {
  let characters = 0
  for (const text of [...Object.values(before), ...Object.values(after)]) characters += text?.length ?? 0
  return changed.length <= MOST_FILES && characters <= MOST_CHARACTERS
}
