import type { z } from 'zod'
import { ToolError } from './error.ts'
import { unreadable } from './nesting.ts'

/** Returns the input as the tool's schema sees it, frozen. This one value is shown, matched, logged and run. */
export function validate<In extends z.ZodType>(
  tool: { readonly name: string; readonly input: In },
  input: unknown,
): z.output<In> {
  const unreadableInput = unreadable(input, `The input of ${tool.name}`)
  if (unreadableInput) throw unreadableInput
  const simple = storedInput(tool)?.simple
  const inputValues = simple && matchSimple(simple, input)
  if (inputValues) return freeze(inputValues as z.output<In>)
  const place = prototypeKey(input)
  if (place !== undefined)
    throw new ToolError('invalid_input', `Unknown parameter '${place}'`, {
      ...hintOf(tool),
      details: { issues: [{ path: place, message: 'Unrecognized key' }] },
    })
  const parseResult = tool.input.safeParse(input)
  if (parseResult.success) return freeze(parseResult.data)
  throw new ToolError('invalid_input', parseResult.error.issues.map(describe).join('; '), {
    ...hintOf(tool),
    details: {
      issues: parseResult.error.issues.map(issue => ({ path: issue.path.join('.'), message: issue.message })),
    },
  })
}

/**
 * Returns the place of a key `__proto__` in an input, such as `edits.0.__proto__`; undefined if there is none. Schemas
 * and copies of an object drop this key without a word.
 */
function prototypeKey(input: unknown): string | undefined {
  const open: { readonly value: unknown; readonly place: string }[] = [{ value: input, place: '' }]
  const seenObjects = new Set<unknown>()
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, place } = next
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seenObjects.has(value)) continue
    seenObjects.add(value)
    if (Object.hasOwn(value, '__proto__')) return `${place}__proto__`
    for (const [key, inner] of Object.entries(value))
      if (typeof inner === 'object' && inner !== null) open.push({ value: inner, place: `${place}${key}.` })
  }
  return undefined
}

/** The parameters of a tool that checks its own input are unknown here. */
function hintOf({ name, input }: { readonly name: string; readonly input: z.ZodType }): { readonly hint?: string } {
  if (!('shape' in input)) return {}
  const keys = expectedKeys(input)
  return { hint: keys.length > 0 ? `Parameters of ${name}: ${keys.join(', ')}` : `${name} takes no parameters` }
}

/** Returns the parameters of a schema, in its own order. */
export const parameterNames = (schema: z.ZodType): string[] => Object.keys(shapeOf(schema))

/** The same for people: optional parameters end in a question mark. */
export function expectedKeys(schema: z.ZodType): string[] {
  const issues = schema.safeParse({}).error?.issues ?? []
  const missingKeys = new Set(
    issues.flatMap(({ code, path }) => (code === 'custom' ? [] : path.slice(0, 1).map(String))),
  )
  return parameterNames(schema).map(key => (missingKeys.has(key) ? key : `${key}?`))
}

/** Freezes a value deeply, even if its top level is frozen already. */
export function freeze<T>(value: T, visitedBefore?: Set<unknown>): T {
  // The memory of a buffer cannot be frozen.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (!Object.isFrozen(value)) Object.freeze(value)
  else if (visitedBefore?.has(value)) return value
  let visitedValues = visitedBefore
  for (const inner of Object.values(value)) {
    if (typeof inner !== 'object' || inner === null) continue
    visitedValues ??= new Set<unknown>()
    freeze(inner, visitedValues.add(value))
  }
  return value
}

function shapeOf(schema: z.ZodType): object {
  const shape: unknown = 'shape' in schema ? schema.shape : undefined
  return typeof shape === 'object' && shape !== null ? shape : {}
}

function describe(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => `Unknown parameter '${[place, key].filter(Boolean).join('.')}'`).join('; ')
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.message.endsWith('undefined'))
    return place ? `Missing parameter '${place}'` : 'The input is missing: an object with the parameters is expected'
  return place ? `Parameter '${place}': ${issue.message}` : issue.message
}

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
  readonly schema: Readonly<Record<string, unknown>>
  /** Missing if the schema says more than this can. */
  readonly simple?: SimpleInput
}

/** The folder of the build with what it knows about the input of each tool of our own contract, one file each. */
export const INPUTS_FOLDER = 'forms/inputs'

const storedInputs = new WeakMap<object, StoredInput>()

/** Remembers what the build stored about a tool's input, so that most calls need no schema: building one takes longer. */
export const rememberInput = (tool: object, inputFacts: StoredInput): void => void storedInputs.set(tool, inputFacts)

export const storedInput = (tool: object): StoredInput | undefined => storedInputs.get(tool)

/**
 * Returns a certainly valid input as its schema would, in a new object and the order of the schema. Undefined leaves it
 * to the schema, which also words what is wrong.
 */
export function matchSimple(parameters: SimpleInput, input: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof input !== 'object' || input === null || Object.getPrototypeOf(input) !== Object.prototype) return undefined
  for (const key of Reflect.ownKeys(input))
    if (typeof key !== 'string' || !Object.hasOwn(parameters, key)) return undefined
  const values: Record<string, unknown> = {}
  for (const [key, parameter] of Object.entries(parameters)) {
    if (Object.hasOwn(input, key)) {
      const value: unknown = Reflect.get(input, key)
      if (!isValid(parameter, value)) return undefined
      values[key] = value
    } else if (parameter.required) return undefined
  }
  return values
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
