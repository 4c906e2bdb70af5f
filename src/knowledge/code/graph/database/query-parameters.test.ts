import { describe, expect, it } from 'vitest'
import { queryParameters } from './query-parameters.ts'

const given = { a: 1, b: 'two', c: null }

describe('the parameters of a query', () => {
  it.each([
    ['RETURN $a + $b + $a', ['a', 'b']],
    ['RETURN 1', []],
    ["RETURN '$x', '\\'$x', $a", ['a']],
    ['RETURN "$x", "\\"$x", $a', ['a']],
    ['MATCH (`$x`) RETURN $a', ['a']],
    ['RETURN $a // $x\n, $b', ['a', 'b']],
    ['RETURN $a /* $x\n $x */, $c', ['a', 'c']],
  ])('of %s are those outside of texts, names and comments', (query, names) => {
    expect(Object.keys(queryParameters(query, given))).toEqual(names)
  })

  it('are refused where one is not given, whatever else has its name', () => {
    for (const name of ['x', 'toString', '__proto__'])
      expect(() => queryParameters(`RETURN $${name}`, given)).toThrow(
        expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(`$${name}`) }),
      )
  })
})
