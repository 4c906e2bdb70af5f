import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repairJson } from './repair-json.ts'
import { processorMs } from '../../../tests/processor-time.ts'

describe('repairJson', () => {
  it.each([
    ['words before and after', 'Here it is: {"a": 1}. Done!', '{"a": 1}'],
    ['a code fence', 'Sure!\n```json\n{\n  "a": [1, 2]\n}\n```\n', '{\n  "a": [1, 2]\n}'],
    ['brackets in the words', 'See [1] and {this}: {"a": {"b": "}"}} [2]', '{"a": {"b": "}"}}'],
    ['an array', 'The list ["x", "y"] is whole', '["x", "y"]'],
    ['a quote in the words', 'He said "take { it": {"a": "\\"}"}', '{"a": "\\"}"}'],
    ['lists in the words', 'Of [a, b] and [see below] this one: {"a": 1}', '{"a": 1}'],
  ])('AA-13: cuts away %s', (_what, text, json) => {
    expect(repairJson(text)).toEqual({ value: JSON.parse(json), json, cut: true, repaired: false })
  })

  it.each([
    ['trailing commas', '{"d":[{"name":"a"},],"s":{},}'],
    ['single quotes', `{'d':[{'name':'a'}],'s':{}}`],
    ['names without quotes', `{d: [{name: "a"}], s: {}}`],
    ['comments', '{"d":[{"name":"a"}], // {"not": "this"}\n/* [1] */ "s":{}}'],
    ['an unclosed brace', '{"d":[{"name":"a"}],"s":{}'],
    ['several unclosed brackets', '{"s":{},"d":[{"name":"a"'],
    ['an unclosed fence', 'So:\n```json\n{"d":[{"name":"a"}],"s":{}\n```\nDone.'],
    ['all of it in words', `Sure [1]!\n\`\`\`\n{'d': [{name: "a",},], "s": {}}\n\`\`\`\nSee {that}.`],
  ])('mends %s', (_what, text) => {
    expect(repairJson(text)).toMatchObject({ value: { d: [{ name: 'a' }], s: {} }, repaired: true })
  })

  it('reads strings and words as they are meant', () => {
    expect(repairJson(`{'a': 'say "hi"\\n', "b": "it's\n\\u00e9", c: [True, None, -1.5e2], }`)?.value).toEqual({
      a: 'say "hi"\n',
      b: "it's\né",
      c: [true, null, -150],
    })
    expect(Object.keys(Object(repairJson('{"__proto__": {"x": 1},}')?.value))).toEqual(['__proto__'])
  })

  it.each(['{"a": 1}', ' [1] \n', '"text"', '\uFEFF{"a": 1}', 'null'])('AA-13: leaves %j as it is', text => {
    expect(repairJson(text)).toMatchObject({ json: text.replace('\uFEFF', '').trim(), cut: false })
  })

  it.each(['', 'no data', '}{', '{"a": 1', '{"a": "x', '{"a": "x",', '{"a": [', '{"a": tru'])(
    'AA-13: finds nothing in %j',
    text => {
      expect(repairJson(text)).toBeUndefined()
    },
  )

  it.each([
    '{"d":[{"name":"a"}] "s":{}}',
    '{"d": nothing, "s": [{"name":"a"}]}',
    'The map: {"d":[{"name":"a"}], "s": oops}',
    `{'d': 'it's', "s": [{"name":"a"}]}`,
    '[1] is this: {"d":[{"name":"a"} - done',
    'Here: [bad, {"name": "a"}]',
    'Here: {"d": {"name": "a"}, "s": {"b": 1}} and {"d": [{"name": "a"}], "s": {"b": 1}, "c": {"x" 1}}',
    '```json\n{d {"name": "a"}}\n```',
    '{"d":[{"name":"a"}], "s": {"x": 1} and more',
  ])('takes no piece of what is broken: %s', text => {
    expect(repairJson(text)).toBeUndefined()
  })

  it('AA-13: finds any object among words', () => {
    const words = fc.stringMatching(/^[\w .,:!'`\n]{0,40}$/)
    fc.assert(
      fc.property(words, fc.dictionary(fc.string(), fc.jsonValue()), words, (before, value, after) => {
        const json = JSON.stringify(value)
        expect(repairJson(`a ${before}${json}${after}`)).toEqual({
          value: JSON.parse(json),
          json,
          cut: true,
          repaired: false,
        })
      }),
    )
  })

  it('reads leniently whatever is JSON, with a comma too many', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const json = JSON.stringify([value], null, space).replace(/\]$/, ', /* end */ ]')
        expect(repairJson(json)).toMatchObject({ value: [JSON.parse(JSON.stringify(value))], repaired: true })
      }),
    )
  })

  it('gives up on a text that only ever begins', () => {
    const since = processorMs()
    expect(repairJson('['.repeat(200_000))).toBeUndefined()
    expect(processorMs() - since).toBeLessThan(5_000)
  })
})
