// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { DEFAULTS } from '../../src/config/defaults.ts'
import { deadlineIn } from '../../src/knowledge/code/servers/deadline.ts'
import { openServers } from '../../src/knowledge/code/servers/open-servers.ts'
import { restartedServers } from '../../src/knowledge/code/servers/restarted-servers.ts'
import type { ServerClient } from '../../src/knowledge/code/servers/types.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')
const FAKE = readFileSync(join(import.meta.dirname, 'fakes', 'server.mjs'), 'utf8')
const isLong = process.env['TOOLWRIGHT_LONG'] === '1'
/** How long the fake server loads; a minute where there is time. */
const LOAD_MS = isLong ? 60_000 : 2_500
/** The sources of Debian's python3-django, which take pyright a while. */
const LARGE = isLong ? ['/usr/lib/python3/dist-packages/django'] : []
const STAGED = { key: '', texts: new Map() }

/** The servers of a workspace with one that behaves as the mode says. */
function slowServers(mode: string) {
  const workspace = temporaryWorkspace({ 'server.mjs': FAKE, 'mode.txt': mode, 'a.fake': 'fn main\n  main()\n' })
  const root = openRoot(workspace.path)
  const fake = { language: 'fake', command: process.execPath, args: [join(workspace.path, 'server.mjs')] }
  const configured = [{ ...fake, extensions: ['fake'] }]
  const servers = openServers({ root, env: process.env, off: false, limits: DEFAULTS.commands, configured })
  const outline = async (server: ServerClient) => (await server.outline('a.fake')).map(({ name }) => name)
  const told: string[] = []
  const pids = async () => (await servers.running()).map(({ pid }) => pid)
  return {
    told,
    ask: (ms: number) =>
      restartedServers(servers).ask(
        'a.fake',
        STAGED,
        deadlineIn(ms, undefined, { moreTime: '--wait', onProgress: text => told.push(text) }),
        outline,
      ),
    pids,
    /** The one that was started, once it is. */
    started: () =>
      vi.waitFor(async () => {
        const found = await pids()
        expect(found).toHaveLength(1)
        return found
      }, 60_000),
    async [Symbol.asyncDispose]() {
      await servers.close()
      root.close()
      await workspace.remove()
    },
  }
}

describe('a server that loads for long', () => {
  it.each(['load', 'deaf'])(
    'goes on loading when a question is late, and answers the next one (%s)',
    async mode => {
      await using world = slowServers(`${mode} ${LOAD_MS}`)
      // Longer than it takes to start, and much shorter than it takes to load.
      await expect(world.ask(LOAD_MS / 2)).rejects.toMatchObject({
        code: 'timeout',
        hint: expect.stringMatching(/^Give it more time with --wait, or ask again/),
      })
      const first = await world.started()
      expect(await world.ask(LOAD_MS + 60_000)).toEqual(['main'])
      expect(await world.pids()).toEqual(first)
    },
    LOAD_MS * 2 + 120_000,
  )

  it(
    'reports its progress to listeners and in the error',
    async () => {
      await using world = slowServers(`load ${LOAD_MS}`)
      // On a busy machine it takes a while to start.
      await vi.waitFor(
        () =>
          expect(world.ask(600)).rejects.toMatchObject({
            message: expect.stringMatching(/still indexing \(Indexing \d+\/40 files \d+ %\)/),
          }),
        60_000,
      )
      expect(world.told.at(-1)).toMatch(/^fake: Indexing \d+\/40 files \d+ %$/)
      expect(await world.ask(LOAD_MS + 60_000)).toEqual(['main'])
    },
    LOAD_MS * 2 + 120_000,
  )

  it.each([
    ['while a question waits for it', 1],
    ['while its sandbox is being set up', -1],
  ])(
    'is started anew once where it is killed %s',
    async (_when, toldBefore) => {
      await using world = slowServers(`load ${LOAD_MS}`)
      const asked = world.ask(LOAD_MS * 2 + 60_000)
      const [first] = await world.started()
      await vi.waitFor(() => expect(world.told.length).toBeGreaterThan(toldBefore), LOAD_MS + 30_000)
      process.kill(first ?? 0, 'SIGKILL')
      expect(await asked).toEqual(['main'])
      const after = await world.pids()
      expect(after).toHaveLength(1)
      expect(after).not.toEqual([first])
      expect(await world.ask(30_000)).toEqual(['main'])
      expect(await world.pids()).toEqual(after)
    },
    LOAD_MS * 3 + 120_000,
  )

  for (const sources of LARGE)
    it('goes on loading when it is pyright on django', async () => {
      await using workspace = temporaryWorkspace({})
      cpSync(sources, join(workspace.path, 'django'), { recursive: true, dereference: true })
      const kit = await workspace.open({ resident: 'servers' })
      const ask = async (waitMs: number) => {
        const asked = { name: 'QuerySet.filter', path: 'django/db/models/query.py', depth: 1, waitMs }
        const { outcome } = await kit.run('callers', asked)
        if (!outcome.ok) throw outcome.error
        return outcome.data
      }
      // A busy machine may not even have read the text in the time of one call.
      await vi.waitFor(async () => expect(await ask(0)).toMatchObject({ basis: 'syntax', provisional: true }), 300_000)
      expect(await ask(600_000)).toMatchObject({ basis: 'pyright' })
    }, 900_000)

  it('that dies again is not started a third time for the same question', async () => {
    await using world = slowServers('crash')
    await expect(world.ask(60_000)).rejects.toMatchObject({ code: 'unavailable', details: { died: true } })
  })
})
