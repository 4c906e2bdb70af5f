import { describe, expect, it } from 'vitest'
import { effectsSummary, type EditEffects } from '../../kernel/edit-effects.ts'
import { effectsLines, lateEffectsLines } from './effects-lines.ts'

const none = { total: 0, first: [] }
const clean: Omit<EditEffects, 'summary'> = {
  introduced: none,
  cured: none,
  callers: none,
  tests: none,
  complete: true,
  left: 0,
  unjudged: [],
}
const fault = { path: 'src/b.ts', line: 2, column: 7, code: 'TS2554', message: 'Expected 2 arguments.\n  And more.' }

const told = (effects: Omit<EditEffects, 'summary'>, undecided?: number): EditEffects => ({
  summary: effectsSummary(effects, undecided),
  ...effects,
})

describe('effectsLines', () => {
  it('says that nothing broke', () => {
    expect(effectsLines(told(clean))).toEqual(['  Effects: no new errors'])
  })

  it('never says that nothing broke while a place is not decided', () => {
    expect(effectsLines(told(clean, 2))).toEqual(['  Effects: 2 places not decided'])
    const broken = { ...clean, introduced: { total: 1, first: [] } }
    expect(effectsLines(told(broken, 1))[0]).toBe('  Effects: 1 new error, 1 place not decided')
  })

  it('says that no server judges a language', () => {
    const effects = { ...clean, complete: false, unjudged: ['c'], why: 'No language server judges c' }
    expect(effectsLines(told(effects))).toEqual(['  Effects: no language server judges c'])
  })

  it('names the first errors, and what is not known yet', () => {
    const effects = {
      ...clean,
      introduced: { total: 3, first: [fault] },
      cured: { total: 2, first: [] },
      tests: { total: 1, first: ['src/b.test.ts'] },
      complete: false,
      left: 12,
      unjudged: ['go'],
      why: 'The server ended',
    }
    expect(effectsLines(told(effects))).toEqual([
      '  Effects: 3 new errors so far, not judged yet: 12 files (The server ended), 2 gone, no language server judges go, 1 file of tests to run',
      '    src/b.ts:2:7 TS2554 Expected 2 arguments.',
      '    and 2 more',
    ])
  })

  it('names the functions whose calls no longer fit', () => {
    const call = (name: string) => ({ name, path: 'src/b.ts', line: 2, calls: 'area', code: 'TS2554' })
    const lineOf = (total: number, names: readonly string[], most?: number) =>
      effectsLines(told({ ...clean, callers: { total, first: names.map(call) } }), most).at(-1)
    expect(lineOf(1, ['draw'])).toBe('    1 call no longer fits, in draw')
    expect(lineOf(3, ['draw', 'draw', 'fill'])).toBe('    3 calls no longer fit, in draw, fill')
    expect(lineOf(3, ['draw', 'fill', 'move'], 2)).toBe('    3 calls no longer fit, in draw, fill and others')
    expect(lineOf(9, ['draw', 'fill'], Infinity)).toBe('    9 calls no longer fit, in draw, fill and others')
  })

  it('never calls free of errors what is not judged yet', () => {
    expect(effectsLines(told({ ...clean, complete: false, left: 2 }))).toEqual(['  Effects: not judged yet: 2 files'])
  })

  it('says of which earlier change something became known', () => {
    const late = [{ id: 'abc', effects: told({ ...clean, introduced: { total: 1, first: [fault] } }) }]
    expect(lateEffectsLines(late)).toEqual([
      '  Of change abc, known by now:',
      '  Effects: 1 new error',
      '    src/b.ts:2:7 TS2554 Expected 2 arguments.',
    ])
  })

  it('names all changes that were judged together', () => {
    expect(lateEffectsLines([{ id: 'c', earlier: ['a', 'b'], effects: told(clean) }])).toEqual([
      '  Of changes a, b, c, known by now:',
      '  Effects: no new errors',
    ])
  })
})
