import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStrictJson } from './strict-json.ts'

describe('parseStrictJson', () => {
  it('reads what JSON.parse reads, the same way', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parseStrictJson(text, 'x').value).toEqual(JSON.parse(text))
      }),
    )
  })

  it('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', '-', '.', 'e', ' ', '\n', '\\', 'true', 'a'),
        }),
        text => {
          const plain = outcome(() => JSON.parse(text))
          const strict = outcome(() => parseStrictJson(text, 'x').value)
          if (plain === 'refused') expect(strict).toBe('refused')
          else if (strict === 'refused') expect(() => parseStrictJson(text, 'x')).toThrow(/given twice/)
          else expect(strict).toEqual(plain)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['', '1:1', 'expected a value, found the end of the file'],
    ['{\n  "a": 1,\n}', '3:1', "expected a key in double quotes, found '}'"],
    ['{\n  "a" 1}', '2:7', "expected ':' after the key 'a', found '1'"],
    ['{\n  "a": 1\n  "b": 2}', '3:3', "expected ',' or '}'"],
    ['{"a": 1, "a": 2}', '1:10', "the key 'a' is given twice"],
    ['[1, // no\n2]', '1:5', "found '/'"],
    ['{"a": 01}', '1:7', 'expected a value'],
    ['{"a": "x\n"}', '1:7', 'not closed'],
    ['{} {}', '1:4', 'expected the end of the file'],
    ['['.repeat(200), '1:102', 'nested deeper'],
  ])('gives the line and column: %j', (text, place, what) => {
    expect(() => parseStrictJson(text, 'toolwright.json')).toThrow(`toolwright.json:${place}: `)
    expect(() => parseStrictJson(text, 'toolwright.json')).toThrow(what)
  })

  it('knows where each part stands, and keeps __proto__ a plain key', () => {
    const { value, at } = parseStrictJson('\uFEFF{\n "a": [\n  {"b": 1}]}', 'x')
    expect([at(['a']), at(['a', 0]), at(['a', 0, 'b'])]).toEqual(['2:2', '3:3', '3:4'])
    expect(value).toEqual({ a: [{ b: 1 }] })
    expect(Object.keys(Object(parseStrictJson('{"__proto__": 1}', 'x').value))).toEqual(['__proto__'])
  })
})

function outcome(parse: () => unknown): unknown {
  try {
    return parse()
  } catch {
    return 'refused'
  }
}
