import { describe, expect, it } from 'vitest'
import { nearMiss } from './near-miss.ts'

describe('nearMiss', () => {
  it.each([
    ['serach', ['search', 'read'], 'search'],
    ['raed', ['read', 'write'], 'read'],
    ['READ', ['read'], 'read'],
    ['--form', ['--from', '--to'], '--from'],
    ['lst', ['list', 'log'], 'list'],
    ['reads', ['read', 'reads'], 'reads'],
    ['xyz', ['read', 'list'], undefined],
    ['up', ['gc'], undefined],
    ['', ['read'], undefined],
  ])('%s of %j is %s', (typed, known, meant) => expect(nearMiss(typed, known)).toBe(meant))
})
