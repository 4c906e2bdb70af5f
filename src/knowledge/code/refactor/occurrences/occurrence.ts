import { createHash } from 'node:crypto'
import type { NameKind } from '../../../model/occurrences/occurrence.ts'
import type { Source } from '../../source.ts'

/** What is known of a place where a name is written that is changed. */
export type Verdict = 'changed' | 'other' | 'not decided'

/** A place where the old name is written, or the old path. */
export interface Occurrence {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly kind: NameKind | 'declaration' | 'path'
  readonly verdict: Verdict
  /** Why it is another, or why nobody can say. */
  readonly why?: string
  /** It could break at run time: nothing lands until somebody decides about it. */
  readonly blocks: boolean
  /** What is written there where it is taken along; nothing where it cannot be, or is changed anyway. */
  readonly instead?: string
}

/** An occurrence as an answer gives it. */
export interface ListedOccurrence {
  readonly id: string
  readonly path: string
  readonly line: number
  readonly kind: Occurrence['kind']
  readonly verdict: Verdict
  readonly text: string
  readonly why?: string
}

export const byPlace = (one: Occurrence, other: Occurrence): number =>
  (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) || one.start - other.start

/** Short and stable: the same line of the same file has the same ids, wherever it stands. */
export function listedOccurrence(source: Source, { start, path, kind, verdict, why }: Occurrence): ListedOccurrence {
  const { line, character } = source.positionOf(start)
  const from = source.offsetOf({ line, character: 0 })
  const whole = /^[^\r\n]*/.exec(source.text.slice(from))?.[0] ?? ''
  const same = source.text.slice(0, from).split(whole).length
  const id = createHash('sha256').update(`${path}\0${whole.trim()}\0${same}\0${character}`).digest('hex').slice(0, 8)
  return {
    id,
    path,
    line: line + 1,
    kind,
    verdict,
    text: whole.trim().slice(0, 160),
    ...(why !== undefined && { why }),
  }
}
