import { describe, expect, it } from 'vitest'
import type { EditEffects } from '../../kernel/edit-effects.ts'
import { effectsLines } from './effects-lines.ts'

const none = { total: 0, first: [] }
const clean: EditEffects = {
  introduced: none,
  cured: none,
  callers: none,
  tests: none,
  complete: true,
  left: 0,
  unjudged: [],
}
const fault = { path: 'src/b.ts', line: 2, column: 7, code: 'TS2554', message: 'Expected 2 arguments.\n  And more.' }

describe('effectsLines', () => {
  it('says that nothing broke', () => {
    expect(effectsLines(clean)).toEqual(['  Effects: no new errors'])
  })

  it('says that nobody judges a language', () => {
    const effects = { ...clean, complete: false, unjudged: ['c'], why: 'Nobody judges c' }
    expect(effectsLines(effects)).toEqual(['  Effects: no new errors, nobody judges c'])
  })

  it('names the first errors, and what is not known yet', () => {
    const effects: EditEffects = {
      ...clean,
      introduced: { total: 3, first: [fault] },
      cured: { total: 2, first: [] },
      tests: { total: 1, first: ['src/b.test.ts'] },
      complete: false,
      left: 12,
      unjudged: ['go'],
      why: 'The server ended',
    }
    expect(effectsLines(effects)).toEqual([
      '  Effects: 3 new errors, 2 gone, 1 file of tests to run, 12 files still to be judged (The server ended), nobody judges go',
      '    src/b.ts:2:7 TS2554 Expected 2 arguments.',
      '    and 2 more',
    ])
  })
})
