import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contracts } from '../scripts/docs/contracts.ts'
import { inputSchema, type JsonSchema } from '../src/kernel/json-schema.ts'
import { uncovered } from './schemas/coverage.ts'
import { breaks, judge, schemasOf, shapeOf, type Stored, type StoredTool } from './schemas/stored.ts'

const stored: Stored = JSON.parse(readFileSync(join(import.meta.dirname, 'data/schemas.json'), 'utf8'))

describe('the stored schemas', () => {
  it('SG-09: every tool has the schema of its version, and breaks no caller within a major version', () => {
    expect(judge(stored, schemasOf(contracts))).toEqual([])
  })

  it('SG-09: every change is stored (npm run docs stores it)', () => {
    expect(stored).toEqual(schemasOf(contracts))
  })
})

const toolOf = (
  version: string,
  input: z.ZodType,
  output: z.ZodType = z.strictObject({ ok: z.boolean() }),
): Stored => ({
  'any/tool': { version, input: shape(input), output: shape(output) },
})
const shape = (schema: z.ZodType): JsonSchema => shapeOf(inputSchema({ input: schema }))
const path = z.strictObject({ path: z.string() })

describe('a change of a schema', () => {
  it.each<[change: string, before: z.ZodType, after: z.ZodType]>([
    ['a new optional parameter', path, path.extend({ from: z.int().optional() })],
    ['a wider enum', path.extend({ as: z.enum(['a']) }), path.extend({ as: z.enum(['a', 'b']) })],
    ['a lower minimum', z.strictObject({ n: z.int().min(2) }), z.strictObject({ n: z.int().min(1) })],
  ])('SG-09: %s needs a new version, and a minor one is enough', (_change, before, after) => {
    expect(judge(toolOf('1.2.0', before), toolOf('1.2.0', after))).toEqual([
      'any/tool: the schema changed, and the version is still 1.2.0',
    ])
    expect(judge(toolOf('1.2.0', before), toolOf('1.3.0', after))).toEqual([])
  })

  it.each<[change: string, before: z.ZodType, after: z.ZodType, found: RegExp]>([
    ['a removed parameter', path.extend({ from: z.int().optional() }), path, /'from': is not known/],
    ['a new required parameter', path, path.extend({ mode: z.string() }), /'mode': is required/],
    ['an optional one that is required', path.partial(), path, /'path': is required/],
    [
      'a narrower enum',
      path.extend({ as: z.enum(['a', 'b']) }),
      path.extend({ as: z.enum(['a']) }),
      /"b" is not accepted/,
    ],
    ['an enum for any text', path, z.strictObject({ path: z.enum(['a']) }), /only "a" is accepted/],
    ['another type', path, z.strictObject({ path: z.int() }), /string is not accepted/],
    [
      'a narrower type',
      z.strictObject({ n: z.union([z.string(), z.int()]) }),
      z.strictObject({ n: z.int() }),
      /string/,
    ],
    ['integers only', z.strictObject({ n: z.number() }), z.strictObject({ n: z.int() }), /number is not accepted/],
    ['a type for anything', z.strictObject({ n: z.unknown() }), z.strictObject({ n: z.string() }), /only string/],
    ['a raised minimum', z.strictObject({ n: z.int().min(1) }), z.strictObject({ n: z.int().min(2) }), /minimum is 2/],
    ['a shorter text', path, z.strictObject({ path: z.string().max(9) }), /maxLength is 9/],
    ['a pattern', path, z.strictObject({ path: z.string().regex(/^a/) }), /pattern/],
    ['closing an object', z.looseObject({ path: z.string() }), path, /other fields/],
    [
      'a narrower field inside a list',
      z.strictObject({ edits: z.array(z.strictObject({ old: z.string() })) }),
      z.strictObject({ edits: z.array(z.strictObject({ old: z.string().min(1) })) }),
      /'edits\[\]\.old': minLength is 1/,
    ],
  ])('SG-09: %s of an input needs a new major version', (_change, before, after, found) => {
    expect(judge(toolOf('1.2.0', before), toolOf('1.3.0', after))).toEqual([expect.stringMatching(found)])
    // What is gone has to be announced besides: tests/schemas/deprecations.test.ts.
    const isGone = found.source.includes('is not known')
    expect(judge(toolOf('1.2.0', before), toolOf('2.0.0', after))).toEqual(
      isGone ? [expect.stringContaining('was not announced')] : [],
    )
  })

  it.each<[change: string, effect: 'breaks' | 'keeps', before: z.ZodType, after: z.ZodType]>([
    ['a new field', 'keeps', path, path.extend({ bytes: z.int() })],
    ['a field that is always there now', 'keeps', path.partial(), path],
    ['a field that may be missing now', 'breaks', path, path.partial()],
    ['a removed field', 'breaks', path.extend({ bytes: z.int() }), path],
    [
      'a new word in an enum',
      'breaks',
      z.strictObject({ as: z.enum(['a']) }),
      z.strictObject({ as: z.enum(['a', 'b']) }),
    ],
    ['a field that may be null now', 'breaks', path, z.strictObject({ path: z.string().nullable() })],
  ])('SG-09: %s of an output %s its callers', (_change, effect, before, after) => {
    const was: StoredTool = { version: '1.0.0', input: shape(path), output: shape(before) }
    const is: StoredTool = { version: '1.1.0', input: shape(path), output: shape(after) }
    expect(breaks(was, is).length > 0 ? 'breaks' : 'keeps').toBe(effect)
  })

  it('SG-09: a version that went back and a tool that is gone are found', () => {
    expect(judge(toolOf('1.2.0', path), toolOf('1.1.9', path))).toEqual([expect.stringContaining('went back')])
    expect(judge(toolOf('1.2.0', path), {})).toEqual([expect.stringContaining('is gone')])
  })

  it('other words for the same shape are no change', () => {
    const told = z.strictObject({ path: z.string().describe('Where'), description: z.string() }).describe('A thing')
    const silent = z.strictObject({ path: z.string(), description: z.string() })
    expect(shape(told)).toEqual(shape(silent))
    expect(shape(silent)['properties']).toHaveProperty('description')
  })

  it('every schema covers itself', () => {
    for (const { input, output } of Object.values(stored))
      for (const schema of [input, output])
        expect(uncovered(schema, structuredClone(schema), { fieldsMayCome: false })).toEqual([])
  })
})
