import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as send, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { jsonLine } from '../src/kernel/json-line.ts'
import { workspaceState } from '../src/machine/state/directory.ts'
import { serverPlace } from '../src/machine/state/server-place.ts'
import { openTokens } from '../src/machine/state/tokens.ts'
import { LIMITS } from '../src/surfaces/http/limits.ts'
import { startServer } from '../src/surfaces/http/start-server.ts'
import { openToolkit } from '../src/toolkit.ts'
import { times, type Bench, type Goal, type Row } from './bench.ts'
import { interleave, median, quantile } from './sample.ts'

const ROUNDS = 400
const WARM_UP = 400
const AT_ONCE = 32
const MOST = 1.5

/** A call that does nothing but what every call does, and a read of 10 kB. */
const TASKS = [
  { what: 'echo', tool: 'plan', input: {} },
  { what: 'read 10 kB', tool: 'read', input: { path: 'ten.txt' } },
] as const

/** What a request costs beside the call that it makes. */
export const http: Bench = {
  about: 'calls over HTTP beside a bare hono route that makes the same library call',
  async run() {
    await using world = await worldOf()
    const rows: Row[] = []
    const goals: Goal[] = []
    for (const { what, tool, input } of TASKS) {
      const body = JSON.stringify({ tool, input })
      const ours = () => world.post(world.ours, body)
      const bare = () => world.post(world.bare, body)
      const many = (one: () => Promise<unknown>) => () => Promise.all(Array.from({ length: AT_ONCE }, one))
      const alone = await interleave({ ours, bare }, { rounds: ROUNDS, warmUp: WARM_UP })
      const together = await interleave(
        { ours: many(ours), bare: many(bare) },
        { rounds: ROUNDS / 8, warmUp: WARM_UP / 16 },
      )
      for (const peer of ['ours', 'bare'] as const)
        rows.push({
          what: `${what}, ${peer === 'ours' ? 'ours' : 'bare hono'}`,
          cells: {
            'p50 ms': median(alone[peer]) / 1000,
            'p95 ms': quantile(alone[peer], 0.95) / 1000,
            [`${AT_ONCE} at once, calls/s`]: (AT_ONCE * 1e6) / median(together[peer]),
          },
        })
      const goal = (which: string, ratio: number): Goal => ({
        what: `${what}, ${which}`,
        limit: `≤ ${times(MOST)} bare hono`,
        measured: times(ratio),
        met: ratio <= MOST,
      })
      goals.push(goal('alone', median(alone.ours) / median(alone.bare)))
      goals.push(goal(`${AT_ONCE} at once`, median(together.ours) / median(together.bare)))
    }
    return {
      rows,
      goals,
      notes: [
        `p50 of ${ROUNDS} requests each, in turn, after as many, on keep-alive connections; server and client share one process`,
        'the bare route parses the body, makes the call with the library and prints the answer: no token, no Host, no schema',
      ],
    }
  },
}

async function worldOf() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-')))
  const root = join(base, 'workspace')
  mkdirSync(root)
  writeFileSync(join(root, 'ten.txt'), `${'x'.repeat(99)}\n`.repeat(100))
  const env = {
    ...process.env,
    HOME: base,
    TOOLWRIGHT_STATE: join(base, 'state'),
    TOOLWRIGHT_CONFIG_HOME: join(base, 'config'),
  }
  const kit = await openToolkit({ root, env, parsersWhenNeeded: true })
  const tokens = openTokens(serverPlace(workspaceState(root, env).path))
  const token = tokens.add('bench', ['call'], new Date().toISOString())
  const onError = (error: unknown): void => console.error(error)
  const server = await startServer({ kits: [kit], env, config: undefined, approvalMs: 0, tokens, port: 0, onError })
  const session = kit.session()
  const app = new Hono()
  app.post('/v1/calls', async context => {
    const { tool, input } = await context.req.json()
    const answer = await session.call(tool, input, { abridged: true })
    return context.body(`${jsonLine(answer)}\n`, 200, { 'Content-Type': 'application/json' })
  })
  // By default it would close connections that the other server's turn leaves idle, while they are used again.
  const serverOptions = { keepAliveTimeout: LIMITS.idleMs }
  const peer = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server
  await new Promise<void>(resolve => void peer.listen(0, '127.0.0.1', resolve))
  const agent = new Agent({ keepAlive: true })
  return {
    ours: server.port,
    bare: (peer.address() as AddressInfo).port,
    post(port: number, body: string): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const request = send({ host: '127.0.0.1', port, path: '/v1/calls', method: 'POST', agent, headers }, response => {
        let text = ''
        response.setEncoding('utf8').on('data', chunk => (text += chunk))
        response.on('end', () =>
          text.startsWith('{"ok":true') ? resolve() : reject(new Error(`answered ${text.slice(0, 300)}`)),
        )
      })
      request.on('error', reject)
      request.end(body)
      return promise
    },
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await server.stop()
      peer.closeAllConnections()
      peer.close()
      await kit.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}
