import { expect, it } from 'vitest'
import { changedFix, completeFix, fixChangeSchema, newFixSchema, verdictChange } from './fix.ts'

const given = { errorDescription: 'it breaks', rootCause: 'a typo', solution: 'correct it' }

it('completes what is missing', () => {
  const fix = completeFix({ ...given, language: 'TypeScript' }, new Date('2026-01-02T03:04:05Z'))
  expect(fix).toMatchObject({
    ...given,
    language: 'typescript',
    errorType: '',
    confidence: 0.7,
    userValidated: false,
    createdAt: '2026-01-02T03:04:05.000Z',
    fixedIn: '',
  })
  expect(fix.id).toMatch(/^fix-[0-9a-f-]{36}$/)
})

it.each([
  [{ ...given, confidence: 1.1 }],
  [{ ...given, rootCause: '' }],
  [{ ...given, createdAt: 'yesterday' }],
  [{ ...given, unknown: 1 }],
  [{ errorDescription: 'alone' }],
])('refuses %j', fix => {
  expect(newFixSchema.safeParse(fix).success).toBe(false)
})

it('changes only what is given: no default overwrites what is stored', () => {
  expect(fixChangeSchema.parse({})).toEqual({})
  const fix = completeFix({ ...given, confidence: 0.9, language: 'go', userValidated: true })
  expect(changedFix(fix, { solution: 'another' })).toEqual({ ...fix, solution: 'another' })
  expect(changedFix(fix, { commit: undefined })).toEqual(fix)
})

it('takes the confidence from a fix that a person refutes', () => {
  const fix = completeFix({ ...given, confidence: 0.9 })
  expect(changedFix(fix, verdictChange('validated'))).toMatchObject({ userValidated: true, confidence: 0.9 })
  expect(changedFix(fix, verdictChange('refuted'))).toMatchObject({ userValidated: false, confidence: 0 })
})
