import { createHash } from 'node:crypto'
import { languageAt } from '../../../../languages/registry.ts'
import type { NameKind } from '../../../model/occurrences/occurrence.ts'
import type { Position } from '../../servers/lsp-schemas.ts'
import type { RefactoringOccurrences } from '../../types.ts'
import type { RefactorParts } from '../refactor-parts.ts'

/** The position of a declared name. */
export interface DeclaredAt {
  readonly path: string
  readonly position: Position
}

/** A name to change or remove. */
export interface NamedPlace extends DeclaredAt {
  /** The qualified name: `Class.method`. */
  readonly name: string
  /** The unqualified name. */
  readonly old: string
  /** A member of a class, type or object; a module-level name; or a local of a function. */
  readonly scope: 'member' | 'module' | 'local'
  /** Its declarations, with all that have to keep the same name. */
  readonly places: readonly DeclaredAt[]
  /** The text before its name: decorators and keywords; empty if unknown. */
  readonly head: string
}

/** A symbol to rename, move or delete, with the facts that tell where it can be referenced. */
export interface Target extends NamedPlace {
  /** It holds a value, and is no function or class. */
  readonly isData: boolean
  /** A parameter, which calls can name. */
  readonly isParameter: boolean
}

/** Reads a target's facts from the text around its declaration. */
export function targetOf({ sources }: RefactorParts, place: NamedPlace): Target {
  const { text, offsetOf } = sources(place.path)
  const before = text.slice(0, offsetOf(place.position))
  const after = text.slice(before.length + place.old.length)
  return {
    ...place,
    isData: !/^\s*[?!]?\s*[(<]/.test(after) && !/\bclass\s+$/.test(before),
    isParameter: place.scope === 'local' && languageAt(place.path).namedParameter?.test(before) === true,
  }
}

/** Position of the old name or path. */
interface OccurrenceAt {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly kind: NameKind | 'declaration' | 'path'
}

export interface Occurrence extends OccurrenceAt {
  readonly verdict: ListedOccurrence['verdict']
  /** Why it is another symbol, or undecided. */
  readonly why?: string
  /** It could break at run time: nothing lands until it is decided. */
  readonly blocks: boolean
  /** The replacement if the occurrence is included; undefined if it cannot be, or changes anyway. */
  readonly instead?: string | undefined
}

export const changedAt = (at: OccurrenceAt): Occurrence => ({ ...at, verdict: 'changed', blocks: false })
export const otherAt = (at: OccurrenceAt, why: string): Occurrence => ({ ...at, verdict: 'other', why, blocks: false })
/** A mention breaks nothing. */
export const mentionAt = (at: OccurrenceAt): Occurrence => ({ ...at, verdict: 'not decided', blocks: false })
export const undecidedAt = (at: OccurrenceAt, why: string, instead?: string): Occurrence => ({
  ...at,
  verdict: 'not decided',
  why,
  blocks: true,
  instead,
})

/** An occurrence as a result shows it. */
export type ListedOccurrence = RefactoringOccurrences['listed'][number]

export const byPlace = (one: PathOffset, other: PathOffset): number =>
  (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) || one.start - other.start

type PathOffset = Pick<OccurrenceAt, 'path' | 'start'>

/** The text up to the end of its line. */
export const lineFrom = (text: string, start: number): string => /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? ''

/** Ids are short and stable: the same line of the same file keeps its ids, wherever it moves. */
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
