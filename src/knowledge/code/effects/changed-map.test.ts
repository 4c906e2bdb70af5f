import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysThatMayDiffer, withChanged } from './changed-map.ts'

const KEYS = 40
const changes = fc.array(fc.array(fc.tuple(fc.nat(KEYS - 1), fc.string()), { maxLength: 6 }), { maxLength: 8 })

describe('a map with other values', () => {
  it('is like a copy with them, and leaves the maps below as they are', () => {
    fc.assert(
      fc.property(changes, steps => {
        const first = new Map(Array.from({ length: KEYS }, (_, key) => [key, 'first'] as const))
        const maps: ReadonlyMap<number, string>[] = [first]
        const copies: ReadonlyMap<number, string>[] = [new Map(first)]
        for (const step of steps) {
          const [map = first, copy = first] = [maps.at(-1), copies.at(-1)]
          maps.push(withChanged(map, new Map(step)))
          copies.push(new Map([...copy, ...step]))
        }
        for (const [at, map] of maps.entries()) {
          const copy = copies[at] ?? first
          expect([...map]).toEqual([...copy])
          expect([map.size, [...map.values()], map.get(3), map.has(KEYS)]).toEqual([
            KEYS,
            [...copy.values()],
            copy.get(3),
            false,
          ])
        }
        const [one = first, other = first] = [maps.at(-1), maps.at(steps.length / 2)]
        const may = keysThatMayDiffer(one, other)
        for (const key of first.keys()) if (one.get(key) !== other.get(key)) expect(may.has(key)).toBe(true)
      }),
    )
  })

  it('has few keys that may differ from a map with the same below', () => {
    const all = new Map(Array.from({ length: 1000 }, (_, key) => [key, 'old'] as const))
    const [one, other] = [withChanged(all, new Map([[1, 'new']])), withChanged(all, new Map([[2, 'new']]))]
    expect(keysThatMayDiffer(one, other)).toEqual(new Set([1, 2]))
    expect(keysThatMayDiffer(one, new Map([[5, 'x']])).size).toBe(1000)
  })
})
