import { describe, expect, it } from 'vitest'
import { ALLOWING, useServer } from './rig.ts'

const http = useServer({ 'a.txt': 'one\n' }, { config: ALLOWING })
const get = (path: string) => http.current.json('GET', path)
const post = (path: string, body: object = {}) => http.current.json('POST', path, { body })
const write = async (path: string, content: string, more: object = {}) => {
  const answer = await post('/v1/calls', { tool: 'write', input: { path, content, expect: 'absent' }, ...more })
  expect(answer).toMatchObject({ ok: true })
  return answer
}

describe('the journal', () => {
  it('is read page by page, the newest first', async () => {
    for (const name of ['b', 'c', 'd']) await write(`${name}.txt`, name)
    const first = await get('/v1/journal?type=call&limit=2')
    const second = await get(`/v1/journal?type=call&limit=2&before=${first.next}`)
    const changed = [...first.records, ...second.records].map(({ changed: paths }) => paths[0])
    expect([changed, second.next]).toEqual([['d.txt', 'c.txt', 'b.txt'], undefined])
  })

  it('is filtered as toolwright log filters it', async () => {
    await write('b.txt', 'b', { task: 'first' })
    await post('/v1/calls', { tool: 'read', input: { path: 'none.txt' } })
    const tools = async (query: string) =>
      (await get(`/v1/journal?type=call&${query}`)).records.map(({ tool }: { tool: string }) => tool)
    expect(await tools('tool=read')).toEqual(['toolwright/read'])
    expect(await tools('failed=true')).toEqual(['toolwright/read'])
    expect(await tools('task=first')).toEqual(['toolwright/write'])
    expect(await tools('path=b.txt')).toEqual(['toolwright/write'])
    expect(await tools('since=1h')).toHaveLength(2)
    expect(await http.current.request('GET', '/v1/journal?since=soon')).toMatchObject({ status: 400 })
    expect(await http.current.request('GET', '/v1/journal?limit=0')).toMatchObject({ status: 400 })
  })

  it('shows one call whole, and is verified', async () => {
    const { meta } = await write('b.txt', 'b\n'.repeat(100_000))
    const call = await get(`/v1/journal/${meta.id}`)
    expect(call).toMatchObject({ tool: 'toolwright/write', input: { content: 'b\n'.repeat(100_000) } })
    expect(await get('/v1/journal/verify')).toMatchObject({ ok: true, payloads: { ok: true } })
    expect(await http.current.request('GET', '/v1/journal/none')).toMatchObject({ status: 404 })
  })

  it('is counted', async () => {
    await write('b.txt', 'b')
    expect(await get('/v1/metrics')).toMatchObject({ total: { calls: 1, changed: 1 } })
  })
})

describe('commits', () => {
  it('are listed and undone', async () => {
    const { meta } = await write('b.txt', 'b')
    expect(await get('/v1/commits')).toMatchObject({ total: 1, commits: [{ id: meta.undo, paths: ['b.txt'] }] })
    expect(await post(`/v1/commits/${meta.undo}/undo`)).toMatchObject({ ok: true, data: { undone: meta.undo } })
    expect(http.current.workspace.snapshot()).not.toHaveProperty('b.txt')
    const { commits } = await get('/v1/commits')
    expect(commits[1]).toMatchObject({ id: meta.undo, undoneBy: commits[0].id })
  })

  it('of a task are undone together', async () => {
    await write('b.txt', 'b', { task: 'mine' })
    await write('c.txt', 'c', { task: 'other' })
    await write('d.txt', 'd', { component: 'mine' })
    const { answers, left } = await post('/v1/tasks/mine/undo')
    expect([answers.length, left]).toEqual([2, []])
    expect(Object.keys(http.current.workspace.snapshot())).toEqual(['a.txt', 'c.txt'])
    expect(await post('/v1/tasks/mine/undo')).toEqual({
      answers: [],
      left: [],
      commits: [],
      paths: [],
      changedSince: [],
    })
  })
})

describe('transactions', () => {
  it('stage the calls that name them, and land as a whole', async () => {
    const { data } = await post('/v1/transactions')
    const { transaction } = data
    await write('b.txt', 'b', { transaction })
    await write('c.txt', 'c', { transaction })
    await write('d.txt', 'd')
    expect(Object.keys(http.current.workspace.snapshot())).toEqual(['a.txt', 'd.txt'])
    expect(await get('/v1/transactions')).toMatchObject({
      transactions: [{ id: transaction, paths: ['b.txt', 'c.txt'] }],
    })
    expect(await get(`/v1/transactions/${transaction}`)).toMatchObject({
      data: { total: 2, diff: expect.stringMatching(/b\.txt/) },
    })
    expect(await post(`/v1/transactions/${transaction}/validate`)).toMatchObject({ ok: true })
    expect(await post(`/v1/transactions/${transaction}/commit`)).toMatchObject({ ok: true })
    expect(Object.keys(http.current.workspace.snapshot())).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt'])
    expect(await get('/v1/transactions')).toEqual({ transactions: [] })
  })

  it('land in part, as a person chose from what a dry run showed', async () => {
    const { data } = await post('/v1/transactions')
    const at = `/v1/transactions/${data.transaction}`
    for (const name of ['b', 'c', 'd']) await write(`${name}.txt`, name, { transaction: data.transaction })
    const dry = await post(`${at}/commit`, { dryRun: true })
    expect(dry).toMatchObject({ ok: true, meta: { diff: expect.stringMatching(/c\.txt/), plan: expect.any(String) } })
    const { plan } = dry.meta
    const refused = async (body: object, token = http.current.token) =>
      (await http.current.request('POST', `${at}/commit`, { body, token })).status
    expect(await refused({ hunks: [1] })).toBe(400)
    expect(await refused({ hunks: [1], plan }, http.current.client('read', 'call'))).toBe(403)
    for (const body of [
      { hunks: [1], plan: 'plan-0' },
      { hunks: [1, 4], plan },
    ])
      expect(await post(`${at}/commit`, body)).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(Object.keys(http.current.workspace.snapshot())).toEqual(['a.txt'])
    const { ok, meta } = await post(`${at}/commit`, { hunks: [1, 3], plan })
    expect([ok, meta.warnings]).toEqual([true, [expect.stringContaining('Not landed: c.txt')]])
    expect(Object.keys(http.current.workspace.snapshot())).toEqual(['a.txt', 'b.txt', 'd.txt'])
    expect(await get('/v1/transactions')).toEqual({ transactions: [] })
  })

  it('are dropped by a rollback, and there is no other', async () => {
    const { data } = await post('/v1/transactions')
    await write('b.txt', 'b', { transaction: data.transaction })
    expect(await post(`/v1/transactions/${data.transaction}/rollback`)).toMatchObject({ ok: true })
    expect(Object.keys(http.current.workspace.snapshot())).toEqual(['a.txt'])
    const again = await http.current.request('POST', `/v1/transactions/${data.transaction}/commit`)
    expect(again.status).toBe(404)
  })
})

describe('the policy', () => {
  it('says what would be decided, and changes with a diff', async () => {
    const check = (command: string) => post('/v1/policy/check', { command })
    expect(await check('git push')).toMatchObject({ verdict: 'allow' })
    const dry = await post('/v1/policy/rules', { deny: ['exec:git push'], dryRun: true })
    expect(dry).toMatchObject({ dryRun: true, diff: expect.stringMatching(/^\+\{"deny":"exec:git push"/) })
    expect(await check('git push')).toMatchObject({ verdict: 'allow' })
    const { rules } = await post('/v1/policy/rules', { deny: ['exec:git push'] })
    expect(await check('git push origin')).toMatchObject({ verdict: 'deny' })
    expect(await get('/v1/policy')).toMatchObject({ denials: [{ id: rules[0].id, deny: 'exec:git push' }] })
    const removed = await http.current.json('DELETE', `/v1/policy/rules/${rules[0].id}`)
    expect(removed).toMatchObject({ rules: [], diff: expect.stringMatching(/^-\{/) })
    expect((await get('/v1/policy')).denials).toEqual([])
    const changes = (await get('/v1/journal?type=rule')).records
    expect(changes).toMatchObject([{ change: 'removed', by: expect.stringMatching(/\(http\)$/) }, { change: 'added' }])
  })

  it('remembers an answer, switches it off and on, and judges a call', async () => {
    const { rules } = await post('/v1/policy/rules', { tool: 'write', path: ['src/**'], why: 'mine' })
    expect(rules[0]).toMatchObject({ tool: 'toolwright/write', why: 'mine', enabled: true })
    const { id } = rules[0]
    expect(await post(`/v1/policy/rules/${id}/disable`)).toMatchObject({ rules: [{ enabled: false }] })
    expect((await get('/v1/policy')).answers).toMatchObject([{ id, enabled: false }])
    expect(await post(`/v1/policy/rules/${id}/enable`)).toMatchObject({ rules: [{ enabled: true }] })
    const call = { tool: 'read', input: { path: 'a.txt' } }
    expect(await post('/v1/policy/check', { call })).toMatchObject({ verdict: 'allow' })
    expect(await http.current.request('POST', '/v1/policy/check', { body: {} })).toMatchObject({ status: 400 })
  })
})

describe('facts of the workspace', () => {
  it('are its name, tools, plan, index, doctor and budgets', async () => {
    expect(await get('/v1/workspaces')).toEqual({
      workspaces: [{ name: 'workspace', root: http.current.workspace.path }],
    })
    const { tools } = await get('/v1/tools?contract=sage')
    expect(tools.map(({ name }: { name: string }) => name)).toContain('Read')
    const items = [{ content: 'Do', activeForm: 'Doing', status: 'in_progress' }]
    expect(await post('/v1/plan', { items })).toMatchObject({ ok: true })
    expect(await get('/v1/plan')).toMatchObject({ data: { items } })
    expect(await get('/v1/index')).toMatchObject({ ok: true, data: { total: 1 } })
    const { findings } = await get('/v1/doctor')
    expect(findings.map(({ about }: { about: string }) => about)).toEqual(expect.arrayContaining(['Paths', 'Journal']))
    expect(await http.current.request('GET', '/v1/tools?workspace=other')).toMatchObject({ status: 404 })
  })
})

describe('budgets', () => {
  const limited = useServer({ 'a.txt': 'one\n' }, { config: { budgets: [{ tool: 'toolwright/read', calls: 1 }] } })

  it('are read and reset by task', async () => {
    const read = () =>
      limited.current.json('POST', '/v1/calls', { body: { tool: 'read', input: { path: 'a.txt' }, task: 'mine' } })
    expect([(await read()).ok, (await read()).error?.code]).toEqual([true, 'budget_exceeded'])
    expect((await limited.current.json('GET', '/v1/budgets')).spent).toMatchObject([{ task: 'mine', calls: 1 }])
    const { returned } = await limited.current.json('POST', '/v1/budgets/mine/reset')
    expect(returned).toMatchObject([{ task: 'mine', calls: 1 }])
    expect(await read()).toMatchObject({ ok: true })
  })
})
