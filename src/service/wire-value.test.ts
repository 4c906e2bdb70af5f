import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeValue, encodeValue } from './wire-value.ts'

const sent = (value: unknown): unknown => decodeValue(encodeValue(value))

describe('a value on the wire', () => {
  it.each([
    ['nothing', undefined],
    ['nothing in a list', [1, undefined, null]],
    ['numbers without an end', { waitMs: Infinity, other: [-Infinity, Number.NaN] }],
    ['bytes', { bytes: Buffer.from([0, 255, 1]), more: [Buffer.from('two'), Buffer.alloc(0)] }],
    ['a set of what a set holds', new Set(['a', 'b'])],
    [
      'a map with nothing in it, and bytes',
      new Map<string, unknown>([
        ['a', undefined],
        ['b', { c: Buffer.from('x') }],
      ]),
    ],
    ['an object that looks like a mark', { $: ['undefined'], b: { $: 1 } }],
    ['an object with a name of every object', JSON.parse('{"__proto__":{"a":1},"constructor":2}')],
  ])('comes back as it was: %s', (_what, value) => {
    expect(sent(value)).toStrictEqual(value)
  })

  it('is its JSON where that says all of it', () => {
    const value = { paths: ['a', 'b'], deep: [{ line: 1 }, null, true] }
    expect(encodeValue(value).toString()).toBe(JSON.stringify(value))
  })

  it('comes back whatever it is', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom(null, undefined),
      fc.uint8Array().map(bytes => Buffer.from(bytes)),
    )
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree')),
        fc.array(tie('tree')).map(list => new Set(list)),
        fc.array(fc.tuple(fc.string(), tie('tree'))).map(list => new Map(list)),
        fc.dictionary(
          fc.oneof(fc.string(), fc.constant('$')),
          fc.oneof(
            fc.integer(),
            tie('tree').filter(value => value !== undefined),
          ),
          { noNullPrototype: true },
        ),
      ),
    }))
    fc.assert(
      fc.property(tree, value => {
        expect(sent(value)).toStrictEqual(value)
      }),
    )
  })

  it.each([
    ['nothing', Buffer.alloc(0), /JSON/],
    ['half a mark', Buffer.from([0, 255, 0]), /outside|range/],
    ['text', Buffer.from('hello'), /JSON/],
  ])('is refused where it is none: %s', (_what, bytes, message) => expect(() => decodeValue(bytes)).toThrow(message))
})
