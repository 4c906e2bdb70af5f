import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ToolError } from './error.ts'
import { expectedKeys, freeze, parameterNames, validate } from './validate.ts'

const tool = {
  name: 'edit',
  input: z.strictObject({
    path: z.string(),
    edits: z.array(z.strictObject({ old: z.string().min(1) })).min(1),
    all: z.boolean().optional(),
    times: z.int().default(1),
  }),
}
const failureOf = (input: unknown): ToolError => {
  try {
    validate(tool, input)
  } catch (error) {
    if (error instanceof ToolError) return error
  }
  throw new Error('It did not fail as expected')
}

describe('validate', () => {
  it('gives the input with its defaults, frozen all the way down', () => {
    const input = validate(tool, { path: 'a', edits: [{ old: 'x' }] })
    expect(input).toEqual({ path: 'a', edits: [{ old: 'x' }], times: 1 })
    expect(() => Object.assign(input, { path: 'b' })).toThrow(TypeError)
    expect(() => Object.assign(Object(input.edits[0]), { old: 'y' })).toThrow(TypeError)
  })

  it.each([
    [{ edits: [{ old: 'x' }] }, "Missing parameter 'path'"],
    [{ path: 1, edits: [{ old: 'x' }] }, /^Parameter 'path': .*string/],
    [{ path: 'a', edits: [{ old: 'x' }], force: true }, "Unknown parameter 'force'"],
    [{ path: 'a', edits: [{ old: 'x', nw: 1 }] }, "Unknown parameter 'edits.0.nw'"],
    [{ path: 'a', edits: [{ old: '' }] }, /^Parameter 'edits\.0\.old': /],
    [{ path: 'a', edits: [] }, /^Parameter 'edits': /],
    [undefined, /^The input is missing: an object/],
    [null, /object/],
    ['text', /object/],
  ])('says of %j what is wrong', (input, message) => {
    const error = failureOf(input)
    expect(error).toMatchObject({ code: 'invalid_input', hint: 'Parameters of edit: path, edits, all?, times?' })
    expect(error.message).toMatch(message)
  })

  it('names all that is wrong at once', () => {
    expect(failureOf({ edit: [] }).message).toBe(
      "Missing parameter 'path'; Missing parameter 'edits'; Unknown parameter 'edit'",
    )
    expect(failureOf({ edit: [] }).details).toMatchObject({
      issues: [{ path: 'path' }, { path: 'edits' }, { path: '' }],
    })
  })

  it('says so where a tool takes no parameters', () => {
    expect(() => validate({ name: 'noop', input: z.strictObject({}) }, { x: 1 })).toThrow(
      expect.objectContaining({ hint: 'noop takes no parameters' }),
    )
  })

  it('keeps a parameter named like a property of every object out', () => {
    for (const key of ['__proto__', 'constructor', 'toString'])
      expect(failureOf(JSON.parse(`{"path":"a","edits":[{"old":"x"}],"${key}":{}}`)).message).toContain(key)
  })
})

describe('freeze', () => {
  it('goes through what is frozen at the top, and through circles', () => {
    const inner = { deep: [1] }
    freeze(Object.freeze({ inner }))
    expect(Object.isFrozen(inner.deep)).toBe(true)
    const circle: { self?: object; list: number[] } = { list: [1] }
    circle.self = circle
    expect(Object.isFrozen(freeze(circle).list)).toBe(true)
  })

  it('leaves what cannot be frozen', () => {
    const bytes = Buffer.from('abc')
    expect(freeze({ bytes }).bytes).toBe(bytes)
    expect([freeze(1), freeze(null), freeze('x')]).toEqual([1, null, 'x'])
  })
})

describe('the parameters of a schema', () => {
  it('are told in its own order, optional ones marked for people', () => {
    expect(parameterNames(tool.input)).toEqual(['path', 'edits', 'all', 'times'])
    expect(expectedKeys(tool.input)).toEqual(['path', 'edits', 'all?', 'times?'])
    expect(parameterNames(z.string())).toEqual([])
    const anything = z.strictObject({ data: z.unknown(), more: z.unknown().optional(), one: z.string().optional() })
    const either = anything.refine(({ one }) => one !== undefined, { path: ['one'] })
    for (const schema of [anything, either]) expect(expectedKeys(schema)).toEqual(['data', 'more?', 'one?'])
  })
})

describe('a key __proto__', () => {
  const anything = { name: 'any', input: z.looseObject({ a: z.unknown() }) }

  it.each([
    ['{"__proto__":1}', '__proto__'],
    ['{"a":{"__proto__":null}}', 'a.__proto__'],
    ['{"a":[1,{"b":{"__proto__":{}}}]}', 'a.1.b.__proto__'],
    ['{"a":[{"\\u005f_proto__":1}]}', 'a.0.__proto__'],
  ])('is refused at its place in %s', (json, place) => {
    expect(() => validate(anything, JSON.parse(json))).toThrow(`Unknown parameter '${place}'`)
  })

  it('is not found in a text, nor for ever in a circle', () => {
    const circle: unknown[] = ['__proto__']
    circle.push({ circle })
    expect(() => validate(anything, { a: circle })).not.toThrow()
  })
})
