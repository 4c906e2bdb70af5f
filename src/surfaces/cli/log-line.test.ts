import { afterEach, expect, it, vi } from 'vitest'
import { logLines, shownTime } from './log-line.ts'

afterEach(() => void vi.unstubAllEnvs())

it('shows local time, with the summer time of its day', () => {
  vi.stubEnv('TZ', 'America/New_York')
  expect(shownTime('2026-11-16T03:04:05.678Z')).toBe('2026-11-15 22:04:05')
  expect(shownTime(Date.UTC(2026, 6, 16, 3, 4, 5))).toBe('2026-07-15 23:04:05')
  const record = { seq: 1, prev: '', hash: '', type: 'trust', time: '2026-11-16T03:04:05.678Z' }
  expect(logLines(record, (_colour, text) => text)[0]).toMatch(/^2026-11-15 22:04:05 {2}/)
})

it('shows what is no time as it stands, without control characters', () => {
  expect(shownTime('soon\x1b')).toBe(String.raw`soon\x1b`)
})
