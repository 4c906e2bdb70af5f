import { describe, expect, it } from 'vitest'
import { longFunctions } from './long-functions.ts'
import { readModule } from './module.ts'

describe('the check of functions', () => {
  const found = (file: string, lines: number) =>
    longFunctions([readModule(file, `export const a = () => {\n${'\n'.repeat(lines - 2)}}`)])

  it('finds one over 100 lines, and in no test', () => {
    expect(found('src/a.ts', 100)).toEqual([])
    expect(found('src/a.ts', 101)).toEqual([{ file: 'src/a.ts', name: 'a', lines: 101 }])
    expect(found('src/a.test.ts', 101)).toEqual([])
  })
})
