import { describe, expect, it } from 'vitest'
import type { PendingQuestion } from '../../src/kernel/pending-approval.ts'
import { createPageSessions } from '../../src/surfaces/http/page-sessions.ts'
import { ROUTES } from '../../src/surfaces/http/routes/table.ts'
import { useServer } from './rig.ts'

const http = useServer({ 'a.txt': 'one\n' })

const get = (path: string) => http.current.request('GET', path, { token: '' })

const PAGES = ['/', '/inbox', '/inbox/some-id', '/timeline', '/changes/x?y=z', '/mark.svg', '/reference'] as const

describe('the console', () => {
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

  it('has assets whose names change with their content, and only those', async () => {
    const assets = [...(await (await get('/')).text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(assets.map(path => path.replace(/-[\w-]{8}\./, '-HASH.'))).toEqual([
      '/assets/console-HASH.css',
      '/assets/console-HASH.js',
    ])
    for (const path of assets) {
      const response = await get(path)
      expect(response.headers.get('cache-control')).toContain('immutable')
      // The names of namespaces are no addresses that anything is loaded from.
      expect((await response.text()).replaceAll('http://www.w3.org/', '')).not.toMatch(/https?:\/\/\w/)
    }
    expect((await get('/assets/../index.html')).status).toBe(404)
    expect((await get('/nowhere')).status).toBe(404)
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
    const [pages, others] = [createPageSessions({ now: () => now }), createPageSessions({ now: () => now })]
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

describe('a call over HTTP that policy asks about', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('')
  const waiting = useServer({ 'a.txt': lines }, { approvalMs: 60_000 })
  const call = (input: object) =>
    waiting.current.json('POST', '/v1/calls', {
      token: waiting.current.client('call', 'read'),
      body: { tool: 'edit', input },
    })
  const asked = async () => {
    const list = () => waiting.current.json('GET', '/v1/approvals')
    await expect.poll(async () => (await list()).approvals.length).toBe(1)
    return (await list()).approvals[0]
  }
  const answer = (id: string, body: object) => waiting.current.request('POST', `/v1/approvals/${id}`, { body })
  const edits = (...words: readonly string[]) => ({
    path: 'a.txt',
    edits: words.map(word => ({ old: `${word}\n`, new: `${word.toUpperCase()}\n` })),
  })

  it('waits for a yes, and then lands what was shown', async () => {
    const made = call(edits('line 2'))
    const { id, digest, asker, changes } = await asked()
    expect([asker.client, asker.tool, changes[0].path]).toEqual(['client-1 (http token)', 'edit', 'a.txt'])
    expect(waiting.current.workspace.read('a.txt')).toBe(lines)
    expect((await answer(id, { answer: 'yes', digest })).status).toBe(200)
    expect(await made).toMatchObject({ ok: true })
    expect(waiting.current.workspace.read('a.txt')).toBe(lines.replace('line 2\n', 'LINE 2\n'))
  })

  it('lands two of three hunks, and not the refused one', async () => {
    const made = call(edits('line 2', 'line 15', 'line 28'))
    const { id, digest, changes } = await asked()
    expect(changes[0].hunks).toHaveLength(3)
    expect((await answer(id, { answer: 'yes', digest, hunks: [1, 3] })).status).toBe(200)
    expect(await made).toMatchObject({ ok: true })
    expect(waiting.current.workspace.read('a.txt')).toBe(
      lines.replace('line 2\n', 'LINE 2\n').replace('line 28', 'LINE 28'),
    )
  })

  it('tells the model why it was refused', async () => {
    const made = call(edits('line 2'))
    const { id, digest } = await asked()
    await answer(id, { answer: 'no', digest, reason: 'use the other file' })
    const { ok, error } = await made
    expect([ok, error.code]).toEqual([false, 'rejected'])
    expect(JSON.stringify(error)).toContain('use the other file')
    expect(waiting.current.workspace.read('a.txt')).toBe(lines)
  })

  it('is withdrawn if its client leaves', async () => {
    const leaving = new AbortController()
    const body = { tool: 'edit', input: edits('line 2') }
    const sent = waiting.current.request('POST', '/v1/calls', { body, signal: leaving.signal })
    const left = sent.catch((error: unknown) => String(error))
    const { id } = await asked()
    leaving.abort()
    expect(await left).toMatch(/abort/i)
    const state = async () => (await waiting.current.json('GET', `/v1/approvals/${id}`)).state
    await expect.poll(state).toBe('withdrawn')
    expect(waiting.current.workspace.read('a.txt')).toBe(lines)
  })
})
