import { readdirSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveTest, type ServedTest } from './rig.ts'

const CLIENTS = 100
/** Calls of each client at once. */
const AT_ONCE = process.env['TOOLWRIGHT_LONG'] === '1' ? 10 : 1

/** Every client reads as often as it may, and once more. */
const BUDGET = { budgets: [{ tool: 'toolwright/read', calls: AT_ONCE }] }

const files = Object.fromEntries(
  Array.from({ length: CLIENTS * AT_ONCE }, (_, at) => [`f${at}.txt`, `content of ${at}\n`] as const),
)

let http: ServedTest
beforeAll(async () => {
  http = await serveTest(files, { config: BUDGET })
})
afterAll(() => http.stop())

interface Sent {
  readonly agent: Agent
  readonly token: string
  readonly task: string
  readonly path: string
}

/** Makes a call on a connection of its own client. */
function call({ agent, token, task, path }: Sent): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const request = send(`${http.server.url}/v1/calls`, { agent, method: 'POST', headers }, response => {
    let text = ''
    response.setEncoding('utf8').on('data', chunk => (text += chunk))
    response.on('end', () => resolve(JSON.parse(text)))
  })
  request.on('error', reject)
  request.end(JSON.stringify({ tool: 'read', input: { path }, task }))
  return promise
}

const descriptors = (): number => readdirSync('/proc/self/fd').length

/** Bytes of objects that are still in use. */
function heap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** What a hundred clients may leave: their tokens and sessions, which are for later calls. */
const MOST_LEFT = 40 << 20

describe(`${CLIENTS} clients with ${AT_ONCE} calls at once each`, () => {
  it('get each its own answers, within exact budgets, all in the journal; and leave nothing open', async () => {
    const [before, heapBefore] = [descriptors(), heap()]
    const clients = Array.from({ length: CLIENTS }, (_, at) => ({
      agent: new Agent({ keepAlive: true }),
      token: http.client('call'),
      task: `task-${at}`,
    }))
    const round = (from: number) =>
      Promise.all(
        clients.flatMap((client, at) =>
          Array.from({ length: AT_ONCE }, (_, each) =>
            call({ ...client, path: `f${(at * AT_ONCE + each + from) % (CLIENTS * AT_ONCE)}.txt` }),
          ),
        ),
      )
    const contents = (await round(0)).map(answer => Object(Object(answer).data).content)
    expect(contents).toEqual(Object.values(files))
    const refused = (await round(1)).map(answer => Object(Object(answer).error).code)
    expect(new Set(refused)).toEqual(new Set(['budget_exceeded']))
    const spent = http.kit.workspace.ledger.all()
    expect(spent.map(({ calls, concurrent }) => [calls, concurrent])).toEqual(clients.map(() => [AT_ONCE, 0]))
    const records = [...http.kit.workspace.journal.read()].filter(({ type }) => type === 'call')
    expect(records).toHaveLength(2 * CLIENTS * AT_ONCE)
    expect(records.filter(({ ok }) => ok === true)).toHaveLength(CLIENTS * AT_ONCE)
    expect(http.server.inFlight()).toBe(0)
    for (const { agent } of clients) agent.destroy()
    await expect.poll(descriptors).toBeLessThan(before + 20)
    expect(heap() - heapBefore).toBeLessThan(MOST_LEFT)
  })
})
