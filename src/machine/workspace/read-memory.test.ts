import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createReadMemory } from './read-memory.ts'

it('knows a file as whole when every byte of it was read, in whatever parts and order', () => {
  const of = 12
  const part = fc
    .tuple(fc.nat(of), fc.nat(of))
    .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other), of }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), parts => {
      const memory = createReadMemory()
      const seen = new Set<number>()
      for (const { from, to } of parts) {
        memory.note('a.txt', 'hash', { from, to, of })
        for (let byte = from; byte < to; byte++) seen.add(byte)
        expect(memory.isWhole('a.txt')).toBe(seen.size === of)
      }
    }),
  )
})

it('knows nothing of what a file held before it was another', () => {
  const memory = createReadMemory()
  memory.note('a.txt', 'one', { from: 0, to: 5, of: 10 })
  memory.note('a.txt', 'other', { from: 5, to: 10, of: 10 })
  expect([memory.get('a.txt'), memory.isWhole('a.txt')]).toEqual(['other', false])
  memory.note('a.txt', 'other', { from: 0, to: 5, of: 10 })
  expect(memory.isWhole('a.txt')).toBe(true)
})
