import { describe, expect, it } from 'vitest'
import type { JournalRecord } from './chain.ts'
import { metricsOf } from './metrics.ts'
import type { CallRecord } from './record.ts'

let seq = 0
const call = (tool: string, durationMs: number, more: Partial<CallRecord> = {}): JournalRecord => {
  const record: CallRecord = {
    type: 'call',
    id: 'c',
    session: 's',
    tool,
    claims: [],
    ok: true,
    startedAt: '',
    durationMs,
    changed: [],
    ...more,
  }
  seq++
  return { ...record, seq, time: `t${seq}`, prev: '', hash: '' }
}

describe('metricsOf', () => {
  it('SG-08: counts calls, failures, refusals and durations by tool', () => {
    const metrics = metricsOf([
      ...Array.from({ length: 100 }, (_, i) => call('sage/Read', i + 1, { bytes: 10 })),
      call('sage/Write', 5, { changed: ['a', 'b'] }),
      call('sage/Write', 1, { changed: ['a'], dryRun: true }),
      call('sage/Write', 1, { ok: false, code: 'denied' }),
      call('sage/Write', 1, { ok: false, code: 'rejected' }),
      call('sage/Write', 1, { ok: false, code: 'budget_exceeded' }),
      call('sage/Write', 9, { ok: false, code: 'conflict' }),
      { seq: 999, time: 'later', prev: '', hash: '', type: 'torn' },
    ])
    expect(metrics.tools['sage/Read']).toEqual({
      calls: 100,
      failures: 0,
      refusals: 0,
      dryRuns: 0,
      changed: 0,
      bytes: 1000,
      p50Ms: 50,
      p95Ms: 95,
    })
    expect(metrics.tools['sage/Write']).toEqual({
      calls: 6,
      failures: 1,
      refusals: 3,
      dryRuns: 1,
      changed: 2,
      bytes: 0,
      p50Ms: 1,
      p95Ms: 9,
    })
    expect(metrics.total).toMatchObject({ calls: 106, failures: 1, refusals: 3 })
    expect(metrics).toMatchObject({ from: 't1', to: 't106' })
  })

  it('of nothing is zeros', () => {
    expect(metricsOf([])).toEqual({ total: expect.objectContaining({ calls: 0, p50Ms: 0, p95Ms: 0 }), tools: {} })
  })
})
