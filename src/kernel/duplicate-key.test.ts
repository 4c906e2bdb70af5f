import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duplicateKey } from './duplicate-key.ts'

describe('doubledKey', () => {
  it.each([
    ['{"path":"a","path":"b"}', 'path'],
    ['{"a":{"b":1,"c":[{"d":1,"d":2}]}}', 'd'],
    ['{"path":"a", "\\u0070ath":"b"}', 'path'],
    ['[{"a":1},{"a":1,"a":2}]', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"":1,"":2}', ''],
    ['{"a\\\\":1,"b":"\\\\","a\\\\":2}', 'a\\'],
  ])('finds the key of %s', (json, key) => {
    JSON.parse(json)
    expect(duplicateKey(json)).toBe(key)
  })

  it.each([
    '{"a":"a","b":{"a":1},"c":["a","a"]}',
    '{"a":"\\"a\\":1,\\"a\\":2","b":"{\\"x\\":1,\\"x\\":1}"}',
    '[{"a":1},{"a":1}]',
    '"a"',
    '{}',
    '[1,[2,3],{"a":[]}]',
  ])('finds none in %s', json => {
    JSON.parse(json)
    expect(duplicateKey(json)).toBeUndefined()
  })

  it('finds none in what was written from a value, and every one that is put in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (value, key) => {
        const json = JSON.stringify(value)
        expect(duplicateKey(json)).toBeUndefined()
        const more = `{${JSON.stringify(key)}:${json},${JSON.stringify(key)}:1}`
        expect(duplicateKey(more)).toBe(key)
      }),
    )
  })
})
