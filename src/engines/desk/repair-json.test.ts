import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repairJson } from './repair-json.ts'

describe('repairJson', () => {
  it.each([
    ['words before and after', 'Here it is: {"a": 1}. Done!', '{"a": 1}'],
    ['a code fence', 'Sure!\n```json\n{\n  "a": [1, 2]\n}\n```\n', '{\n  "a": [1, 2]\n}'],
    ['brackets in the words', 'See [1] and {this}: {"a": {"b": "}"}} [2]', '{"a": {"b": "}"}}'],
    ['an array', 'The list ["x", "y"] is whole', '["x", "y"]'],
    ['a quote in the words', 'He said "take { it": {"a": "\\"}"}', '{"a": "\\"}"}'],
    ['something unfinished before it', '{"a": {"b": 1}', '{"b": 1}'],
  ])('AA-13: cuts away %s', (_what, text, json) => {
    expect(repairJson(text)).toEqual({ value: JSON.parse(json), json, cut: true })
  })

  it.each(['{"a": 1}', ' [1] \n', '"text"', '\uFEFF{"a": 1}', 'null'])('AA-13: leaves %j as it is', text => {
    expect(repairJson(text)).toMatchObject({ json: text.replace('\uFEFF', '').trim(), cut: false })
  })

  it.each(['', 'no data', '{"a": 1', '{a: 1}', "{'a': 1,}", '}{'])('AA-13: finds nothing in %j', text => {
    expect(repairJson(text)).toBeUndefined()
  })

  it('AA-13: finds any object among words', () => {
    const words = fc.stringMatching(/^[\w .,:!'`\n]{0,40}$/)
    fc.assert(
      fc.property(words, fc.dictionary(fc.string(), fc.jsonValue()), words, (before, value, after) => {
        const json = JSON.stringify(value)
        expect(repairJson(`a ${before}${json}${after}`)).toEqual({ value: JSON.parse(json), json, cut: true })
      }),
    )
  })

  it('gives up on a text that only ever begins', () => {
    const since = performance.now()
    expect(repairJson('['.repeat(200_000))).toBeUndefined()
    expect(performance.now() - since).toBeLessThan(5_000)
  })
})
