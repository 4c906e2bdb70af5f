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
    const told: { readonly data?: unknown; readonly meta?: object } = Object(answer)
    const { effects, lateEffects } = meta
    const judged = { ...(effects && { effects }), ...(lateEffects && { lateEffects }) }
    const own = told.meta && { meta: { ...here(told.meta), ...judged } }
    // An image is beside the answer, not in it.
    const shown = told.data === outcome.data ? data : here(told.data)
    return { outcome: { ...outcome, data, meta }, answer: { ...told, data: shown, ...own } }
  }
  const { code, message, hint, details } = outcome.error
  const error = new ToolError(code, message, {
    ...(hint !== undefined && { hint: hintFor(tools, adaptHint(outputBelow(hint, details))) }),
    ...(details && { details }),
  })
  const told: { readonly error?: { readonly hint?: unknown } } = here(Object(answer))
  const own = told.error?.hint
  const inData = typeof own === 'string' ? { error: { ...told.error, hint: hintFor(tools, own) } } : {}
  return { outcome: { ...outcome, error, meta }, answer: { ...told, ...inData } }
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
  const own = transaction === undefined && undo !== undefined ? { id: undo } : {}
  return {
    ...meta,
    ...(effects && { effects: dryRun ? effects : referring(effects, own) }),
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
  let changed: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const held: unknown = Reflect.get(value, key)
    const isText = typeof held === 'string' && !SENTENCES.has(key)
    if (isText || OTHERS.has(key)) continue
    const said = SENTENCES.has(key) ? saidHere(held) : here(held)
    if (said !== held) (changed ??= { ...value })[key] = said
  }
  return changed ?? value
}

function saidHere(held: unknown): unknown {
  if (typeof held === 'string') return adaptHint(held)
  return Array.isArray(held) ? eachHere(held, saidHere) : here(held)
}

function eachHere(list: readonly unknown[], how: (each: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [at, each] of list.entries()) {
    const said = how(each)
    if (said !== each) (changed ??= [...list])[at] = said
  }
  return changed ?? list
}
