import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkOutput, OUTPUT_TYPES } from './check-output.ts'

const map = { domains: [{ name: 'sales' }], layout: {}, summary: {} }

describe('checkOutput', () => {
  it('AA-09: prints the example of the contract', () => {
    expect(checkOutput(OUTPUT_TYPES, 'domain_map', { domains: [], layout: {}, summary: {} })).toEqual({
      valid: false,
      errors: ["Missing 'domains' array"],
      warnings: [],
    })
  })

  it('AA-09: warnings never make an output invalid', () => {
    expect(checkOutput(OUTPUT_TYPES, 'domain_map', map)).toEqual({ valid: true, errors: [], warnings: [] })
    const domains = [{}, { name: 'sales' }, { name: 'sales' }]
    expect(checkOutput(OUTPUT_TYPES, 'domain_map', { ...map, domains, more: 1 })).toEqual({
      valid: true,
      errors: [],
      warnings: ["'domains.0' has no name", "'domains.2' has the name 'sales' of another domain", "Unknown key 'more'"],
    })
  })

  it.each([
    ['no object', [], ['The output is not an object']],
    ['nothing', null, ['The output is not an object']],
    ['an empty object', {}, ["Missing 'domains' array", "Missing 'layout' object", "Missing 'summary' object"]],
    ['a domain that is none', { ...map, domains: ['sales'] }, ["'domains.0' is not an object"]],
  ])('AA-09: says what is wrong with %s', (_what, data, errors) => {
    expect(checkOutput(OUTPUT_TYPES, 'domain_map', data)).toEqual({ valid: false, errors, warnings: [] })
  })

  it('AA-09: knows registered types as zod and JSON Schema alike', () => {
    const types = {
      zod: z.strictObject({ a: z.number(), b: z.array(z.string()).optional() }),
      json: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'array', items: { type: 'string' } } },
        required: ['a'],
        additionalProperties: false,
      },
    }
    for (const name of ['zod', 'json']) {
      expect(checkOutput(types, name, { a: 1 })).toEqual({ valid: true, errors: [], warnings: [] })
      const { errors } = checkOutput(types, name, { b: [1], c: 2 })
      expect(errors).toEqual([
        "Missing 'a' number",
        "'b.0': Invalid input: expected string, received number",
        "Unknown key 'c'",
      ])
    }
  })

  it('AA-09: an unknown type is an error that names the known ones, also one of the names that every object has', () => {
    expect(checkOutput(OUTPUT_TYPES, 'map', {}).errors).toEqual(["Unknown output type 'map'; known: domain_map"])
    expect(checkOutput(OUTPUT_TYPES, 'toString', {}).valid).toBe(false)
    expect(checkOutput({}, 'map', {}).errors).toEqual(["Unknown output type 'map'; known: none"])
  })

  it('refuses a schema that it cannot read, and says which', () => {
    expect(() => checkOutput({ odd: { type: 'nonsense' } }, 'odd', {})).toThrow(
      "The schema of output type 'odd' cannot be used: Unsupported type: nonsense",
    )
  })

  it('gives no more than a hundred findings', () => {
    const { errors } = checkOutput(OUTPUT_TYPES, 'domain_map', {
      ...map,
      domains: Array.from({ length: 500 }, () => 1),
    })
    expect(errors).toHaveLength(100)
  })
})
