// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode, type OpenedOptions } from './opened-code.ts'

const it = needs('bubblewrap')

/** Enough for a machine that has much else to do; a test about being late says how late. */
const PATIENCE = { initializeMs: 60_000, silentMs: 60_000, floodBytes: 4 * 1024 ** 2 }
/** A question may take so much longer than its deadline on a machine that has much else to do. */
const GRACE_MS = 10_000
const FAKE = readFileSync(join(import.meta.dirname, 'fakes', 'server.mjs'), 'utf8')

function fakeWorld(mode: string, options: OpenedOptions = {}) {
  const workspace = temporaryWorkspace({ 'server.mjs': FAKE, 'mode.txt': mode, 'a.fake': 'fn main\n  main()\n' })
  const command = { language: 'fake', command: process.execPath, args: [join(workspace.path, 'server.mjs')] }
  const code = openedCode(workspace, {
    configured: [{ ...command, extensions: ['fake'] }],
    patience: PATIENCE,
    ...options,
  })
  const late: string[] = []
  return {
    ...code,
    workspace,
    async ask(deadlineMs = 30_000) {
      const since = performance.now()
      try {
        return await code.engine.references({ name: 'main', path: 'a.fake', deadlineMs })
      } finally {
        const ms = Math.round(performance.now() - since)
        if (ms > deadlineMs + GRACE_MS) late.push(`${ms} ms for a question with ${deadlineMs} ms`)
      }
    },
    async [Symbol.asyncDispose]() {
      await code[Symbol.asyncDispose]()
      await workspace.remove()
      // Here, and not where it is asked: a question that is asked again until it is answered must not hide one.
      expect(late).toEqual([])
    },
  }
}

const ANSWER = {
  places: [{ path: 'a.fake', line: 2, column: 3, text: 'main()' }],
  basis: { by: 'server', server: 'fake' },
  partial: false,
}

/** A server with little patience for it may take several starts on a busy machine. */
const eventually = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 50_000, interval: 100 })

describe('a language server', () => {
  it('that works is asked, and everything is in its answer once', async () => {
    await using world = fakeWorld('work')
    expect(await world.ask()).toEqual(ANSWER)
  })

  it.each([
    ['dies at its start', 'die', /ended \(exit code 4\)/],
    ['crashes', 'crash', /ended \(exit code 3\): out of ideas/],
    ['floods its error output', 'flood stderr', /wrote 4 MB without an answer/],
    ['floods its log', 'flood log', /wrote 4 MB without an answer/],
    ['writes what is no message', 'flood noise', /without an answer|was ended/],
  ])('that %s is a clear error, and the next call works', async (_, mode, words) => {
    await using world = fakeWorld(mode)
    await expect(world.ask()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(words) })
    world.workspace.write('mode.txt', 'work')
    expect(await world.ask()).toEqual(ANSWER)
  })

  it('that answers in another form is a clear error', async () => {
    await using world = fakeWorld('nonsense')
    await expect(world.ask()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/an invalid result/),
    })
  })

  it('that never answers initialize is late inside the deadline, and given up', async () => {
    await using world = fakeWorld('mute', { patience: { ...PATIENCE, initializeMs: 1_000 } })
    await expect(world.ask(300)).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/starting/),
      hint: expect.stringMatching(/toolwright up/),
    })
    world.workspace.write('mode.txt', 'work')
    await eventually(async () => expect(await world.ask()).toEqual(ANSWER))
  })

  it('that never answers initialize does not delay closing', async () => {
    // Closing that waited for the answer would take longer than this test may.
    const world = fakeWorld('mute', { patience: { ...PATIENCE, initializeMs: 600_000 } })
    await expect(world.ask(300)).rejects.toMatchObject({ code: 'timeout' })
    await world[Symbol.asyncDispose]()
  }, 120_000)

  it('that hangs is late inside the deadline, and ended when it gives no sign of life', async () => {
    await using world = fakeWorld('hang', { patience: { ...PATIENCE, silentMs: 1_000 } })
    await expect(world.ask(1_000)).rejects.toMatchObject({ code: 'timeout', message: expect.stringMatching(/fake/) })
    world.workspace.write('mode.txt', 'work')
    await eventually(async () => expect(await world.ask(2_000)).toEqual(ANSWER))
  })

  it('that is still indexing is waited for within the deadline, and said to be indexing then', async () => {
    await using world = fakeWorld('index')
    await eventually(() =>
      expect(world.ask(500)).rejects.toMatchObject({
        code: 'timeout',
        message: expect.stringMatching(/still indexing/),
      }),
    )
  })

  it('sees the workspace read-only, and no network', async () => {
    await using world = fakeWorld('pry')
    await expect(world.ask()).rejects.toMatchObject({ message: expect.stringMatching(/write EROFS, network lo$/) })
    expect(existsSync(join(world.workspace.path, 'made.txt'))).toBe(false)
  })

  it('that is idle is stopped, and restarted with the next question', async () => {
    await using world = fakeWorld('work', { patience: { ...PATIENCE, idleMs: 50 } })
    expect(await world.ask()).toEqual(ANSWER)
    world.workspace.write('mode.txt', 'crash')
    await eventually(() =>
      expect(world.ask()).rejects.toMatchObject({ message: expect.stringMatching(/out of ideas/) }),
    )
  })

  it('whose question is cancelled by the caller gives up at once', async () => {
    await using world = fakeWorld('hang')
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 300)
    const asked = world.engine.references({ name: 'main', path: 'a.fake', deadlineMs: 20_000, signal: stop.signal })
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('that is not installed or not known is unavailable, with what to do', async () => {
    await using workspace = temporaryWorkspace({ 'a.zig': 'fn main', 'a.unknown': 'x' })
    const configured = [{ language: 'zig', command: 'no-such-server', args: [], extensions: ['zig'] }]
    await using code = openedCode(workspace, { configured })
    const ask = (path: string) => code.engine.callers({ name: 'main', path, depth: 1, deadlineMs: 1_000 })
    await expect(ask('a.zig')).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('no-such-server'),
    })
    await expect(ask('a.unknown')).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('languageServers'),
    })
  })
})
