import type { JsonSchema } from './json-schema.ts'

/** A parameter whose values can be judged without its schema; `other` is one of any other kind, always optional. */
export interface SimpleParameter {
  readonly type: 'string' | 'integer' | 'boolean' | 'choice' | 'other'
  readonly required?: true
  /** The smallest number, or the least characters. */
  readonly least?: number
  readonly most?: number
  readonly choices?: readonly string[]
}

/** The parameters of an input, in the order of its schema. */
export type SimpleInput = Readonly<Record<string, SimpleParameter>>

/** What a build knows about the input of a tool without its schema. */
export interface StoredInput {
  readonly schema: JsonSchema
  /** Missing if the schema says more than this can. */
  readonly simple?: SimpleInput
}

const known = new WeakMap<object, StoredInput>()

/** Remembers what the build stored about a tool's input, so that most calls need no schema: building one takes longer. */
export const rememberInput = (tool: object, stored: StoredInput): void => void known.set(tool, stored)

export const storedInput = (tool: object): StoredInput | undefined => known.get(tool)

/**
 * Returns a certainly valid input as its schema would, in a new object and the order of the schema. Undefined leaves it
 * to the schema, which also words what is wrong.
 */
export function matchSimple(parameters: SimpleInput, input: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof input !== 'object' || input === null || Object.getPrototypeOf(input) !== Object.prototype) return undefined
  for (const key of Reflect.ownKeys(input))
    if (typeof key !== 'string' || !Object.hasOwn(parameters, key)) return undefined
  const matched: Record<string, unknown> = {}
  for (const [key, parameter] of Object.entries(parameters)) {
    if (Object.hasOwn(input, key)) {
      const value: unknown = Reflect.get(input, key)
      if (!isValid(parameter, value)) return undefined
      matched[key] = value
    } else if (parameter.required) return undefined
  }
  return matched
}

function isValid({ type, least = -Infinity, most = Infinity, choices }: SimpleParameter, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' && value.length >= least && value.length <= most
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return typeof value === 'string' && choices?.includes(value) === true
    default:
      return false
  }
}
