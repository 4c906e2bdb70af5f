import { describe, expect, it } from 'vitest'
import type { Meta } from '../../kernel/outcome.ts'
import { toolResult } from './tool-result.ts'

const meta: Meta = { id: 'x', startedAt: '', endedAt: '', durationMs: 1, claims: [], changed: [] }
const outcome = { ok: true as const, data: {}, meta }

describe('toolResult', () => {
  it('is an error also where only the document calls it one', () => {
    const answer = { success: false, output: 'Error: Command failed with exit code 1:\n' }
    expect(toolResult({ outcome, answer }, { structured: true })).toMatchObject({
      isError: true,
      structuredContent: answer,
    })
    expect(toolResult({ outcome, answer: { ok: false } }, { structured: true })).toMatchObject({ isError: true })
  })

  it('is none where all went well', () => {
    for (const answer of [{ success: true }, { ok: true }, { exitCode: 1 }, 'text'])
      expect(toolResult({ outcome, answer }, { structured: true })).not.toHaveProperty('isError')
  })
})
