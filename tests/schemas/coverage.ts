import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from '../../src/kernel/json-schema.ts'

/**
 * Why some value that fits `narrow` might not fit `wide`, one line for each reason; nothing where every such value fits.
 * What cannot be judged counts as a reason. With `fieldsMayCome` new fields of an object are no reason.
 */
export function uncovered(
  wide: JsonSchema,
  narrow: JsonSchema,
  options: { readonly fieldsMayCome: boolean },
  place = '',
): readonly string[] {
  if (isDeepStrictEqual(wide, narrow) || isAnything(wide)) return []
  const alternatives = alternativesOf(wide)
  if (alternatives.length > 1 || alternativesOf(narrow).length > 1)
    return alternativesOf(narrow).flatMap(one => {
      const reasons = alternatives.map(other => uncovered(other, one, options, place))
      return reasons.some(found => found.length === 0) ? [] : [`${at(place)}${wordsFor(one)} is not accepted`]
    })
  return [
    ...values(wide, narrow, place),
    ...bounds(wide, narrow, place),
    ...fields(wide, narrow, options, place),
    ...items(wide, narrow, options, place),
    ...unjudged(wide, narrow, place),
  ]
}

const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']
const JUDGED: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'default',
  ...LEAST,
  ...MOST,
])

function values(wide: JsonSchema, narrow: JsonSchema, place: string): readonly string[] {
  const [accepted, given] = [valuesOf(wide), valuesOf(narrow)]
  if (accepted === undefined) {
    const [types, others] = [typesOf(wide), typesOf(narrow)]
    if (types.length === 0) return []
    if (others.length === 0) return [`${at(place)}only ${types.join(', ')} is accepted`]
    return others
      .filter(type => !types.includes(type) && !(type === 'integer' && types.includes('number')))
      .map(type => `${at(place)}${String(type)} is not accepted`)
  }
  if (given === undefined)
    return [`${at(place)}only ${accepted.map(value => JSON.stringify(value)).join(', ')} is accepted`]
  return given
    .filter(value => !accepted.some(other => isDeepStrictEqual(other, value)))
    .map(value => `${at(place)}${JSON.stringify(value)} is not accepted`)
}

function bounds(wide: JsonSchema, narrow: JsonSchema, place: string): readonly string[] {
  const stricter = (key: string, isStricter: (limit: number, other: number) => boolean): readonly string[] => {
    const [limit, other] = [wide[key], narrow[key]]
    // The bounds of exact integers are those of JavaScript and come with the type.
    if (typeof limit !== 'number' || Math.abs(limit) === Number.MAX_SAFE_INTEGER) return []
    if (typeof other === 'number' && !isStricter(limit, other)) return []
    return [`${at(place)}${key} is ${limit}`]
  }
  const raised = (limit: number, other: number) => limit > other
  const lowered = (limit: number, other: number) => limit < other
  return [...LEAST.flatMap(key => stricter(key, raised)), ...MOST.flatMap(key => stricter(key, lowered))]
}

function fields(
  wide: JsonSchema,
  narrow: JsonSchema,
  options: { readonly fieldsMayCome: boolean },
  place: string,
): readonly string[] {
  const [known, given] = [record(wide['properties']), record(narrow['properties'])]
  const always = list(narrow['required'])
  const closed = wide['additionalProperties'] === false
  const inside = (key: string): string => (place === '' ? key : `${place}.${key}`)
  return [
    ...list(wide['required'])
      .filter(key => !always.includes(key))
      .map(key => `${at(inside(String(key)))}is required`),
    ...Object.entries(given).flatMap(([key, value]) => {
      if (key in known) return uncovered(record(known[key]), record(value), options, inside(key))
      return closed && !options.fieldsMayCome ? [`${at(inside(key))}is not known`] : []
    }),
    ...(closed &&
    narrow['additionalProperties'] !== false &&
    typesOf(narrow).includes('object') &&
    !options.fieldsMayCome
      ? [`${at(place)}other fields are not accepted`]
      : []),
  ]
}

const items = (
  wide: JsonSchema,
  narrow: JsonSchema,
  options: { readonly fieldsMayCome: boolean },
  place: string,
): readonly string[] =>
  'items' in wide ? uncovered(record(wide['items']), record(narrow['items']), options, `${place}[]`) : []

/** Whatever else a schema demands has to be what it was. */
const unjudged = (wide: JsonSchema, narrow: JsonSchema, place: string): readonly string[] =>
  Object.keys(wide)
    .filter(key => !JUDGED.has(key) && !isDeepStrictEqual(wide[key], narrow[key]))
    .map(key => `${at(place)}${key} is ${JSON.stringify(wide[key])}`)

const isAnything = (schema: JsonSchema): boolean => Object.keys(schema).every(key => key === 'default')

const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(schema['anyOf']) ? schema['anyOf'].map(record) : [schema]

const valuesOf = (schema: JsonSchema): readonly unknown[] | undefined =>
  'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : undefined

/** Without a type a schema takes every type; an empty list stands for that. */
const typesOf = (schema: JsonSchema): readonly unknown[] =>
  schema['type'] === undefined ? [] : [schema['type']].flat()

const wordsFor = (schema: JsonSchema): string => JSON.stringify(valuesOf(schema) ?? schema['type'] ?? schema)
const at = (place: string): string => (place === '' ? '' : `'${place}': `)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const record = (value: unknown): JsonSchema => Object(value)
