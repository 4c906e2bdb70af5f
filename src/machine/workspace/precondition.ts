import { ToolError } from '../../kernel/error.ts'
import { show } from './path.ts'

/** Known facts about a file that is about to change. */
interface Known {
  readonly path: string
  /** Hash of the current content; undefined if there is none. */
  readonly now: string | undefined
  /** The hash that this session last read. */
  readonly remembered: string | undefined
  /** The caller's own condition: a hash, or `absent`. */
  readonly expect: string | undefined
  /** The whole file must have been read before it is replaced. */
  readonly mustBeRead: boolean
  /** The file was read only in part. */
  readonly partly: boolean
  /** The caller may read the file, and so know its hash. */
  readonly mayRead: boolean
}

/** Refuses a change that is based on a state other than the current one. */
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
    throw new ToolError('conflict', `${show(path)} was read only in part, but the change replaces all of it`, {
      hint: 'Change the part with edit, or read the rest, or give the hash that the read gave as expect.',
    })
}

/** Results for models contain only the first digits of a hash, which suffice. */
const FEWEST_DIGITS = 16

/** Reports whether the current content is what was read. */
export const isExpected = (hash: string | undefined, expect: string): boolean =>
  hash !== undefined && expect.length >= FEWEST_DIGITS && hash.startsWith(expect)
