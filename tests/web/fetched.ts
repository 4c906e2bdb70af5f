import type { IncomingMessage, ServerResponse } from 'node:http'
import { egressOf } from '../../src/guards/egress/egress.ts'
import { makePolicy } from '../../src/guards/policy/policy.ts'
import { nets } from '../../src/kernel/claim.ts'
import { fakeWeb, type FakeName, type FakeWeb } from '../../src/testing/fake-web.ts'
import { openWeb } from '../../src/machine/web/open-web.ts'
import type { Fetched, FetchRequest } from '../../src/machine/web/types.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface Setting {
  readonly permissions?: readonly string[]
  readonly dns?: Readonly<Record<string, FakeName>>
  readonly signal?: AbortSignal
  /** Sees the web after the fetch. */
  readonly after?: (web: FakeWeb) => void
}

export const PUBLIC = { 'a.test': ['93.184.216.34'], 'b.test': ['93.184.216.35'] }

/** Fetches from a fake web whose pages are these. */
export async function fetched(
  pages: Readonly<Record<string, Answer | string>>,
  request: FetchRequest,
  setting: Setting = {},
): Promise<Fetched> {
  await using web = await fakeWeb({
    dns: setting.dns ?? PUBLIC,
    hosts: ['a.test', 'b.test', 'inside.test', '93.184.216.34'],
    answer(url, incoming, response) {
      const page = pages[url] ?? pages['*'] ?? 'nothing here'
      if (typeof page === 'string') response.writeHead(200, { 'content-type': 'text/plain' }).end(page)
      else page(incoming, response)
    },
  })
  const egress = egressOf(makePolicy({ permissions: [...(setting.permissions ?? ['net'])] }))
  const engine = openWeb({ claims: nets(request.url), network: web.network, egress })
  try {
    return await engine.fetch({ timeoutMs: 2_000, ...request }, setting.signal ?? new AbortController().signal)
  } finally {
    setting.after?.(web)
  }
}

/** A redirect. */
export const to =
  (location: string, status = 302): Answer =>
  (_request, response) =>
    void response.writeHead(status, { location }).end()
/** A page of these bytes. */
export const sent =
  (body: Buffer | string, headers: Record<string, string | number> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(body)
