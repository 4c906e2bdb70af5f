import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answerer } from '../../src/runtime/questions.ts'
import { fakeDocumentation } from '../../src/testing/fake-documentation.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { replayed, taped, unequal } from './taped.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\ntwo\n', 'src/b.ts': 'export const b = 1\n', '.env': 'TOKEN=x\n' })
})
afterEach(() => workspace.remove())

const yes: Answerer = () => ({ answer: 'yes', by: 'ada' })
const DIFF = '--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1 +1 @@\n-export const b = 1\n+export const b = 2\n'

describe('a recording', () => {
  it('SG-24: replays reads, edits, patches, failures, refusals, approvals, dry runs and undo as they were', async () => {
    const tape = taped()
    const answers: Answerer[] = [yes, () => ({ answer: 'no', by: 'bob' }), () => ({ answer: 'always', by: 'ada' })]
    const kit = await workspace.open({ record: tape.recorder, approve: question => (answers.shift() ?? yes)(question) })
    const edit = (old: string, next: string) => ({ path: 'a.txt', edits: [{ old, new: next }] })
    await kit.run('read', { path: 'a.txt' })
    await kit.run('read', { path: 'nowhere.txt' })
    await kit.run('read', { path: '../outside' })
    await kit.run('read', { path: 'a.txt', wrong: true })
    await kit.run('nothing', {})
    await kit.run('edit', edit('one', 'uno'))
    await kit.run('edit', edit('uno', 'refused'))
    await kit.run('edit', edit('uno', 'eins'))
    await kit.run('edit', edit('eins', 'ein'))
    await kit.run('edit', edit('not there', 'x'))
    const { outcome } = await kit.run('patch', { diff: DIFF }, { dryRun: true })
    await kit.run('patch', { diff: DIFF }, { plan: outcome.meta.plan ?? '' })
    await kit.run('patch', { diff: DIFF }, { plan: 'plan-of-something-else' })
    await kit.run('patch', { diff: DIFF, reverse: true, check: true })
    await kit.run('write', { path: '.git/hooks/x', content: 'no' })
    await kit.run('undo', {})
    await kit.run('list_dir', { path: '.' }, { contract: 'cli-agent' })
    await kit.run('Read', { path: 'a.txt' }, { contract: 'sage' })
    const before = workspace.snapshot()
    const calls = await replayed(tape.text())
    expect(unequal(calls)).toEqual([])
    expect(calls.map(({ tool }) => tool)).toHaveLength(18)
    expect(tape.calls().map(({ ok }) => ok)).toContain(false)
    expect(tape.calls().filter(({ events }) => events.some(({ on }) => on === 'ask'))).not.toHaveLength(0)
    expect(workspace.snapshot()).toEqual(before)
  })

  it('replays answers of online documentation without asking anyone again', async () => {
    const page = { service: 'mdn' as const, id: 3, title: 'Array.prototype.map()', text: 'The map() method' }
    const fake = await fakeDocumentation([page])
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder, permissions: ['net'], network: fake.network })
    const { outcome } = await kit.run('docs', { query: 'array map', sources: ['mdn'] })
    expect(outcome.ok).toBe(true)
    await kit.run('docs', { query: 'nothing of this is there', sources: ['mdn', 'stackoverflow'] })
    const asked = fake.requests.length
    const calls = await replayed(tape.text())
    expect([unequal(calls), calls.length, fake.requests.length]).toEqual([[], 2, asked])
  })

  it('replays a transaction of the library, and calls that ran side by side', async () => {
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder, permissions: ['fs:write'] })
    await kit.transaction(async inside => {
      await inside.run('edit', { path: 'a.txt', edits: [{ old: 'one', new: 'uno' }] })
      await inside.run('read', { path: 'a.txt' })
      await inside.run('stage', { action: 'diff' })
    })
    await kit
      .transaction(async inside => {
        await inside.run('delete', { path: 'a.txt' })
        throw new Error('changed my mind')
      })
      .catch(() => {})
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        at % 3 === 0
          ? kit.run('write', { path: `n${at}.txt`, content: `${at}`, expect: 'absent' })
          : kit.run('read', { path: at % 3 === 1 ? 'a.txt' : 'src/b.ts' }),
      ),
    )
    const calls = await replayed(tape.text())
    expect(unequal(calls)).toEqual([])
    expect(calls).toHaveLength(18)
  })

  it('replays budgets, demands for plans, and answers that were cut', async () => {
    workspace.write('long.txt', 'a long line of text\n'.repeat(400))
    workspace.write(
      '../config/config.json',
      JSON.stringify({
        limits: { answerBytes: 1024 },
        budgets: [{ tool: 'toolwright/read', calls: 2 }],
        plans: { require: ['toolwright/delete'] },
      }),
    )
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder, permissions: ['fs:write'] })
    const cut = await kit.run('read', { path: 'long.txt' })
    expect(cut.outcome.meta.ref).toMatch(/^ref:/)
    await kit.run('read', { path: cut.outcome.meta.ref ?? '', from: 2, to: 4 })
    const spent = await kit.run('read', { path: 'a.txt' })
    expect(spent.outcome).toMatchObject({ ok: false, error: { code: 'budget_exceeded' } })
    await kit.run('delete', { path: 'a.txt' })
    await kit.run('delete', { path: 'a.txt' }, { dryRun: true })
    expect(unequal(await replayed(tape.text()))).toEqual([])
  })

  it('replays calls that their caller cancelled, before and during a question', async () => {
    const tape = taped()
    const caller = new AbortController()
    const kit = await workspace.open({
      record: tape.recorder,
      approve: () =>
        new Promise(() => {
          caller.abort()
        }),
    })
    await kit.run('read', { path: 'a.txt' }, { signal: AbortSignal.abort() })
    const { outcome } = await kit.run('delete', { path: 'a.txt' }, { signal: caller.signal })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(unequal(await replayed(tape.text()))).toEqual([])
  })

  it('says which version of a tool it was recorded with, where that is another one', async () => {
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder })
    await kit.run('read', { path: 'a.txt' })
    const [call] = await replayed(tape.text().replaceAll(/"version":"[\d.]+"/g, '"version":"0.9.0"'))
    expect(call?.difference).toBeUndefined()
    expect(call).toMatchObject({
      tool: 'toolwright/read',
      versions: { recorded: '0.9.0', now: expect.stringMatching(/^[1-9]/) },
    })
  })

  it('is not broken by an input that no file can hold', async () => {
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder })
    const knot: Record<string, unknown> = { path: 'a.txt' }
    knot['knot'] = knot
    expect((await kit.run('read', knot)).outcome.ok).toBe(false)
    expect(await replayed(tape.text())).toMatchObject([{ leftOut: expect.stringContaining('its input') }])
  })
})

describe('what was changed in a recording', () => {
  async function recordedRead(): Promise<string> {
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder, permissions: ['fs:write'] })
    await kit.run('edit', { path: 'a.txt', edits: [{ old: 'one', new: 'uno' }] })
    await kit.run('read', { path: 'a.txt' })
    return tape.text()
  }

  it.each([
    [
      'an answer',
      '"answer":{"ok":true,"data":{"path":"a.txt","content":"u',
      '"answer":{"ok":true,"data":{"path":"a.txt","content":"U',
      'answer',
    ],
    ['what an engine gave', '"bom":false,"content":"u', '"bom":false,"content":"U', 'answer'],
    ['what was asked', '"on":"text.read","args":["a', '"on":"text.read","args":["b', 'request'],
    ['what the journal got', '"startedAt":"2', '"startedAt":"3', 'record'],
    ['a rule', '"permissions":["fs:write"]', '"permissions":["fs:create"]', 'request'],
    ['a verdict', '"read":"allow"', '"read":"deny"', 'answer'],
  ])('is found: %s', async (_what, from, to, where) => {
    const text = await recordedRead()
    expect(text).toContain(from)
    const [first] = unequal(await replayed(text.replace(from, to)))
    expect(first?.difference?.where).toBe(where)
  })

  it('is found where a step is missing, and where one is too many', async () => {
    const text = await recordedRead()
    const event = '{"on":"record"}'
    const missing = await replayed(text.replace(`,${event}`, ''))
    expect(unequal(missing)[0]?.difference).toMatchObject({ where: 'request', now: { on: 'record' } })
    const doubled = await replayed(text.replace(event, `${event},${event}`))
    expect(unequal(doubled)[0]?.difference).toEqual({ where: 'request', recorded: { on: 'record' }, now: undefined })
  })
})
