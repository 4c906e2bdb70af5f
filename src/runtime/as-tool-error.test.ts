import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ToolError } from '../kernel/error.ts'
import { asToolError } from './as-tool-error.ts'
import type { CallTrace } from './call-trace.ts'

const trail = (): CallTrace => ({
  id: 'C',
  startedAt: '2026-01-01T00:00:00.000Z',
  dryRun: false,
  task: 'default',
  account: 'default',
  input: {},
  claims: [],
  changed: [],
  landed: {},
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('It did not fail')
}

describe('asToolError', () => {
  it('keeps an expected failure as it is', () => {
    const error = new ToolError('not_found', 'gone')
    expect(asToolError(error, trail())).toBe(error)
  })

  it('reports what the system refused, with a hint, and keeps the exception for a fix', () => {
    const kept = trail()
    const cause = thrownBy(() => readFileSync('/nowhere/at/all'))
    expect(asToolError(cause, kept)).toMatchObject({
      code: 'io',
      message: expect.stringContaining('ENOENT'),
      hint: expect.stringContaining('permissions'),
      details: { errno: 'ENOENT' },
    })
    expect(kept.defect).toBe(cause)
  })

  it('tells anything else as a defect', () => {
    const kept = trail()
    expect(asToolError(new TypeError('odd'), kept)).toMatchObject({ code: 'internal' })
    expect(kept.defect).toBeInstanceOf(TypeError)
  })
})
