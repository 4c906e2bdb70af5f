import type { CodeFault } from '../../../kernel/edit-effects.ts'
import { lineEdits } from '../../../machine/workspace/diff/line-edits.ts'

/** One file before and after a change; its texts only if they differ. */
interface ComparedDiagnostics {
  readonly before: readonly CodeFault[]
  readonly after: readonly CodeFault[]
  readonly texts?: { readonly before: string; readonly after: string } | undefined
}

interface Difference {
  readonly introduced: readonly CodeFault[]
  readonly cured: readonly CodeFault[]
}

/**
 * Returns the errors that appeared and those that disappeared. Errors are the same if code and position match, with
 * moved lines followed. In a changed text the remaining errors are also paired by message.
 */
export function compareDiagnostics({ before, after, texts }: ComparedDiagnostics): Difference {
  const lines = texts && keptLines(texts.before, texts.after)
  const lineOf = (fault: CodeFault) => (lines ? lines.get(fault.line) : fault.line)
  const byPlace = unmatchedErrors(before, after, fault => {
    const line = lineOf(fault)
    return line === undefined ? undefined : placeOf(fault, line)
  })
  if (!texts) return byPlace
  const { introduced, cured } = byPlace
  return unmatchedErrors(cured, introduced, codeAndMessage, codeAndMessage)
}

/** Pairs equal errors of both sides one to one, and returns the rest. */
function unmatchedErrors(
  before: readonly CodeFault[],
  after: readonly CodeFault[],
  keyBefore: (fault: CodeFault) => string | undefined,
  keyAfter: (fault: CodeFault) => string = fault => placeOf(fault, fault.line),
): Difference {
  const open = new Map<string, number>()
  for (const fault of after) open.set(keyAfter(fault), (open.get(keyAfter(fault)) ?? 0) + 1)
  const curedErrors = before.filter(fault => {
    const key = keyBefore(fault)
    const count = key === undefined ? 0 : (open.get(key) ?? 0)
    if (key === undefined || count === 0) return true
    open.set(key, count - 1)
    return false
  })
  // Of several at one position the last ones are new.
  const newErrors = after.toReversed().filter(fault => {
    const count = open.get(keyAfter(fault)) ?? 0
    if (count > 0) open.set(keyAfter(fault), count - 1)
    return count > 0
  })
  return { introduced: newErrors.toReversed(), cured: curedErrors }
}

const placeOf = ({ column, code }: CodeFault, line: number): string => `${line}:${column} ${code}`
const codeAndMessage = ({ code, message }: CodeFault): string => `${code} ${message}`

/** Maps lines of a text to the lines of its changed version; both 1-based. */
function keptLines(before: string, after: string): ReadonlyMap<number, number> {
  const lineMap = new Map<number, number>()
  let [from, to] = [1, 1]
  for (const { kind, count } of lineEdits(before.split('\n'), after.split('\n'))) {
    if (kind === 'keep') for (let at = 0; at < count; at++) lineMap.set(from + at, to + at)
    if (kind !== 'insert') from += count
    if (kind !== 'delete') to += count
  }
  return lineMap
}
