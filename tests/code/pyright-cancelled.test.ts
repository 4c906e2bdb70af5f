// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { DEFAULTS } from '../../src/config/defaults.ts'
import { deadlineIn } from '../../src/knowledge/code/servers/deadline.ts'
import { openServers } from '../../src/knowledge/code/servers/open-servers.ts'
import type { ServerClient } from '../../src/knowledge/code/servers/types.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

const FILES = {
  'a.py': 'def f(a):\n    return a\n\n\ndef g():\n    return f(1)\n',
  'b.py': 'from a import f\n\n\ndef h():\n    return f(2)\n',
}
const USES = ['a.py:6', 'b.py:1', 'b.py:5']

describe('pyright', () => {
  it('finds references after a question that was taken back, and for several at once', async () => {
    await using workspace = temporaryWorkspace(FILES)
    const root = openRoot(workspace.path)
    const servers = openServers({ root, env: process.env, off: false, limits: DEFAULTS.commands, configured: [] })
    try {
      const ask = <T>(work: (server: ServerClient) => Promise<T>, signal?: AbortSignal) =>
        servers.ask('a.py', { key: '', texts: new Map() }, deadlineIn(60_000, signal), work)
      const uses = async (server: ServerClient) => {
        const found = await server.references('a.py', { line: 0, character: 4 })
        return found.map(({ uri, range }) => `${server.pathOf(uri)}:${range.start.line + 1}`).toSorted()
      }
      expect(await ask(uses)).toEqual(USES)
      // The server has to hear of it between the request and its first step.
      for (let ticks = 1; ticks <= 12; ticks++) {
        const stop = new AbortController()
        const taken = ask(async server => {
          const asked = uses(server)
          for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
          stop.abort()
          return asked
        }, stop.signal)
        await expect(taken).rejects.toMatchObject({ code: 'cancelled' })
      }
      expect(await ask(uses)).toEqual(USES)
      expect(await ask(server => Promise.all([uses(server), uses(server), uses(server)]))).toEqual([USES, USES, USES])
    } finally {
      await servers.close()
      root.close()
    }
  })
})
