import { describe, expect, it } from 'vitest'
import type { PendingQuestion } from '../../src/kernel/pending-approval.ts'
import { createPageSessions } from '../../src/surfaces/http/page-sessions.ts'
import { ROUTES } from '../../src/surfaces/http/routes/table.ts'
import { useServer } from './rig.ts'

const http = useServer({ 'a.txt': 'one\n' })

const get = (path: string) => http.current.request('GET', path, { token: '' })

const PAGES = ['/', '/page.js', '/page.css', '/mark.svg', '/reference'] as const

describe('the page', () => {
  it.each(PAGES)('has %s for everyone, with a policy that loads nothing from elsewhere', async path => {
    const response = await get(path)
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const text = (await response.text()).replaceAll('http://www.w3.org/2000/svg', '')
    expect(text).not.toMatch(/https?:\/\/|<script>|style=| on\w+=/)
  })

  it('tells nothing of the workspace without a token', async () => {
    for (const path of PAGES) expect(await (await get(path)).text()).not.toContain(http.current.workspace.path)
  })

  it('lists every route in its reference', async () => {
    const text = await (await get('/reference')).text()
    for (const { method, path } of ROUTES) expect(text).toContain(`${method} ${path}`)
  })

  it('is opened by a link once, with a token that does all', async () => {
    const code = new URL(http.current.server.newLink()).hash.replace('#once=', '')
    const open = () => http.current.request('POST', '/v1/sessions', { token: '', body: { code } })
    const { token } = Object(await (await open()).json())
    expect((await http.current.request('GET', '/v1/tools', { token })).status).toBe(200)
    expect((await open()).status).toBe(403)
    const link = await http.current.json('POST', '/v1/links', { token, body: {} })
    expect(link.path).toMatch(/^\/#once=[\w-]{32}$/)
  })

  it('is not opened by a link of another server, or one that is too old', () => {
    let now = 0
    const [pages, others] = [createPageSessions(() => now), createPageSessions(() => now)]
    const [late, early, first] = [pages.newCode(), pages.newCode(), pages.newCode()]
    expect(others.open(early)).toBeUndefined()
    const opened = pages.open(first)
    now = 11 * 60_000
    expect(pages.open(late)).toBeUndefined()
    expect(pages.callerOf(opened?.token ?? '')).toMatchObject({ scopes: ['read', 'call', 'approve'] })
    now = 13 * 3_600_000
    expect(pages.callerOf(opened?.token ?? '')).toBeUndefined()
  })
})

const question: PendingQuestion = {
  digest: 'd1',
  asker: { client: 'codex', session: 's', task: 'default', contract: 'toolwright', tool: 'write', call: 'c' },
  why: 'no rule',
  risk: 'dangerous',
  input: { path: 'a.txt' },
  claims: [{ action: 'write', resource: 'a.txt' }],
  changes: [],
}

describe('approvals', () => {
  it('are listed, answered once, and say who answered', async () => {
    const pending = await http.current.kit.workspace.pending()
    const { id } = pending.ask(question)
    expect(await http.current.json('GET', '/v1/approvals')).toMatchObject({ approvals: [{ id, digest: 'd1' }] })
    const answer = (body: object) => http.current.request('POST', `/v1/approvals/${id}`, { body })
    expect((await answer({ answer: 'yes', digest: 'other' })).status).toBe(409)
    expect((await answer({ answer: 'yes' })).status).toBe(400)
    expect((await answer({ answer: 'yes', digest: 'd1', by: 'root' })).status).toBe(400)
    const settled = pending.wait(id)
    expect((await answer({ answer: 'no', digest: 'd1', reason: 'not now' })).status).toBe(200)
    expect(await settled).toMatchObject({ state: 'answered', answer: { answer: 'no', reason: 'not now' } })
    expect((await answer({ answer: 'yes', digest: 'd1' })).status).toBe(409)
    const found = await http.current.json('GET', `/v1/approvals/${id}`)
    expect(found.answer.by).toMatch(/ \(http\)$/)
    expect((await http.current.request('GET', '/v1/approvals/none')).status).toBe(404)
  })

  it('are not answered by a token that may only look and call', async () => {
    const pending = await http.current.kit.workspace.pending()
    const { id } = pending.ask(question)
    const token = http.current.client('read', 'call')
    const body = { answer: 'yes', digest: 'd1' }
    expect((await http.current.request('POST', `/v1/approvals/${id}`, { token, body })).status).toBe(403)
    expect(pending.get(id)?.state).toBe('open')
  })
})
