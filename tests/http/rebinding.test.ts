// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { needs } from '../needs.ts'
import { ALLOWING, serveTest, type ServedTest } from './rig.ts'

const EVIL = 'evil.example'
/** Chromium would ask the user about pages that call this machine; the server must not rest on that. */
const BROWSER_GUARDS = [
  'LocalNetworkAccessChecks',
  'BlockInsecurePrivateNetworkRequests',
  'PrivateNetworkAccessSendPreflights',
]

const it = needs('chromium')

let http: ServedTest
let browser: Browser
beforeAll(async () => {
  http = await serveTest({ 'a.txt': 'one\n' }, { config: ALLOWING })
  // The attacker's name leads to this machine, as after a change of its DNS record.
  browser = await launchChromium(
    `--host-resolver-rules=MAP ${EVIL} 127.0.0.1`,
    `--disable-features=${BROWSER_GUARDS.join(',')}`,
  )
})
afterAll(async () => {
  await browser.close()
  await http.stop()
})

interface Sent {
  readonly path: string
  readonly method: string
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
}

const state = () => [http.kit.workspace.journal.head(), http.workspace.snapshot()]

/** A page of the attacker, which came from their own server before the name was changed. */
async function evilPage(html: string): Promise<{ readonly page: Page; readonly statuses: readonly number[] }> {
  const page = await (await browser.newContext()).newPage()
  const address = `http://${EVIL}:${http.server.port}/attack`
  await page.route(address, route => route.fulfill({ contentType: 'text/html', body: html }))
  const statuses: number[] = []
  await page.goto(address)
  page.on('response', response => statuses.push(response.status()))
  return { page, statuses }
}

const sending = (page: Page, sent: Sent, base = ''): Promise<number | string> =>
  page.evaluate(
    ([{ path, ...init }, origin]) =>
      fetch(origin + path, init).then(
        response => response.status,
        error => String(error),
      ),
    [sent, base] as const,
  )

const writing = JSON.stringify({ tool: 'write', input: { path: 'evil.txt', content: 'x', expect: 'absent' } })

/** What a page would try, with the person's token too, should it have come by it. */
const tries = (token: string): readonly Sent[] =>
  [{}, { authorization: `Bearer ${token}` }].flatMap(more => {
    const headers = { 'content-type': 'application/json', ...more }
    return [
      { path: '/v1/calls', method: 'POST', body: writing, headers },
      { path: '/v1/policy/rules', method: 'POST', body: '{"deny":["exec:ls"]}', headers },
      { path: '/v1/sessions', method: 'POST', body: '{"code":"guess"}', headers },
      { path: '/v1/approvals', method: 'GET', headers: more },
      { path: '/v1/journal', method: 'GET', headers: more },
      { path: '/', method: 'GET', headers: more },
    ]
  })

describe('a page whose name was made to lead to this machine', () => {
  it('is refused on every way, and nothing is done', async () => {
    const before = state()
    const { page } = await evilPage('<p>hello')
    for (const sent of tries(http.token)) expect([sent.path, await sending(page, sent)]).toEqual([sent.path, 421])
    const events = page.evaluate(
      () =>
        new Promise<string>(resolve =>
          Object.assign(new EventSource('/v1/events'), {
            onerror: () => resolve('refused'),
            onopen: () => resolve('open'),
          }),
        ),
    )
    expect(await events).toBe('refused')
    expect(state()).toEqual(before)
  })
})

describe('a page of another site', () => {
  it('is refused where the browser lets it send at all', async () => {
    const before = state()
    for (const host of ['127.0.0.1', 'localhost']) {
      const { page, statuses } = await evilPage('<p>hello')
      const base = `http://${host}:${http.server.port}`
      for (const sent of tries(http.token)) expect(await sending(page, sent, base)).toMatch(/Failed to fetch/)
      // Simple requests, which are sent without asking first.
      await page.evaluate(
        ([url, body]) => fetch(`${url}/v1/calls`, { method: 'POST', mode: 'no-cors', body, credentials: 'include' }),
        [base, writing] as const,
      )
      await page.evaluate(url => fetch(`${url}/v1/journal`, { mode: 'no-cors', credentials: 'include' }), base)
      await expect.poll(() => statuses.filter(status => status === 403).length).toBeGreaterThanOrEqual(2)
      expect(statuses.filter(status => status < 400)).toEqual([])
    }
    expect(state()).toEqual(before)
  })

  it('neither posts a form, nor frames the page, nor runs its answers as scripts', async () => {
    const before = state()
    const base = `http://127.0.0.1:${http.server.port}`
    const { page } = await evilPage(
      `<form action="${base}/v1/calls" method="post" enctype="text/plain"><input name='${writing.slice(0, -1)},"x":"' value='"}'></form>` +
        `<iframe src="${base}/"></iframe><script src="${base}/v1/tools"></script>`,
    )
    const frame = page.frames().find(each => each !== page.mainFrame())
    expect(await frame?.content()).not.toMatch(/page\.js/)
    const posted = page.waitForResponse(response => response.url() === `${base}/v1/calls`)
    await page.evaluate('document.forms[0].submit()')
    expect((await posted).status()).toBe(403)
    expect(state()).toEqual(before)
  })
})

describe('the same requests from a page of this server', () => {
  it('are carried out with a token', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`http://127.0.0.1:${http.server.port}/reference`)
    const [write, , , list] = tries(http.token).slice(-6)
    for (const sent of [write, list]) expect(sent && (await sending(page, sent))).toBe(200)
    expect(http.workspace.read('evil.txt')).toBe('x')
  })
})
