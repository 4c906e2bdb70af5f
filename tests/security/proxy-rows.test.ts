import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startProxy } from '../../src/machine/process/proxy/start-proxy.ts'
import { egressOf } from '../../src/guards/egress/egress.ts'
import { whyNotGlobal } from '../../src/guards/egress/address.ts'
import { makePolicy } from '../../src/guards/policy/policy.ts'
import { fakeWeb } from '../../src/testing/fake-web.ts'
import { openCorpus, OWN_CORPUS } from './corpus.ts'
import type { SsrfRow } from './rows/ssrf.ts'

const rows = openCorpus(OWN_CORPUS).files.flatMap(({ name, rows: all }) =>
  name === 'ssrf.jsonl' ? (all as readonly SsrfRow[]) : [],
)
/** What a program can ask a proxy for: a host that it has parsed already. */
const asked = rows.filter(
  ({ url, responses }) => responses === undefined && /^https?:$/.test(URL.parse(url)?.protocol ?? ''),
)

describe('ssrf rows through the proxy of commands', () => {
  it.each(asked.map(row => [row.id, row.expect, row] as const))('%s: %s', async (_id, _expect, row) => {
    const url = new URL(row.url)
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-proxy-rows-'))
    await using web = await fakeWeb({
      dns: row.dns ?? {},
      hosts: ['x.test'],
      answer: (_url, _in, out) => void out.end('ok'),
    })
    const policy = makePolicy({ permissions: (row.allow_domains ?? ['*']).map(domain => `net:${domain}`) })
    const egress = egressOf(policy)
    const allows = (origin: string) => egress.verdict(origin) === 'allow'
    const proxy = await startProxy({ directory, allows, egress, network: web.network })
    try {
      const isTunnel = url.protocol === 'https:'
      const path = isTunnel ? `${url.hostname}:${url.port || 443}` : `http://${url.host}${url.pathname}`
      const status = await statusOf(proxy.socket, isTunnel ? 'CONNECT' : 'GET', path)
      const verdict = status === 200 ? 'allow' : 'deny'
      // A program that sends credentials in a URL sends them in a header: the host is what is asked for.
      const accepted = row.url.includes('@') && url.username !== '' ? ['allow', 'deny'] : (row.ok ?? [row.expect])
      expect(accepted).toContain(verdict)
      for (const { address } of web.connections) expect(whyNotGlobal(address)).toBeUndefined()
    } finally {
      await proxy.close()
      rmSync(directory, { recursive: true })
    }
  })
})

const statusOf = (socketPath: string, method: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const asking = request({ socketPath, method, path })
    asking.on('connect', (answer, socket) => {
      socket.destroy()
      resolve(answer.statusCode ?? 0)
    })
    asking.on('response', answer => resolve(answer.resume().statusCode ?? 0))
    asking.on('error', reject).end()
  })
