import { expect, it } from 'vitest'
import { unitOf } from './indentation.ts'

it('the unit of a file is found however many lines it has', () => {
  expect(unitOf(`a\n${'   b\n'.repeat(300_000)}`, 'a.js')).toBe('   ')
  expect(unitOf('a\n * b\n', 'a.js')).toBe('  ')
})
