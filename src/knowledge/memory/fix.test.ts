import { expect, it } from 'vitest'
import { mergedChange } from './merge-fix.ts'
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
  expect(changedFix(fix, { language: 'Rust' }).language).toBe('rust')
})

it('takes the confidence from a fix that a person refutes', () => {
  const fix = completeFix({ ...given, confidence: 0.9 })
  expect(changedFix(fix, verdictChange('validated', fix))).toMatchObject({ userValidated: true, confidence: 0.9 })
  const refuted = changedFix(fix, verdictChange('refuted', fix))
  expect(refuted).toMatchObject({ userValidated: false, confidence: 0 })
  expect(changedFix(refuted, verdictChange('validated', refuted))).toMatchObject({
    userValidated: true,
    confidence: 0.7,
  })
})

it('merges only what is given, and forgets a verdict on other words', () => {
  const known = completeFix({ ...given, language: 'go', errorType: 'E1', fixedIn: 'a.go', userValidated: true })
  expect(changedFix(known, mergedChange(known, given))).toEqual(known)
  const other = changedFix(known, mergedChange(known, { ...given, solution: 'another' }))
  expect(other).toEqual({ ...known, solution: 'another', userValidated: false })
  const refuted = changedFix(known, verdictChange('refuted', known))
  expect(mergedChange(refuted, given).confidence).toBe(0)
  expect(mergedChange(refuted, { ...given, solution: 'another' }).confidence).toBe(0.7)
})
