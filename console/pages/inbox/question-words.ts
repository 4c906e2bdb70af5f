import { reasonOf } from '../../parts/call-words.tsx'
import type { Meaning } from '../../parts/badge.tsx'
import { countLines } from '../../parts/unified-diff.ts'
import { visibleLine } from '../../parts/visible-text.ts'
import { nameOf } from '../../state/calls.ts'
import type { Asked } from '../../state/questions.ts'

/** What will happen: a verb, the thing as code, and how much more. */
export interface Title {
  readonly verb: string
  readonly thing: string
  readonly more: string
}

export function titleOf({ asker, input, changes, claims }: Asked): Title {
  const verb = asker.tool.charAt(0).toUpperCase() + asker.tool.slice(1)
  const { command, url } = Object(input)
  if (typeof command === 'string') return { verb, thing: visibleLine(command), more: '' }
  if (typeof url === 'string') return { verb, thing: visibleLine(url), more: '' }
  const paths =
    changes.length > 0 ? changes.map(({ path }) => path) : [...new Set(claims.map(({ resource }) => resource))]
  const [first = '', ...others] = paths
  const more = others.length === 0 ? '' : others.length === 1 ? 'and one more file' : `and ${others.length} more files`
  return {
    verb,
    thing: visibleLine(first),
    more: changes.length > 0 ? more : others.length > 0 ? `and ${others.length} more` : '',
  }
}

/** The same as one text, for names of rows and regions. */
export const titleText = (question: Asked): string => {
  const { verb, thing, more } = titleOf(question)
  return [verb, thing, more].filter(Boolean).join(' ')
}

/** The agent or program, and its task. */
export function askerOf({ asker }: Asked): string {
  const task = asker.task === 'default' ? undefined : asker.task
  return [nameOf(asker), task].flatMap(each => (each === undefined ? [] : visibleLine(each))).join(' · ')
}

/** What is at stake, in one or two words. */
export function riskOf({ claims, changes }: Asked): readonly [Meaning, string] {
  const host = claims.find(({ action }) => action === 'net')
  if (host) return ['refused', `network: ${host.resource.replace(/^https?:\/\//, '')}`]
  if (claims.some(({ action }) => action === 'reveal')) return ['refused', 'secret']
  if (changes.some(({ kind }) => kind === 'delete')) return ['refused', 'deletes']
  if (claims.some(({ action }) => action === 'exec')) return ['asked', 'command']
  if (changes.length > 0 || claims.some(({ action }) => action === 'write' || action === 'create'))
    return ['asked', 'writes']
  return ['asked', 'reads']
}

export const countedLines = ({ changes }: Asked) => countLines(changes.map(({ diff }) => diff))

export const quotedReason = ({ input }: Asked): string | undefined => reasonOf(input)

/** What landing it is called on the button. */
export function landWords(question: Asked, accepted: number, total: number): string {
  if (total > 1) return accepted === total ? `Land all ${total} hunks` : `Land ${accepted} of ${total} hunks`
  if (question.changes.length > 0) return 'Land'
  if (question.claims.some(({ action }) => action === 'exec')) return 'Land: run it once'
  return 'Land: allow once'
}

/** How a closed question ended, and who ended it. */
export function endOf({ state, answer, closed }: Asked): readonly [Meaning, string] {
  if (answer) {
    const by = wayOf(answer.by)
    if (answer.answer === 'no') return ['refused', `refused ${by}`]
    if (answer.answer === 'always') return ['allowed', `always allowed ${by}`]
    return ['allowed', `approved ${answer.hunks ? `(${answer.hunks.length} hunks) ` : ''}${by}`]
  }
  if (state === 'expired') return ['quiet', 'expired without an answer']
  if (state === 'withdrawn') return ['quiet', `withdrawn: ${visibleLine(closed ?? 'its program no longer waits')}`]
  return ['quiet', 'abandoned: the program that asked has ended']
}

/** Where an answer was given, from what the server knows of whoever gave it. */
function wayOf(by: string): string {
  const [, way] = /\((page|http|terminal)\)$/.exec(by) ?? []
  if (way === 'page') return 'on the page'
  if (way === 'http') return 'over HTTP'
  return by.endsWith(' (http token)') ? `by ${visibleLine(by)}` : 'in the terminal'
}
