import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { egressOf } from '../../guards/egress/egress.ts'
import { makePolicy } from '../../guards/policy/policy.ts'
import { nets } from '../../kernel/claim.ts'
import { selfSigned } from '../../testing/certificate.ts'
import type { FakeName } from '../../testing/fake-web.ts'
import { fetched, PUBLIC, type Answer } from '../../../tests/web/fetched.ts'
import { systemNetwork } from './network.ts'
import { openWeb } from './open-web.ts'

describe('time', () => {
  const silent: Answer = () => {}
  const dripping: Answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  }
  it.each([
    ['a name that takes too long', {}, { 'a.test': { delay_ms: 60_000 } }],
    ['a server that says nothing', { '*': silent }, PUBLIC],
    ['a body that never ends', { '*': dripping }, PUBLIC],
  ] satisfies [string, Record<string, Answer>, Record<string, FakeName>][])(
    'CA-13: gives up on %s',
    async (_what, pages, dns) => {
      const since = performance.now()
      const failure = fetched(pages, { url: 'https://a.test/', timeoutMs: 300 }, { dns })
      await expect(failure).rejects.toMatchObject({ code: 'timeout', message: 'Request timed out after 0.3 seconds' })
      expect(performance.now() - since).toBeLessThan(30_000)
    },
  )

  it('ends when its caller has gone', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    await expect(
      fetched({ '*': silent }, { url: 'https://a.test/' }, { signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'cancelled' })
    await expect(
      fetched({ '*': silent }, { url: 'https://a.test/' }, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'cancelled' })
  })
})

interface Made {
  readonly hosts: readonly string[]
  readonly days?: { from: number; to: number }
  readonly trusted?: boolean
}

describe('certificates', () => {
  it.each([
    ['another name', { hosts: ['b.test'] }, 'its certificate is for another name'],
    ['another time', { hosts: ['a.test'], days: { from: -3, to: -1 } }, 'its certificate has expired'],
    ['an untrusted authority', { hosts: ['a.test'], trusted: false }, 'its certificate is self-signed'],
  ])('refuses one for %s, whatever the environment says', async (_what, made, reason) => {
    const { hosts, days, trusted = true }: Made = made
    const { createServer: createSecure } = await import('node:https')
    const certificate = selfSigned(hosts, days)
    const server = createSecure(certificate, (_request, response) => response.end('no')).on('tlsClientError', () => {})
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const network = {
      lookup: async () => ['93.184.216.34'],
      connect: () => systemNetwork.connect('127.0.0.1', port),
      ...(trusted && { ca: certificate.cert }),
    }
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      const egress = egressOf(makePolicy({ permissions: ['net'] }))
      const engine = openWeb({ claims: nets('https://a.test/'), network, egress })
      const failure = engine.fetch({ url: 'https://a.test/' }, new AbortController().signal)
      await expect(failure).rejects.toMatchObject({ code: 'io', details: { reason } })
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
      server.close()
    }
  })
})
