import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { unfinishedFrames } from './unfinished-frames.ts'

describe('unfinished frames', () => {
  it('are bounded for all clients together, and released with a client that leaves', () => {
    const frames = unfinishedFrames({ mostBytes: 100 })
    const cut: string[] = []
    const [one, other, third] = ['one', 'other', 'third'].map(name => frames.client(() => cut.push(name)))
    one?.hold(60)
    other?.hold(40)
    expect(cut).toEqual([])
    third?.hold(1)
    expect(cut).toEqual(['third'])
    third?.leave()
    one?.hold(0)
    other?.hold(100)
    expect(cut).toEqual(['third'])
  })

  it('are not waited for without end, even where a little more comes now and then', async () => {
    const frames = unfinishedFrames({ longestMs: 30 })
    const cut = Promise.withResolvers<void>()
    const client = frames.client(cut.resolve)
    let bytes = 0
    const timer = setInterval(() => client.hold(++bytes), 5)
    await cut.promise
    clearInterval(timer)
    client.leave()
    expect(bytes).toBeGreaterThan(0)
  })

  it('are no matter once they are finished', async () => {
    const frames = unfinishedFrames({ longestMs: 30 })
    let isCut = false
    const client = frames.client(() => (isCut = true))
    client.hold(10)
    client.hold(0)
    await pause(60)
    expect(isCut).toBe(false)
  })
})
