import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

/**
 * The validated parameters without the defaults that the schema added, as approval patterns match them. Where these
 * alone would not mean the same call (somebody changed their own copy meanwhile), all of them.
 */
export function givenParameters(schema: z.ZodType, validated: unknown, given: unknown): unknown {
  const stripped = asGiven(validated, given)
  const again = schema.safeParse(stripped)
  return again.success && isDeepStrictEqual(again.data, validated) ? stripped : validated
}

function asGiven(value: unknown, given: unknown): unknown {
  if (Array.isArray(value)) return Array.isArray(given) ? value.map((item, at) => asGiven(item, given[at])) : value
  if (!isRecord(value) || !isRecord(given)) return value
  const known = Object.entries(value).filter(([key]) => Object.hasOwn(given, key))
  return Object.fromEntries(known.map(([key, inner]) => [key, asGiven(inner, given[key])]))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
