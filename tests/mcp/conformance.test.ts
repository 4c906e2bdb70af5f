import { describe, expect, it } from 'vitest'
import { runSuite, type Requirements } from './conformance/run-suite.ts'

const SCORED: Readonly<Record<Requirements, number>> = { '2026-07-28': 37, '2025-11-25': 30 }

describe('the public conformance suite', () => {
  it.each(Object.entries(SCORED))('passes in every scored scenario of %s', async (requirements, scored) => {
    const { code, passed, failed, journaled } = await runSuite(requirements as Requirements)
    expect({ failed, code }).toEqual({ failed: [], code: 0 })
    expect(passed).toHaveLength(scored)
    // The tools of the suite are called through our gates.
    expect(journaled).toContain('conformance/test_simple_text')
    expect(journaled.size).toBeGreaterThan(12)
  })
})
