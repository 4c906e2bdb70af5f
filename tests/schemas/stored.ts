import { isDeepStrictEqual } from 'node:util'
import type { Contract } from '../../src/kernel/contract.ts'
import { inputSchema, outputSchema, type JsonSchema } from '../../src/kernel/json-schema.ts'
import { uncovered } from './coverage.ts'
import { mayGo, parametersOf, type Deprecation } from './deprecations.ts'

/** A tool as callers know it. */
export interface StoredTool {
  readonly version: string
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** `contract/tool` → its version and shapes. */
export type Stored = Readonly<Record<string, StoredTool>>

/** The tools of these contracts as they are to be stored; words that only explain are left out. */
export const schemasOf = (contracts: readonly Contract<never>[]): Stored =>
  Object.fromEntries(
    contracts.flatMap(({ id, tools }) =>
      tools.map(tool => [
        `${id}/${tool.name}`,
        { version: tool.version, input: shapeOf(inputSchema(tool)), output: shapeOf(outputSchema(tool)) },
      ]),
    ),
  )

/**
 * What is wrong with going from the stored schemas to the present ones; a tool that is new is never wrong. Tools and
 * parameters may go if they were announced as deprecated and answered for two more versions.
 */
export const judge = (stored: Stored, now: Stored, deprecations: readonly Deprecation[] = []): readonly string[] =>
  Object.entries(stored).flatMap(([id, before]) => {
    const after = now[id]
    if (after) return judgeTool(id, before, after, deprecations)
    return mayGo(deprecations, id) ? [] : [`${id} is gone: callers of ${before.version} would find nothing`]
  })

function judgeTool(
  id: string,
  before: StoredTool,
  after: StoredTool,
  deprecations: readonly Deprecation[],
): readonly string[] {
  const order = compareVersions(before.version, after.version)
  if (order > 0) return [`${id} went back from version ${before.version} to ${after.version}`]
  const changed = !isDeepStrictEqual([before.input, before.output], [after.input, after.output])
  if (changed && order === 0) return [`${id}: the schema changed, and the version is still ${after.version}`]
  if (majorOf(before.version) !== majorOf(after.version)) {
    const left = parametersOf(after.input)
    return parametersOf(before.input)
      .filter(name => !left.includes(name) && !mayGo(deprecations, id, name))
      .map(name => `${id}: '${name}' is gone, and was not announced as deprecated and answered for two more versions`)
  }
  return breaks(before, after).map(
    what => `${id}: ${what}; that breaks callers, and ${before.version} → ${after.version} is no new major version`,
  )
}

/** What callers of the one would stumble over in the other: inputs refused that were taken, answers that were never given. */
export const breaks = (before: StoredTool, after: StoredTool): readonly string[] => [
  ...uncovered(after.input, before.input, { fieldsMayCome: false }).map(reason => `input ${reason} now`),
  ...ignored(before.input, after.input).map(name => `input '${name}': is ignored now`),
  ...uncovered(before.output, after.output, { fieldsMayCome: true }).map(reason => `output: before, ${reason}`),
]

/** Parameters that are gone from a schema that takes any key: their effect is lost without an error. */
const ignored = (before: JsonSchema, after: JsonSchema): readonly string[] =>
  after['additionalProperties'] === false
    ? []
    : Object.keys(Object(before['properties'])).filter(name => !Object.hasOwn(Object(after['properties']), name))

/** A schema without the words that only explain; a field that is called `description` stays. */
export function shapeOf(schema: JsonSchema): JsonSchema {
  const shape = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'description' || key === 'title' || key === 'examples') return []
    if (key === 'properties' || key === '$defs')
      return [
        [key, Object.fromEntries(Object.entries(Object(value)).map(([name, field]) => [name, shapeOf(Object(field))]))],
      ]
    if (key === 'default' || key === 'enum' || key === 'const') return [[key, value]]
    if (Array.isArray(value)) return [[key, value.map(inner => (isSchema(inner) ? shapeOf(inner) : inner))]]
    return [[key, isSchema(value) ? shapeOf(value) : value]]
  })
  return Object.fromEntries(shape)
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map(version => version.split('.').map(Number))
  for (const [index, number] of (left ?? []).entries()) {
    const difference = number - (right?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

const majorOf = (version: string): string => version.split('.')[0] ?? ''
