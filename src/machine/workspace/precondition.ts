import { ToolError } from '../../kernel/error.ts'
import { show } from './path.ts'

/** What is known about a file that is about to be changed. */
interface Known {
  readonly path: string
  /** The hash of what is there now; undefined if nothing is. */
  readonly now: string | undefined
  /** The hash that this session last read. */
  readonly remembered: string | undefined
  /** The caller's own condition: a hash, or `absent`. */
  readonly expect: string | undefined
  /** A file may not be replaced blindly: all of it must have been read. */
  readonly mustBeRead: boolean
  /** Something of it was read, but not all. */
  readonly partly: boolean
  /** The caller may know what the file holds, and so its hash. */
  readonly mayRead: boolean
}

/** Refuses a change that rests on something other than what is there. */
export function checkPrecondition({ path, now, remembered, expect, mustBeRead, partly, mayRead }: Known): void {
  const actual = mayRead ? { actual: now ?? 'absent' } : {}
  if (expect === 'absent') {
    if (now === undefined) return
    throw new ToolError('exists', `${show(path)} is already there`, { hint: 'Read it, then edit it.' })
  }
  if (expect !== undefined) {
    if (isExpected(now, expect)) return
    throw new ToolError('conflict', `${show(path)} is not what was expected`, {
      hint: 'Read it again, then repeat the change with the new hash.',
      details: { expected: expect, ...actual },
    })
  }
  if (remembered !== undefined && remembered !== now)
    throw new ToolError(
      'conflict',
      `${show(path)} ${now === undefined ? 'was deleted' : 'changed'} since it was read`,
      {
        hint: 'Read it again, then repeat the change.',
        details: { expected: remembered, ...actual },
      },
    )
  if (mustBeRead && remembered === undefined && now !== undefined)
    throw new ToolError('conflict', `${show(path)} exists and was not read before it was to be replaced`, {
      hint: 'Read it first in the same session, or give the hash that a read gave as expect; edit changes only a part of it.',
    })
  if (mustBeRead && partly && now !== undefined)
    throw new ToolError('conflict', `${show(path)} was read only in part before all of it was to be replaced`, {
      hint: 'Change the part with edit, or read the rest, or give the hash that the read gave as expect.',
    })
}

/** Answers for models give the first digits of a hash, which are as good as all of them. */
const FEWEST_DIGITS = 16

/** Reports whether what is there is what was read. */
export const isExpected = (hash: string | undefined, expect: string): boolean =>
  hash !== undefined && expect.length >= FEWEST_DIGITS && hash.startsWith(expect)
