// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { DEFAULTS } from '../../src/config/defaults.ts'
import { openGraphs } from '../../src/knowledge/code/graph/open-graphs.ts'
import { deadlineIn } from '../../src/knowledge/code/servers/deadline.ts'
import { openServers } from '../../src/knowledge/code/servers/open-servers.ts'
import { serverMemory } from '../../src/knowledge/code/servers/server-memory.ts'
import { residentBytes } from '../../src/machine/process/resident-bytes.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')
const FAKE = readFileSync(join(import.meta.dirname, 'fakes', 'server.mjs'), 'utf8')
const LIMIT = { timeoutMs: 60_000 }
const POLL = { timeout: 60_000 }
const TEST = { timeout: 120_000 }
/** What one process counts: two fit, then one, then none. */
const [SMALL, HALF, LARGE] = [0.4, 0.6, 1.2]

/** A language server and a graph process within one bound of 1. */
function opened() {
  const workspace = temporaryWorkspace({ 'server.mjs': FAKE, 'mode.txt': 'work', 'a.fake': 'fn main\n  main()\n' })
  const root = openRoot(workspace.path)
  let each = SMALL
  const memory = serverMemory(1, pid => (residentBytes(pid) > 0 ? each : 0))
  const command = { language: 'fake', command: process.execPath, args: [join(workspace.path, 'server.mjs')] }
  const configured = [{ ...command, extensions: ['fake'] }]
  const servers = openServers({ root, env: process.env, off: false, limits: DEFAULTS.commands, configured, memory })
  const graphs = openGraphs(workspace.base, process.env, memory)
  let asked = 0
  return {
    pids: {
      server: async () => (await servers.running()).map(({ pid }) => pid),
      graph: async () => graphs.running().map(({ pid }) => pid),
    },
    ask: {
      server: (meanwhile: () => unknown = () => {}) =>
        servers.ask('a.fake', { key: '', texts: new Map() }, deadlineIn(LIMIT.timeoutMs), async server => {
          const outline = server.outline('a.fake')
          await meanwhile()
          return (await outline).map(({ name }) => name)
        }),
      async graph(meanwhile: () => unknown = () => {}) {
        const files = [{ path: 'a.ts', bytes: Buffer.from(`export const f${++asked} = () => 1\n`) }]
        const building = graphs.prepare({ directory: workspace.path, from: 'disk', files }, LIMIT)
        await meanwhile()
        const query = 'MATCH (f:Function) RETURN f.name AS name'
        const question = { query, params: {}, maxRows: 10, maxBytes: 1e6, ...LIMIT }
        const answer = await graphs.ask({ which: { key: await building }, ...question }, LIMIT)
        return answer?.rows.map(({ name }) => name === `f${asked}`)
      },
    },
    hold: (now: number) => void (each = now),
    check(now: number) {
      each = now
      memory.check()
      each = SMALL
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([servers.close(), graphs.close()])
      root.close()
      await workspace.remove()
    },
  }
}

const ANSWER = { server: ['main'], graph: [true] }

describe('language servers and the graph process hold a bounded memory together', () => {
  it.each([
    ['graph', 'server'],
    ['server', 'graph'],
  ] as const)(
    'the %s that was idle longer than the %s goes first, and answers the next question',
    TEST,
    async (first, last) => {
      await using world = opened()
      const { ask, pids } = world
      expect(await ask[first]()).toEqual(ANSWER[first])
      expect(await ask[last]()).toEqual(ANSWER[last])
      const [[before], [stays]] = [await pids[first](), await pids[last]()]
      world.check(SMALL)
      world.check(HALF)
      await expect.poll(pids[first], POLL).toEqual([])
      expect(await pids[last]()).toEqual([stays])
      expect(await ask[first]()).toEqual(ANSWER[first])
      expect(await pids[first]()).not.toEqual([before])
      expect(await ask[last]()).toEqual(ANSWER[last])
      expect(await pids[last]()).toEqual([stays])
    },
  )

  it.each([
    ['graph', 'server'],
    ['server', 'graph'],
  ] as const)('the %s is not ended while it answers, and the idle %s is', TEST, async (busy, idle) => {
    await using world = opened()
    const { ask, pids } = world
    await ask[busy]()
    await ask[idle]()
    const stays = await pids[busy]()
    expect(await ask[busy](() => world.check(LARGE))).toEqual(ANSWER[busy])
    await expect.poll(pids[idle], POLL).toEqual([])
    expect(await pids[busy]()).toEqual(stays)
  })

  it('each question makes room for the process that it asks', TEST, async () => {
    await using world = opened()
    world.hold(HALF)
    for (const [asked, other] of [
      ['graph', 'server'],
      ['server', 'graph'],
      ['graph', 'server'],
    ] as const) {
      expect(await world.ask[asked]()).toEqual(ANSWER[asked])
      await expect.poll(world.pids[other], POLL).toEqual([])
      expect(await world.pids[asked]()).toHaveLength(1)
    }
  })
})
