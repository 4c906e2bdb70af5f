import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CallRequest } from './call-request.ts'
import { progressFor } from './progress.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function rig(progressToken?: string) {
  const sent: unknown[] = []
  const mcpReq = {
    ...(progressToken && { _meta: { progressToken } }),
    notify: async ({ params }: { params: unknown }) => void sent.push(params),
  }
  return { sent, progress: progressFor({ mcpReq } as unknown as CallRequest) }
}

describe('progressFor', () => {
  it('sends the newest line, not more often than it can be read, with a count that grows', () => {
    const { sent, progress } = rig('T')
    vi.advanceTimersByTime(1000)
    progress.say('one\ntwo\n')
    vi.advanceTimersByTime(1)
    progress.say('three\n')
    progress.say('  \n')
    progress.say('four\x1b[31m\nfi')
    expect(sent).toEqual([{ progressToken: 'T', progress: 1, message: 'two' }])
    vi.advanceTimersByTime(250)
    expect(sent.slice(1)).toEqual([{ progressToken: 'T', progress: 2, message: 'fi' }])
    progress.stop()
  })

  it('gives a sign of life where nothing is printed, until it is stopped', () => {
    const { sent, progress } = rig('T')
    vi.advanceTimersByTime(10_000)
    expect(sent).toMatchObject([
      { progress: 1, message: '5 s' },
      { progress: 2, message: '10 s' },
    ])
    progress.stop()
    vi.advanceTimersByTime(60_000)
    expect(sent).toHaveLength(2)
  })

  it('sends nothing of what is said after it was stopped, and gives no sign of life again', () => {
    const { sent, progress } = rig('T')
    progress.stop()
    progress.say('late\n')
    vi.advanceTimersByTime(60_000)
    expect(sent).toEqual([])
  })

  it('says nothing to a client that did not ask', () => {
    const { sent, progress } = rig()
    progress.say('one\n')
    vi.advanceTimersByTime(60_000)
    progress.stop()
    expect(sent).toEqual([])
  })
})
