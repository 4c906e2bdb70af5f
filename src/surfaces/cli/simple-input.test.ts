import fc from 'fast-check'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { toolwright } from '../../contracts/toolwright/contract.ts'
import { inputSchema } from '../../kernel/json-schema.ts'
import { simpleInput } from '../../kernel/simple-input.ts'
import { INPUTS_FOLDER, matchSimple, rememberInput, validate, type SimpleParameter } from '../../kernel/validate.ts'
import { loadTool } from './call.ts'

const simple = toolwright.tools.flatMap(tool => {
  const parameters = simpleInput(tool.input)
  return parameters ? [{ tool, parameters }] : []
})

describe('an input that needs no schema', () => {
  it('is that of the tools without checks of the whole', () => {
    const names = simple.map(({ tool }) => tool.name)
    expect(names).toEqual(expect.arrayContaining(['read', 'write', 'list', 'find', 'delete', 'move', 'index']))
    // These refuse combinations of parameters, or require a list.
    for (const name of ['grep', 'run', 'refactor', 'edit', 'check', 'graph']) expect(names).not.toContain(name)
  })

  it('is exactly what the schema returns, in its order, whatever is given', () => {
    let matches = 0
    for (const { tool, parameters } of simple)
      fc.assert(
        fc.property(inputOf(parameters), input => {
          const matched = matchSimple(parameters, input)
          if (!matched) return
          matches += 1
          const { success, data } = tool.input.safeParse(input)
          expect([success, JSON.stringify(matched)]).toEqual([true, JSON.stringify(data)])
          expect(matched).toStrictEqual(data)
        }),
        { numRuns: 300 },
      )
    expect(matches).toBeGreaterThan(simple.length * 30)
  })

  it('is each example of these tools without lists and objects', () => {
    const examples = simple.flatMap(({ tool, parameters }) =>
      tool.examples.map(({ input }) => ({ name: tool.name, parameters, input: Object(input) })),
    )
    const flat = examples.filter(({ input }) => Object.values(input).every(value => typeof value !== 'object'))
    expect(flat.length).toBeGreaterThan(simple.length)
    expect(flat.map(({ name, parameters, input }) => [name, matchSimple(parameters, input)])).toEqual(
      flat.map(({ name, input }) => [name, input]),
    )
  })

  it.each([
    ['a check of the whole', z.strictObject({ a: z.string() }).refine(() => false)],
    ['keys that it ignores', z.object({ a: z.string() })],
    ['keys that it takes', z.looseObject({ a: z.string() })],
    ['no object', z.string()],
    ['a text that it changes', z.strictObject({ a: z.string().trim() })],
    ['a text of a form', z.strictObject({ a: z.email() })],
    ['a text with a pattern', z.strictObject({ a: z.string().regex(/x/) })],
    ['a number that it reads from text', z.strictObject({ a: z.coerce.number().int() })],
    ['a number with a fraction', z.strictObject({ a: z.number() })],
    ['a multiple', z.strictObject({ a: z.int().multipleOf(2) })],
    ['a default', z.strictObject({ a: z.int().default(1) })],
    ['another value in place of a wrong one', z.strictObject({ a: z.int().catch(1) })],
    [
      'a check beside an optional value',
      z.strictObject({
        a: z
          .string()
          .optional()
          .refine(() => false),
      }),
    ],
    [
      'an optional value that it changes',
      z.strictObject({
        a: z
          .string()
          .optional()
          .overwrite(text => `${text}!`),
      }),
    ],
    ['a default for an optional value', z.strictObject({ a: z.string().default('x').optional() })],
    ['a list', z.strictObject({ a: z.array(z.string()) })],
    ['a value of its own', z.strictObject({ a: z.string().transform(text => text.length) })],
  ])('is none where the schema has %s', (_what, schema) => {
    expect(simpleInput(schema)).toBeUndefined()
  })

  it('leaves an optional parameter of another kind to the schema', () => {
    const parameters = simpleInput(z.strictObject({ a: z.string(), b: z.array(z.string()).optional() }))
    expect(matchSimple(parameters ?? {}, { a: '' })).toEqual({ a: '' })
    expect(matchSimple(parameters ?? {}, { a: '', b: [] })).toBeUndefined()
  })

  it.each([[[]], [null], ['text'], [new Date()], [{ path: 'a', more: 1 }], [{ path: undefined }], [{}]])(
    'is not %j',
    input => {
      expect(matchSimple({ path: { type: 'string', required: true } }, input)).toBeUndefined()
    },
  )
})

describe('a tool that is loaded for one call', () => {
  it('has the input that the build stored, frozen; what does not match is refused by the schema', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-inputs-'))
    try {
      const { read } = await import('../../contracts/toolwright/read.ts')
      const derived = inputSchema(read)
      mkdirSync(join(folder, INPUTS_FOLDER), { recursive: true })
      writeFileSync(
        join(folder, INPUTS_FOLDER, 'read.json'),
        JSON.stringify({ schema: derived, simple: simpleInput(read.input) }),
      )
      const { tools } = await loadTool('toolwright', 'read', pathToFileURL(join(folder, 'cli', 'x.cjs')).href)
      expect(tools).toEqual([read])
      expect(inputSchema(read)).toEqual(derived)
      expect(inputSchema(read)).not.toBe(derived)
      using parse = vi.spyOn(read.input, 'safeParse')
      const input = { path: 'a.txt' }
      expect(validate(read, input)).toStrictEqual(input)
      expect(Object.isFrozen(validate(read, input))).toBe(true)
      expect(parse).not.toHaveBeenCalled()
      expect(() => validate(read, { path: 1 })).toThrow("Parameter 'path'")
      expect(() => validate(read, { path: 'a', form: 1 })).toThrow("Unknown parameter 'form'")
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('has its own schema where nothing is built, and none is known for an unknown tool', async () => {
    const { tools } = await loadTool('toolwright', 'write')
    expect(tools.map(tool => inputSchema(tool)['required'])).toEqual([['path', 'content']])
    expect((await loadTool('toolwright', 'nothing')).tools.length).toBeGreaterThan(20)
    expect((await loadTool('sage', 'Read')).id).toBe('sage')
  })

  it('is not judged by what is stored for another', () => {
    const tool = { name: 'one', input: z.strictObject({ a: z.string() }) }
    rememberInput({ ...tool }, { schema: {}, simple: { b: { type: 'string' } } })
    expect(() => validate(tool, { b: '' })).toThrow("Missing parameter 'a'")
  })
})

/** Inputs that are valid often, and wrong in one place or another otherwise. */
const inputOf = (parameters: Readonly<Record<string, SimpleParameter>>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 10, arbitrary: fc.record(valuesOf(parameters), { requiredKeys: requiredOf(parameters) }) },
    { weight: 10, arbitrary: fc.record(valuesOf(parameters), { requiredKeys: requiredOf(parameters) }).map(reversed) },
    { weight: 2, arbitrary: fc.record(valuesOf(parameters), { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.object() },
  )

const reversed = (input: object): object => Object.fromEntries(Object.entries(input).toReversed())

const requiredOf = (parameters: Readonly<Record<string, SimpleParameter>>): string[] =>
  Object.keys(parameters).filter(key => parameters[key]?.required)

const valuesOf = (parameters: Readonly<Record<string, SimpleParameter>>): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(
    Object.entries(parameters).map(([key, parameter]) => [
      key,
      fc.oneof({ weight: 30, arbitrary: valueOf(parameter) }, { weight: 1, arbitrary: fc.anything() }),
    ]),
  )

function valueOf({ type, least = 0, most = 1000, choices = [] }: SimpleParameter): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fc.oneof(fc.string({ maxLength: 20 }), fc.string({ minLength: Math.min(least, 10), maxLength: 30 }))
    case 'integer':
      return fc.oneof(fc.integer({ min: least, max: Math.max(least, most) }), fc.integer({ min: -2, max: 700_000 }))
    case 'boolean':
      return fc.boolean()
    case 'choice':
      return fc.constantFrom(...choices)
    default:
      return fc.constant([])
  }
}
