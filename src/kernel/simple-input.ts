import type { z } from 'zod'
import type { SimpleInput, SimpleParameter } from './validate.ts'

/**
 * Describes a schema of simple parameters. Undefined if it may refuse or change an input in any way that the description
 * does not say: a check of the whole input, a required parameter of another kind, keys that it ignores.
 */
export function simpleInput(schema: z.ZodType): SimpleInput | undefined {
  const { type, shape, checks = [], catchall } = defOf(schema)
  if (type !== 'object' || checks.length > 0 || defOf(catchall).type !== 'never') return undefined
  const parameters: Record<string, SimpleParameter> = {}
  for (const [key, value] of Object.entries(Object(shape))) {
    const parameter = parameterOf(value)
    if (!parameter || key === '__proto__') return undefined
    parameters[key] = parameter
  }
  return parameters
}

function parameterOf(schema: unknown): SimpleParameter | undefined {
  const { type, checks = [], innerType } = defOf(schema)
  if (type !== 'optional') {
    const parameter = simpleParameter(schema)
    return parameter && { ...parameter, required: true }
  }
  // It may refuse or change a value itself, or put one where none is given.
  if (checks.length > 0 || takesNone(innerType)) return undefined
  return simpleParameter(innerType) ?? { type: 'other' }
}

function simpleParameter(schema: unknown): SimpleParameter | undefined {
  const { type, check, format, coerce, checks = [], entries } = defOf(schema)
  if (coerce) return undefined
  if (type === 'boolean' && checks.length === 0) return { type }
  if (type === 'enum' && checks.length === 0) {
    const choices = Object.values(Object(entries)).filter(one => typeof one === 'string')
    return choices.length === Object.keys(Object(entries)).length ? { type: 'choice', choices } : undefined
  }
  if (type === 'string' && check === undefined) return withBounds('string', checks, lengthBound)
  if (type === 'number' && check === 'number_format' && format === 'safeint')
    return withBounds('integer', checks, numberBound)
  return undefined
}

type Bound = Pick<SimpleParameter, 'least' | 'most'>

/** Undefined with a check that is no bound. */
function withBounds(
  type: 'string' | 'integer',
  checks: readonly unknown[],
  boundOf: (check: Definition) => Bound | undefined,
): SimpleParameter | undefined {
  let all: Bound = {}
  for (const check of checks) {
    const bound = boundOf(defOf(check))
    if (!bound) return undefined
    const least = Math.max(all.least ?? -Infinity, bound.least ?? -Infinity)
    const most = Math.min(all.most ?? Infinity, bound.most ?? Infinity)
    all = { ...(Number.isFinite(least) && { least }), ...(Number.isFinite(most) && { most }) }
  }
  return { type, ...all }
}

function lengthBound({ check, minimum, maximum }: Definition): Bound | undefined {
  if (check === 'min_length' && typeof minimum === 'number') return { least: minimum }
  if (check === 'max_length' && typeof maximum === 'number') return { most: maximum }
  return undefined
}

function numberBound({ check, value, inclusive }: Definition): Bound | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return undefined
  if (check === 'greater_than') return { least: inclusive ? value : value + 1 }
  if (check === 'less_than') return { most: inclusive ? value : value - 1 }
  return undefined
}

interface Definition {
  readonly type?: unknown
  readonly check?: unknown
  readonly format?: unknown
  readonly coerce?: unknown
  readonly checks?: readonly unknown[]
  readonly shape?: unknown
  readonly catchall?: unknown
  readonly innerType?: unknown
  readonly entries?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
  readonly value?: unknown
  readonly inclusive?: unknown
}

/** Returns how a schema or a check was made. */
const defOf = (schema: unknown): Definition => Object(internalsOf(schema)['def'])

/** Reports whether a schema takes a missing value, of which it may make another: a default. */
const takesNone = (schema: unknown): boolean => internalsOf(schema)['optin'] !== undefined

const internalsOf = (schema: unknown): Record<string, unknown> => Object(Object(schema)['_zod'])
