import { expect, it } from 'vitest'
import { ToolError } from '../kernel/error.ts'
import { deadlineIn } from '../knowledge/code/servers/deadline.ts'
import type { Servers } from '../knowledge/code/servers/types.ts'
import type { Connection } from './connect.ts'
import { reachedServers } from './reached-servers.ts'

const RELEASED = new ToolError('unavailable', "The language server was released before 'references' reached it")

/** Asks a process that lets go of the question while this one is busy for longer than the question's time. */
async function askBusy(signal?: AbortSignal): Promise<unknown> {
  const deadline = deadlineIn(30, signal)
  async function* held() {
    yield { server: { id: 1, name: 'typescript', missesAliases: false, unknown: 0, isReady: true, can: [] } }
  }
  async function put() {
    while (performance.now() < deadline.at + 5);
    throw RELEASED
  }
  const line = {
    isOpen: () => true,
    ask: (method: string) => (method === 'servers.hold' ? held() : put()),
  } as unknown as Connection
  const resident = {
    reach: async () => line,
    reachStarted: async () => line,
    isStarting: () => false,
    near: () => line,
    close() {},
  }
  const options = { off: false, limits: {}, configured: [] } as never
  const open = () => ({ ask: async () => undefined }) as unknown as Servers
  const { servers } = reachedServers(resident, { root: '/w', options, isBrief: false, open })
  const staged = { key: '', texts: new Map<string, string | undefined>() }
  return servers.ask('a.ts', staged, deadline, server => server.references('a.ts', { line: 1, character: 0 } as never))
}

it('tells that the time is over, not what the process said of a question that was over', async () => {
  await expect(askBusy()).rejects.toMatchObject({ code: 'timeout' })
})
