import type { EditEffects } from '../../kernel/edit-effects.ts'
import { ToolError } from '../../kernel/error.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { adaptHint, hintFor } from './adapt-hint.ts'
import type { Answered } from './tool-result.ts'

/** Fields with sentences of ours. Texts of files and commands stay unchanged. */
const SENTENCES: ReadonlySet<string> = new Set(['hint', 'note', 'summary', 'unknown', 'warnings', 'why'])

/**
 * Fields without sentences of ours: columns of a graph query, checked data, which may be nested deeply, and lists of
 * files and lines, which are long.
 */
const OTHERS: ReadonlySet<string> = new Set(['data', 'details', 'entries', 'files', 'matches', 'rows'])

/** Rewords every sentence of ours for the `tools` that the model has, by their names on the wire, or for its person. */
export function adaptAnswer({ outcome, answer }: Answered, tools: ReadonlyMap<string, string>): Answered {
  const meta = withReference(here(outcome.meta), tools)
  if (outcome.ok) {
    const data = here(outcome.data)
    const answerFields: { readonly data?: unknown; readonly meta?: object } = Object(answer)
    const { effects, lateEffects } = meta
    const effectFields = { ...(effects && { effects }), ...(lateEffects && { lateEffects }) }
    const metaFields = answerFields.meta && { meta: { ...here(answerFields.meta), ...effectFields } }
    // An image is beside the answer, not in it.
    const shownData = answerFields.data === outcome.data ? data : here(answerFields.data)
    return { outcome: { ...outcome, data, meta }, answer: { ...answerFields, data: shownData, ...metaFields } }
  }
  const { code, message, hint, details } = outcome.error
  const error = new ToolError(code, message, {
    ...(hint !== undefined && { hint: hintFor(tools, adaptHint(outputBelow(hint, details))) }),
    ...(details && { details }),
  })
  const adaptedAnswer: { readonly error?: { readonly hint?: unknown } } = here(Object(answer))
  const answerHint = adaptedAnswer.error?.hint
  const inData =
    typeof answerHint === 'string' ? { error: { ...adaptedAnswer.error, hint: hintFor(tools, answerHint) } } : {}
  return { outcome: { ...outcome, error, meta }, answer: { ...adaptedAnswer, ...inData } }
}

/** A text has no details: what a command printed stands below the hint. */
function outputBelow(hint: string, { stdout = '', stderr = '' }: Readonly<Record<string, unknown>> = {}): string {
  const isPrinted = stdout !== '' || stderr !== ''
  return hint.replace(/\b([Ii])ts output( so far)? is in the details\b/, (_, first: string, soFar = '') =>
    isPrinted ? `${first === 'I' ? 'W' : 'w'}hat it printed${soFar} is below` : `${first}t printed nothing`,
  )
}

/** Says how to get effects that are not known yet: by the tool if there is one, else by waiting. */
function withReference(meta: Outcome['meta'], tools: ReadonlyMap<string, string>): Outcome['meta'] {
  const { effects, lateEffects, undo, transaction, dryRun } = meta
  const tool = tools.get('effects')
  const referring = (to: EditEffects, asked: object): EditEffects => {
    if (to.complete || to.left === 0 || to.why !== undefined) return to
    const how = tool === undefined ? 'a later answer tells' : `${tool} ${JSON.stringify(asked)} waits for it`
    return { ...to, summary: `${to.summary}; ${how}` }
  }
  if (!effects && !lateEffects) return meta
  const changeId = transaction === undefined && undo !== undefined ? { id: undo } : {}
  return {
    ...meta,
    ...(effects && { effects: dryRun ? effects : referring(effects, changeId) }),
    ...(lateEffects && {
      lateEffects: lateEffects.map(late => ({ ...late, effects: referring(late.effects, { id: late.id }) })),
    }),
  }
}

/** Returns the value itself if nothing changes: most answers have no such sentence. */
function here<T>(value: T): T
function here(value: unknown): unknown {
  if (Array.isArray(value)) return eachHere(value, here)
  if (typeof value !== 'object' || value === null) return value
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const oldValue: unknown = Reflect.get(value, key)
    const isText = typeof oldValue === 'string' && !SENTENCES.has(key)
    if (isText || OTHERS.has(key)) continue
    const newValue = SENTENCES.has(key) ? saidHere(oldValue) : here(oldValue)
    if (newValue !== oldValue) (copy ??= { ...value })[key] = newValue
  }
  return copy ?? value
}

function saidHere(held: unknown): unknown {
  if (typeof held === 'string') return adaptHint(held)
  return Array.isArray(held) ? eachHere(held, saidHere) : here(held)
}

function eachHere(list: readonly unknown[], how: (each: unknown) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined
  for (const [at, each] of list.entries()) {
    const newValue = how(each)
    if (newValue !== each) (copy ??= [...list])[at] = newValue
  }
  return copy ?? list
}
