import { afterEach, expect, it, vi } from 'vitest'
import { logFilter } from './log-filter.ts'

const call = (fields: object) => ({
  seq: 1,
  prev: '',
  hash: '',
  type: 'call',
  tool: 'toolwright/read',
  time: '2026-11-16T00:00:00Z',
  ...fields,
})

afterEach(() => void vi.unstubAllEnvs())

it('takes times as local ones, and a date for the beginning of its day', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata')
  const isWanted = logFilter({ since: '2026-11-16', until: '2026-11-16T14:00' }, 0)
  const times = ['2026-11-15T18:29:59Z', '2026-11-15T18:30:00Z', '2026-11-16T08:30:00Z', '2026-11-16T08:30:01Z']
  expect(times.map(time => isWanted?.(call({ time })))).toEqual([false, true, true, false])
})

it('counts a call as asked about when the question came while it ran', () => {
  const verdict = { verdict: 'allow', why: 'every claim is allowed' }
  const approval = { by: 'ada', answer: 'yes', at: '2026-11-16T00:00:00Z' }
  const records = [{ verdict }, { verdict, approval }, { verdict, ok: false, code: 'rejected' }].map(call)
  const found = (word: string) => records.map(record => logFilter({ verdict: word }, 0)?.(record))
  expect(found('ask')).toEqual([false, true, true])
  expect(found('allow')).toEqual([true, false, false])
})
