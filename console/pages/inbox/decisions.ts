import { computed, signal } from '@preact/signals'
import { parseHunk, placeIn, type DiffHunk } from '../../parts/unified-diff.ts'
import type { Asked } from '../../state/questions.ts'

/** One hunk of a question, numbered as the answer names it. */
export interface AskedHunk {
  readonly number: number
  readonly path: string
  readonly kind: string
  readonly hunk: DiffHunk
  /** The declaration that it is in. */
  readonly place: string | undefined
}

export interface Decision {
  readonly state: 'accepted' | 'refused'
  readonly reason?: string
}

type Decisions = ReadonlyMap<number, Decision>

/** What the person has decided so far, by question. Nothing is sent before the whole is landed. */
const decided = signal<ReadonlyMap<string, Decisions>>(new Map())
/** Hunks that were marked as read, and those that are shown whole. */
const readMarks = signal<ReadonlySet<string>>(new Set())
const wholeMarks = signal<ReadonlySet<string>>(new Set())

const parsed = new Map<string, readonly AskedHunk[]>()

export function hunksOf({ id, changes }: Asked): readonly AskedHunk[] {
  const before = parsed.get(id)
  if (before) return before
  const hunks = changes.flatMap(({ path, kind, hunks: own }) =>
    own.map(({ number, text }) => {
      const hunk = parseHunk(text)
      return { number, path, kind, hunk, place: placeIn(hunk) }
    }),
  )
  parsed.set(id, hunks)
  return hunks
}

export const decisionsOf = (id: string): Decisions => decided.value.get(id) ?? new Map()

export function decide(id: string, number: number, decision: Decision | undefined): void {
  const own = new Map(decisionsOf(id))
  if (decision) own.set(number, decision)
  else own.delete(number)
  decided.value = new Map(decided.value).set(id, own)
}

/** The hunks that would land: the accepted ones; without any, all that were not refused. */
export function landing(question: Asked): readonly number[] {
  const decisions = decisionsOf(question.id)
  const numbers = hunksOf(question).map(({ number }) => number)
  const accepted = numbers.filter(number => decisions.get(number)?.state === 'accepted')
  return accepted.length > 0 ? accepted : numbers.filter(number => decisions.get(number)?.state !== 'refused')
}

/** The reasons of refused hunks, each with its place, as the model gets them. */
export function refusalReasons(question: Asked): string | undefined {
  const decisions = decisionsOf(question.id)
  const reasons = hunksOf(question).flatMap(({ number, path, hunk }) => {
    const reason = decisions.get(number)?.reason?.trim()
    return reason ? [`${path} ${hunk.from}-${hunk.to}: ${reason}`] : []
  })
  return reasons.length > 0 ? reasons.join('; ') : undefined
}

const markOf = (id: string, number: number): string => `${id} ${number}`

export const isRead = (id: string, number: number): boolean => readMarks.value.has(markOf(id, number))

export function markRead(id: string, number: number): void {
  const marks = new Set(readMarks.value)
  if (!marks.delete(markOf(id, number))) marks.add(markOf(id, number))
  readMarks.value = marks
}

export const showWhole = (id: string, number: number): void => {
  wholeMarks.value = new Set(wholeMarks.value).add(markOf(id, number))
}

export const MOST_LINES = 400

/** Whether all that would land can be seen: what was not shown is not agreed to. */
export function isAllShown(question: Asked): boolean {
  if (question.whole !== undefined) return wholeMarks.value.has(markOf(question.id, 0))
  return hunksOf(question).every(
    ({ number, hunk }) => hunk.lines.length <= MOST_LINES || wholeMarks.value.has(markOf(question.id, number)),
  )
}

/** The questions that are picked, to be answered at once. */
export const picked = signal<ReadonlySet<string>>(new Set())
export const arePicked = computed(() => picked.value.size > 0)

export function pick(id: string): void {
  const ids = new Set(picked.value)
  if (!ids.delete(id)) ids.add(id)
  picked.value = ids
}

/** Whether diffs are shown side by side. */
export const isSplit = signal(localStorage.getItem('toolwright-split') === 'yes')

export function switchSplit(): void {
  isSplit.value = !isSplit.value
  localStorage.setItem('toolwright-split', isSplit.value ? 'yes' : 'no')
}
