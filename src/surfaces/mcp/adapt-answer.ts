import { ToolError } from '../../kernel/error.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { adaptHint } from './adapt-hint.ts'
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
    const own = told.meta && { meta: { ...here(told.meta), ...(meta.effects && { effects: meta.effects }) } }
    // An image is beside the answer, not in it.
    const shown = told.data === outcome.data ? data : here(told.data)
    return { outcome: { ...outcome, data, meta }, answer: { ...told, data: shown, ...own } }
  }
  const { code, message, hint, details } = outcome.error
  const error = new ToolError(code, message, {
    ...(hint !== undefined && { hint: adaptHint(hint) }),
    ...(details && { details }),
  })
  return { outcome: { ...outcome, error, meta }, answer: here(answer) }
}

/** Says how to get effects that are not known yet: by the tool if there is one, else by waiting. */
function withReference(meta: Outcome['meta'], tools: ReadonlyMap<string, string>): Outcome['meta'] {
  const { effects, undo, transaction, dryRun } = meta
  if (!effects || effects.complete || effects.left === 0 || effects.why !== undefined || dryRun) return meta
  const asked = transaction === undefined && undo !== undefined ? { id: undo } : {}
  const tool = tools.get('effects')
  const how = tool === undefined ? 'a later answer tells' : `${tool} ${JSON.stringify(asked)} waits for it`
  return { ...meta, effects: { ...effects, summary: `${effects.summary}; ${how}` } }
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
