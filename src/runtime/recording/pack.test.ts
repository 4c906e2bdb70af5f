import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pack, unpack } from './pack.ts'

const noText = (id: string): string => {
  throw new Error(`no text ${id}`)
}
const roundTrip = (value: unknown): unknown => unpack(JSON.parse(JSON.stringify(pack(value) ?? null)), noText)

describe('pack', () => {
  it('reads every JSON value back as it was, whatever its keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
        expect(roundTrip(value)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it.each([
    { $text: 'not a name' },
    { $plain: { $map: 1 } },
    { $anything: [{ $bigint: 'x' }] },
    JSON.parse('{"__proto__":{"a":1}}'),
    new Map<unknown, unknown>([['a', { b: new Map() }]]),
    new Set(['a', 1]),
    { big: 12345678901234567890n, never: Infinity },
    { text: Buffer.from('ümlaut'), bytes: Buffer.from([0xff, 0x00, 0xfe]) },
  ])('reads %o back', value => {
    expect(roundTrip(value)).toEqual(value)
  })

  it('leaves out what means nothing elsewhere', () => {
    const { signal } = new AbortController()
    expect(pack({ a: 1, no: undefined, work: () => 1, signal })).toEqual({ a: 1 })
    expect(pack([undefined, () => 1, 2])).toEqual([null, null, 2])
  })

  it('refuses what has no end, and tags that it does not know', () => {
    const knot: unknown[] = []
    knot.push(knot)
    expect(() => pack(knot)).toThrow('is nested too deeply')
    expect(() => unpack({ $unknown: 1 }, noText)).toThrow("'$unknown' cannot be read here")
    expect(() => unpack({ $map: 'x' }, noText)).toThrow("'$map' cannot be read here")
  })
})
