import { ANY, either, END, many, optional, sequence, text, TEXT, type Part, type State } from './automaton.ts'
import { markQuotes } from './safe-pattern.ts'

/** The parameters of a tool, in the order of its schema. */
export interface Parameters {
  readonly names: readonly string[]
  readonly required: readonly string[]
  /** The JSON Schema of their values. A missing or unknown schema allows any value. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** Matches every text that `canonicalJson` can produce for a call, and some others: nested objects are left open. */
export function parameterShape({ names, required, values = {} }: Parameters, space?: 'spaced'): State {
  const gap = space ? many(text(' ')) : NOTHING
  const comma = sequence(gap, text(','), gap)
  const pair = (name: string) =>
    sequence(literal(name), gap, text(':'), gap, Object.hasOwn(values, name) ? valueShape(values[name]) : OPEN)
  const ending = sequence(gap, text('}'))(END)
  // From the last parameter to the first: the states behind a first pair, and those behind another one.
  let rest = { first: ending, more: ending }
  for (const name of names.toReversed()) {
    const { first, more } = rest
    const shapes = { first: pair(name)(more), more: sequence(comma, pair(name))(more) }
    const isNeeded = required.includes(name)
    rest = {
      first: isNeeded ? shapes.first : { steps: [], free: [shapes.first, first] },
      more: isNeeded ? shapes.more : { steps: [], free: [shapes.more, more] },
    }
  }
  return sequence(text('{'), gap)(rest.first)
}

/** Returns an example call with the required parameters, as patterns see it. */
export const exampleCall = ({ required, values = {} }: Parameters): string =>
  `{${required.map(name => `"${name}":${exampleOf(values[name])}`).join(',')}}`

const NOTHING: Part = next => next
const STRING = sequence(text(markQuotes('"')), many(TEXT), text(markQuotes('"')))
const CIPHER = either(...Array.from('0123456789+-.eE', text))
const NUMBER = sequence(CIPHER, many(CIPHER))

const SHAPES = {
  string: STRING,
  number: NUMBER,
  integer: NUMBER,
  boolean: either(text('true'), text('false')),
  null: text('null'),
  object: sequence(text('{'), many(ANY), text('}')),
} satisfies Readonly<Record<string, Part>>

/** Any value; the contents of arrays and objects are left open. */
const OPEN = either(...Object.values(SHAPES), sequence(text('['), many(ANY), text(']')))

/** Without a schema: any text, even if it is not JSON. */
export const ANY_TEXT = 'any text'

function valueShape(schema: unknown): Part {
  if (schema === ANY_TEXT) return many(ANY)
  if (!isRecord(schema)) return OPEN
  const { type, items, anyOf, enum: enumeration } = schema
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(enumeration)) return either(...enumeration.map(literal))
  if (Array.isArray(anyOf)) return either(...anyOf.map(valueShape))
  if (type === 'array') {
    const item = valueShape('prefixItems' in schema ? undefined : items)
    return sequence(text('['), optional(sequence(item, many(sequence(text(','), item)))), text(']'))
  }
  return Object.entries(SHAPES).find(([name]) => name === type)?.[1] ?? OPEN
}

const literal = (value: unknown): Part => text(markQuotes(JSON.stringify(value) ?? 'null'))

function exampleOf(schema: unknown): string {
  const type = isRecord(schema) ? schema['type'] : undefined
  if (type === 'string') return '"…"'
  if (type === 'integer' || type === 'number') return '1'
  if (type === 'boolean') return 'true'
  return type === 'array' ? '[…]' : '…'
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
