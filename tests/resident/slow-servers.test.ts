// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, vi } from 'vitest'
import { DEFAULTS } from '../../src/config/defaults.ts'
import type { Toolkit } from '../../src/index.ts'
import type { ConfiguredServer } from '../../src/languages/server-definition.ts'
import { serverMemory } from '../../src/knowledge/code/servers/server-memory.ts'
import { codeAnswers } from '../../src/knowledge/answers/code-answers.ts'
import { connect } from '../../src/service/connect.ts'
import { ownBuild } from '../../src/service/own-build.ts'
import type { ResidentStatus } from '../../src/service/status.ts'
import { placeOf } from '../../src/service/place.ts'
import { openTree } from '../../src/knowledge/tree/open-tree.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { needs } from '../needs.ts'
import { gone, SOON, useWorlds, type World } from './rig.ts'

const it = needs('bubblewrap')
const worlds = useWorlds()
const FAKE = readFileSync(join(import.meta.dirname, '..', 'code', 'fakes', 'server.mjs'), 'utf8')
/** How long the fake server loads; a minute where there is time. */
const LOAD_MS = process.env['TOOLWRIGHT_LONG'] === '1' ? 60_000 : 4_000

/** A workspace whose Python is served by a fake that loads for long. */
function slowWorld(config: object = {}): World & { readonly configured: ConfiguredServer } {
  const world = worlds.make({ 'server.mjs': FAKE, 'mode.txt': `load ${LOAD_MS}`, 'a.py': 'def main():\n  main()\n' })
  const { workspace } = world
  const fake = { language: 'fake', command: process.execPath, extensions: ['py'] }
  const configured = { ...fake, args: [join(workspace.path, 'server.mjs')] }
  const home = workspace.env['TOOLWRIGHT_CONFIG_HOME'] ?? ''
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.json'), JSON.stringify({ languageServers: [configured], ...config }))
  return { ...world, configured }
}

/** The servers that the process of a workspace runs. */
async function running({ state }: World): Promise<readonly number[]> {
  const line = await connect(placeOf(state.path, ownBuild()), ownBuild())
  if (!line) return []
  worlds.seen(line.pid)
  const { processes } = await line.ask<ResidentStatus>('status', {}, SOON)
  line.close()
  return processes.map(({ pid }) => pid)
}

async function uses(kit: Toolkit, waitMs: number, onProgress?: (text: string) => void) {
  const input = { name: 'main', path: 'a.py', waitMs }
  const { outcome } = await kit.run('references', input, { ...(onProgress && { onProgress }) })
  if (!outcome.ok) throw outcome.error
  return Object(outcome.data)
}

const LOADED = { places: [{ path: 'a.py', line: 2, column: 3 }], basis: 'fake', partial: false }

describe('a language server that loads for long', () => {
  it(
    'is kept by the process that the first question starts, and the text answers meanwhile',
    async () => {
      const world = slowWorld()
      const kit = await world.workspace.open({ resident: 'servers' })
      const first = await uses(kit, LOAD_MS / 2)
      expect(first).toMatchObject({ basis: 'syntax', provisional: true, partial: true })
      expect(first.why).toMatch(/^(The language server 'fake' was |The process of this workspace )/)
      const told: string[] = []
      const second = await uses(kit, LOAD_MS + 60_000, text => told.push(text))
      expect(second).toMatchObject(LOADED)
      expect(second).not.toHaveProperty('provisional')
      expect(told.join('\n')).toMatch(/^fake: Indexing \d+\/40 files \d+ %$/m)
      const servers = await running(world)
      expect(servers).toHaveLength(1)
      await kit.close()
      // Another program finds it as it is.
      const other = await world.workspace.open()
      expect(await uses(other, 30_000)).toMatchObject(LOADED)
      expect(await running(world)).toEqual(servers)
    },
    LOAD_MS * 2 + 180_000,
  )

  it(
    'DA-07: takes no time of a call where it loads in the process of the workspace',
    async () => {
      const world = slowWorld({ timeouts: { 'debug-assistant/*': LOAD_MS - 500 }, loadMs: LOAD_MS * 2 + 60_000 })
      const kit = await world.workspace.open({ resident: 'servers', contract: 'debug-assistant' })
      const told: string[] = []
      const parameters = { functionName: 'main', filePath: 'a.py' }
      const onProgress = (text: string): void => void told.push(text)
      expect(await kit.call('find_callers_of_function', parameters, { onProgress })).toMatchObject({
        success: true,
        data: { functionName: 'main', filePath: 'a.py' },
      })
      expect(told.join('\n')).toMatch(/^fake: Indexing \d+\/40 files \d+ %$/m)
      expect(await running(world)).toHaveLength(1)
    },
    LOAD_MS + 180_000,
  )

  it(
    'is started anew once where it is killed in the middle of a question',
    async () => {
      const world = slowWorld()
      const kit = await world.workspace.open({ resident: 'start' })
      const asked = uses(kit, LOAD_MS * 2 + 60_000)
      const [first = 0] = await vi.waitFor(async () => {
        const pids = await running(world)
        expect(pids).toHaveLength(1)
        return pids
      }, 60_000)
      process.kill(first, 'SIGKILL')
      expect(await asked).toMatchObject(LOADED)
      const after = await running(world)
      expect(after).toHaveLength(1)
      expect(after).not.toEqual([first])
    },
    LOAD_MS * 3 + 180_000,
  )

  it.each([
    ['ends soon after the last client has left', 'work', 60_000, {}],
    ['ends so where a client that stayed has left without an answer', `load ${LOAD_MS}`, 5, {}],
    ['stays when a command has ended without an answer, for the next one', `load ${LOAD_MS}`, 5, { isBrief: true }],
  ])(
    '%s',
    async (_what, mode, timeoutMs, brief) => {
      const { workspace, configured } = slowWorld()
      workspace.write('mode.txt', mode)
      const root = openRoot(workspace.path)
      const tree = openTree(root)
      const part = codeAnswers({ root, tree, env: process.env, memory: serverMemory(), lingerMs: 100 })
      const left = new AbortController()
      const servers = { off: false, limits: DEFAULTS.commands, configured: [configured] }
      const staged = { key: '', texts: new Map(), hidden: { key: '', paths: [] } }
      try {
        part.clients(1)
        const question = { path: 'a.py', staged, servers, timeoutMs, ...brief }
        const events = part.servers.hold(question, { timeoutMs, signal: left.signal })[Symbol.asyncIterator]()
        const serverEvent = async () => {
          for (;;) {
            const { value } = await events.next()
            if (value === undefined || 'server' in value) return value
          }
        }
        const isLate = mode !== 'work'
        if (isLate) await expect(serverEvent()).rejects.toMatchObject({ code: 'timeout' })
        else expect(await serverEvent()).toMatchObject({ server: { name: 'fake' } })
        const [server] = await vi.waitFor(async () => {
          const found = await part.processes()
          expect(found).toHaveLength(1)
          return found
        }, 60_000)
        left.abort()
        expect(await serverEvent()).toBeUndefined()
        part.clients(0)
        if ('isBrief' in brief) {
          await pause(1_000)
          expect(await part.processes()).toEqual([expect.objectContaining({ pid: server?.pid })])
        } else expect(await gone(server?.pid ?? 0)).toBe(true)
      } finally {
        await part.close()
        tree.close()
        root.close()
      }
    },
    120_000,
  )
})
