import { describe, expect, it } from 'vitest'
import type { EditEffects } from '../kernel/edit-effects.ts'
import { ensureNoNewErrors } from './new-errors.ts'

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
const fault = { path: 'src/b.ts', line: 3, column: 1, code: 'TS2554', message: 'Expected 2 arguments\n  more' }

describe('ensureNoNewErrors', () => {
  it('lets pass what was judged and adds none', () => {
    expect(() => ensureNoNewErrors(clean)).not.toThrow()
    expect(() => ensureNoNewErrors({ ...clean, cured: { total: 1, first: [fault] } })).not.toThrow()
  })

  it('names the errors that would be new', () => {
    const introduced = { total: 12, first: [fault] }
    expect(() => ensureNoNewErrors({ ...clean, introduced })).toThrow(
      'it would add 12 errors: src/b.ts:3 TS2554 Expected 2 arguments and 11 more',
    )
  })

  it('refuses what could not be judged, and says why', () => {
    expect(() => ensureNoNewErrors({ ...clean, complete: false, left: 7 })).toThrow('7 files were still to be judged')
    const gone = { ...clean, complete: false, left: 1, why: 'The server ended' }
    expect(() => ensureNoNewErrors(gone)).toThrow('The server ended')
  })

  it('holds nothing back for a language without a server', () => {
    const unjudged = { ...clean, complete: false, unjudged: ['c'], why: 'No language server judges c' }
    expect(() => ensureNoNewErrors(unjudged)).not.toThrow()
  })
})
