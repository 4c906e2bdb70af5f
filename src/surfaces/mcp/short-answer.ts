import type { EditEffects } from '../../kernel/edit-effects.ts'
import type { JsonSchema } from '../../kernel/json-schema.ts'
import { isFields, objectsIn, type Fields } from '../render/shape.ts'
import { shortSentence, textWithin } from './failure-text.ts'
import { shownPaths } from './meta-lines.ts'

/**
 * Reduces an answer of our own contract to structured content: only the facts of its text. Leaves out texts of edits,
 * which the caller has, symbols around matches, empty lists, and paths past those shown.
 */
export function shortAnswer(answer: unknown): unknown {
  if (!isFields(answer)) return answer
  const { data, meta, error } = answer
  return {
    ...answer,
    ...(isFields(data) && { data: shortData(data) }),
    ...(isFields(meta) && { meta: shortMeta(meta) }),
    ...(isFields(error) && { error: shortError(error) }),
  }
}

function shortData(data: Fields): Fields {
  const [appliedEdits, matches] = [objectsIn(data['applied']), objectsIn(data['matches'])]
  return {
    ...data,
    ...(appliedEdits && { applied: appliedEdits.map(each => without(each, ECHOED)) }),
    ...(matches && { matches: matches.map(each => without(each, ['symbol'])) }),
  }
}

function shortError(error: Fields): Fields {
  const { message, hint, details } = error
  return {
    ...error,
    ...(typeof message === 'string' && { message: shortSentence(message) }),
    ...(typeof hint === 'string' && { hint: shortSentence(hint) }),
    ...(isFields(details) && { details: shortDetails(details) }),
  }
}

/** Most items and characters in a failure's details; their text has no more either. */
const MOST_ITEMS = 100
const MOST_TEXT = 20_000

/** Cuts long lists and the middle of long texts in a failure's details. */
function shortDetails(value: unknown): unknown {
  if (typeof value === 'string') return textWithin(value, MOST_TEXT).join('\n')
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(shortDetails)
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, shortField(name, held)]))
}

/** What was wrong with an input quotes it; the message names all of it. */
function shortField(name: string, value: unknown): unknown {
  if (name !== 'issues' || !Array.isArray(value)) return shortDetails(value)
  return value
    .slice(0, MOST_ISSUES)
    .map(issue =>
      isFields(issue)
        ? Object.fromEntries(Object.entries(issue).map(([key, held]) => [key, shortIssue(held)]))
        : shortIssue(issue),
    )
}

const MOST_ISSUES = 20

const shortIssue = (held: unknown): unknown => (typeof held === 'string' ? textWithin(held, 500).join(' ') : held)

/** Fields of an edit that repeat the request. */
const ECHOED = ['old', 'new'] as const

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

function shortMeta(meta: Fields): Fields {
  const { changed, effects, lateEffects } = meta
  const paths = Array.isArray(changed) ? shownPaths(changed) : []
  return {
    ...meta,
    ...(Array.isArray(changed) && paths.length < changed.length && { changed: paths, changedInAll: changed.length }),
    ...(isFields(effects) && { effects: shortEffects(effects) }),
    ...(Array.isArray(lateEffects) && {
      lateEffects: lateEffects.map(late => ({ ...late, effects: shortEffects(Object(late.effects)) })),
    }),
  }
}

const shortEffects = (effects: Fields | EditEffects): Fields =>
  Object.fromEntries(Object.entries(effects).filter(([, value]) => !isEmpty(value)))

const isEmpty = (value: unknown): boolean => (Array.isArray(value) ? value.length === 0 : Object(value).total === 0)

/** Returns the schema of such an answer. */
export function shortSchema(schema: JsonSchema): JsonSchema {
  const { properties, ...rest }: { properties?: Readonly<Record<string, JsonSchema>> } = schema
  const { data }: Readonly<Record<string, JsonSchema>> = properties ?? {}
  const fields: Readonly<Record<string, JsonSchema>> = Object(data?.['properties'])
  const { applied } = fields
  const items: JsonSchema = Object(applied?.['items'])
  if (!data || !applied || !ECHOED.every(name => name in Object(items['properties']))) return schema
  const short = {
    ...items,
    properties: without(Object(items['properties']), ECHOED),
    required: [items['required']].flat().filter(name => !ECHOED.some(echoed => echoed === name)),
  }
  const dataSchema = { ...data, properties: { ...fields, applied: { ...applied, items: short } } }
  return { ...rest, properties: { ...properties, data: dataSchema } }
}
