import { extname } from 'node:path/posix'
import type { Root } from '../../../machine/workspace/root.ts'
import { createStaging } from '../../../machine/workspace/staging.ts'
import { visibleText } from '../visible-text.ts'
import type { Changes } from './edit-question.ts'

/** Changes that were answered before they were judged. */
export interface Pending extends Changes {
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
  /** Returns the changes that wait to be judged together with this one; undefined if it does not wait. */
  holding(id: string): Pending | undefined
  /** Asks about waiting changes. Their own report waits for the answer, which may make it superfluous. */
  ask<T>(pending: Pending, question: () => Promise<T>): Promise<T>
  /** Resolves when nobody asks about these changes. */
  asked(pending: Pending): Promise<void>
  /** Drops judged changes, unless one was added meanwhile. */
  settle(pending: Pending): void
}

/** Beyond this only the newest change is judged: the others would delay it. */
const MOST_FILES = 200
const MOST_CHARACTERS = 8 * 1024 ** 2

export function createBacklog(): Backlog {
  const times = new Map<string, number>()
  const questions = new WeakMap<Pending, Promise<void>>()
  let pending: Pending | undefined
  return {
    isQuick: (changed, deadlineMs) => (times.get(kindOf(changed)) ?? 0) <= deadlineMs,
    took: (changed, ms) => void times.set(kindOf(changed), ms),
    isEmpty: () => pending === undefined,
    add(id, changes, textNow) {
      const together = pending && joinChanges(pending, changes, textNow)
      pending =
        together && isHandy(together) ? { ...together, ids: [...(pending?.ids ?? []), id] } : { ...changes, ids: [id] }
      return pending
    },
    holding: id => (pending?.ids.includes(id) ? pending : undefined),
    async ask(about, question) {
      const answer = question()
      const over = Promise.allSettled([questions.get(about), answer]).then(() => {})
      questions.set(about, over)
      return answer
    },
    asked: async about => questions.get(about),
    isNewest: given => given === pending,
    settle(given) {
      if (given === pending) pending = undefined
    },
  }
}

/** Returns the changes up to the current texts; the same object if these are the texts that they left. */
export function upToNow(changes: Changes, textNow: (path: string) => string | null): Changes {
  const { before, changed } = changes
  const after = Object.fromEntries(Object.keys(before).map(path => [path, textNow(path)]))
  if (Object.entries(after).every(([path, text]) => changes.after[path] === text)) return changes
  return { before, after, changed: changed.filter(path => before[path] !== after[path]) }
}

/** Returns the current texts of files on disk, as far as they may be shown. */
export function textOnDisk(root: Root): (path: string) => string | null {
  const disk = createStaging()
  return path => visibleText(root, disk, path) ?? null
}

const kindOf = (changed: readonly string[]): string =>
  [...new Set(changed.map(path => extname(path)))].toSorted().join()

/** From before the first to after the last; files that only the first changed keep their current text. */
function joinChanges(first: Changes, last: Changes, textNow: (path: string) => string | null): Changes {
  const before = { ...last.before, ...first.before }
  const now = Object.keys(first.after).filter(path => !Object.hasOwn(last.after, path))
  const after = { ...last.after, ...Object.fromEntries(now.map(path => [path, textNow(path)])) }
  const changedPaths = [...new Set([...last.changed, ...first.changed])].filter(path => before[path] !== after[path])
  return { before, after, changed: changedPaths }
}

function isHandy({ before, after, changed }: Changes): boolean {
  let characters = 0
  for (const text of [...Object.values(before), ...Object.values(after)]) characters += text?.length ?? 0
  return changed.length <= MOST_FILES && characters <= MOST_CHARACTERS
}
