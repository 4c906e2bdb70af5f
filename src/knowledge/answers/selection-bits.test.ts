import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeSelection, encodeSelection } from './selection-bits.ts'

it('gives back what was picked, in order', () => {
  const flags = fc.array(fc.boolean(), { maxLength: 70 })
  fc.assert(
    fc.property(flags, isPicked => {
      const list = isPicked.map((_, at) => `file ${at}`)
      const numbers = isPicked.flatMap((is, at) => (is ? [at] : []))
      expect(decodeSelection(encodeSelection(numbers, list.length), list)).toEqual(list.filter((_, at) => isPicked[at]))
    }),
  )
})
