import { createHash } from 'node:crypto'
import type { NameKind } from '../../../model/occurrences/occurrence.ts'
import type { Position } from '../../servers/lsp-schemas.ts'
import type { RefactoringOccurrences } from '../../types.ts'
import { isPython, type RefactorParts } from '../refactor-parts.ts'

/** Where a name is declared. */
export interface DeclaredAt {
  readonly path: string
  readonly position: Position
}

/** A name that is changed or taken away. */
export interface NamedPlace extends DeclaredAt {
  /** As it is asked for: `Class.method`. */
  readonly name: string
  /** Its own name. */
  readonly old: string
  /** A part of a class, type or object; one of the module itself; or one that only its function knows. */
  readonly scope: 'member' | 'module' | 'local'
  /** Where it is declared, with all that has to keep one name with it. */
  readonly places: readonly DeclaredAt[]
  /** What stands before its name: decorators, and the word for what it is; empty where nobody knows. */
  readonly head: string
}

/** What is renamed, moved or deleted, as far as it matters for where it can be meant. */
export interface Target extends NamedPlace {
  /** It holds a value, and is not a function or class. */
  readonly isData: boolean
  /** A parameter, which calls can name. */
  readonly isParameter: boolean
}

/** What the text around its declaration says of a target. */
export function targetOf({ sources }: RefactorParts, place: NamedPlace): Target {
  const { text, offsetOf } = sources(place.path)
  const before = text.slice(0, offsetOf(place.position))
  const after = text.slice(before.length + place.old.length)
  return {
    ...place,
    isData: !/^\s*[?!]?\s*[(<]/.test(after) && !/\bclass\s+$/.test(before),
    isParameter:
      place.scope === 'local' && isPython(place.path) && /\b(?:def\s+\w+\s*\([^()]*|lambda[^:\n]*)$/.test(before),
  }
}

/** Where the old name is written, or the old path. */
interface OccurrenceAt {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly kind: NameKind | 'declaration' | 'path'
}

export interface Occurrence extends OccurrenceAt {
  readonly verdict: ListedOccurrence['verdict']
  /** Why it is another, or why nobody can say. */
  readonly why?: string
  /** It could break at run time: nothing lands until somebody decides about it. */
  readonly blocks: boolean
  /** What is written there where it is taken along; nothing where it cannot be, or is changed anyway. */
  readonly instead?: string | undefined
}

export const changedAt = (at: OccurrenceAt): Occurrence => ({ ...at, verdict: 'changed', blocks: false })
export const otherAt = (at: OccurrenceAt, why: string): Occurrence => ({ ...at, verdict: 'other', why, blocks: false })
/** It breaks nothing. */
export const mentionAt = (at: OccurrenceAt): Occurrence => ({ ...at, verdict: 'not decided', blocks: false })
export const undecidedAt = (at: OccurrenceAt, why: string, instead?: string): Occurrence => ({
  ...at,
  verdict: 'not decided',
  why,
  blocks: true,
  instead,
})

/** An occurrence as an answer gives it. */
export type ListedOccurrence = RefactoringOccurrences['listed'][number]

export const byPlace = (one: PathOffset, other: PathOffset): number =>
  (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) || one.start - other.start

type PathOffset = Pick<OccurrenceAt, 'path' | 'start'>

/** The text up to the end of its line. */
export const lineFrom = (text: string, start: number): string => /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? ''

/** Short and stable: the same line of the same file has the same ids, wherever it stands. */
export function listedOccurrence({ sources }: RefactorParts, occurrence: Occurrence): ListedOccurrence {
  const { start, path, kind, verdict, why } = occurrence
  const source = sources(path)
  const { line, character } = source.positionOf(start)
  const from = start - character
  const whole = lineFrom(source.text, from)
  const same = source.text.slice(0, from).split(whole).length
  const id = createHash('sha256').update(`${path}\0${whole.trim()}\0${same}\0${character}`).digest('hex').slice(0, 8)
  const text = whole.trim().slice(0, 160)
  return { id, path, line: line + 1, kind, verdict, text, ...(why !== undefined && { why }) }
}
