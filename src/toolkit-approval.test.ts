import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readJournal } from './machine/journal/read.ts'
import type { Outcome } from './kernel/outcome.ts'
import type { Answerer } from './runtime/questions.ts'
import { fakePerson, fakeSecrets } from './testing/fakes.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from './testing/temporary-workspace.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'src/a.ts': 'one\n', 'src/b.ts': 'two\n', 'doc/c.md': 'three\n' })
})
afterEach(() => workspace.remove())

const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code)
const edit = (path: string, old: string, next: string) => ({ path, edits: [{ old, new: next }] })
const configure = (config: object) => {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(config))
}
const DAY = 86_400_000

describe('approval', () => {
  it('CA-14: shows tool, parameters, files, risk, the reason and the real diff', async () => {
    const person = fakePerson('yes')
    const kit = await workspace.open({ approve: person })
    await kit.call('edit', edit('src/a.ts', 'one', 'eins'))
    expect(person.asked).toMatchObject([
      {
        card: {
          tool: 'toolwright/edit',
          input: { path: 'src/a.ts' },
          risk: 'dangerous',
          why: expect.stringContaining('write src/a.ts'),
          proposal: expect.stringContaining('src/*.ts'),
          changes: [{ path: 'src/a.ts', kind: 'change' }],
        },
        diffs: [expect.stringContaining('-one\n+eins')],
      },
    ])
    expect(workspace.read('src/a.ts')).toBe('eins\n')
  })

  it('remembers always with who, when, scope and expiry, and uses it for calls like this one only', async () => {
    configure({ approvals: { expireDays: 7 } })
    const person = fakePerson('always', 'no')
    const kit = await workspace.open({ approve: person })
    await kit.call('edit', edit('src/a.ts', 'one', 'eins'))
    const before = Date.now()
    const [kept] = kit.workspace.approvals.workspace.list()
    expect(kept).toMatchObject({ tool: 'toolwright/edit', scope: 'workspace', by: 'a fake person', enabled: true })
    const expires = Date.parse(kept?.expiresAt ?? '') - before
    expect(expires).toBeGreaterThan(6.9 * DAY)
    expect(expires).toBeLessThanOrEqual(7 * DAY)

    const later = await workspace.open({ approve: person })
    expect(codeOf((await later.run('edit', edit('src/b.ts', 'two', 'zwei'))).outcome)).toBe('ok')
    expect(person.asked).toHaveLength(1)
    expect(later.workspace.approvals.workspace.list()[0]?.lastUsed).toBeDefined()
    expect([...readJournal(later.state.journal)].at(-1)).toMatchObject({
      approval: { answer: 'rule', by: 'a fake person', rule: kept?.id },
    })
    expect(codeOf((await later.run('edit', edit('doc/c.md', 'three', 'drei'))).outcome)).toBe('rejected')
    expect(codeOf((await later.run('delete', { path: 'src/a.ts' })).outcome)).toBe('rejected')
    expect(person.asked).toHaveLength(3)
  })

  it.each([
    ['session', 'ok', 'rejected'],
    ['task', 'ok', 'ok'],
    ['user', 'ok', 'ok'],
  ] as const)('an always of scope %s reaches as far as it says', async (scope, sameSession, otherSession) => {
    const always: Answerer = () => ({ answer: 'always', by: 'me', scope })
    const kit = await workspace.open({ task: 'one' })
    const leave = kit.questions.attach(always)
    await kit.call('edit', edit('src/a.ts', 'one', '1'))
    leave()
    expect(codeOf((await kit.run('edit', edit('src/a.ts', '1', '2'))).outcome)).toBe(sameSession)
    const other = kit.session({ task: 'one' })
    expect(codeOf((await other.run('edit', edit('src/b.ts', 'two', '3'))).outcome)).toBe(otherSession)
    const elsewhere = kit.session({ task: 'two' })
    const code = codeOf(
      (await elsewhere.run('edit', edit('src/b.ts', otherSession === 'ok' ? '3' : 'two', '4'))).outcome,
    )
    expect(code).toBe(scope === 'user' ? 'ok' : 'rejected')
  })

  it('an expired or switched-off answer counts no more', async () => {
    const kit = await workspace.open()
    const approving = (forMs: number) =>
      kit.session({ approve: () => ({ answer: 'always', by: 'me', expiresAt: Date.now() + forMs }) })
    await approving(1).call('edit', edit('src/a.ts', 'one', '1'))
    await pause(2)
    const alone = kit.session()
    expect(codeOf((await alone.run('edit', edit('src/a.ts', '1', '2'))).outcome)).toBe('rejected')
    await approving(3_600_000).call('edit', edit('src/a.ts', '1', '2'))
    expect(codeOf((await alone.run('edit', edit('src/a.ts', '2', '3'))).outcome)).toBe('ok')
    for (const { id } of kit.workspace.approvals.workspace.list())
      kit.workspace.approvals.workspace.setEnabled(id, false)
    expect(codeOf((await kit.session().run('edit', edit('src/a.ts', '3', '4'))).outcome)).toBe('rejected')
  })

  it('takes nothing but a clear yes for one', async () => {
    const answers: unknown[] = [
      undefined,
      null,
      'yes',
      true,
      {},
      { answer: 'Yes', by: 'me' },
      { answer: 'y', by: 'me' },
      { answer: 'yes' },
      { answer: 'yes', by: '' },
      { answer: 'always', by: 'me', scope: 'galaxy' },
      { answer: 'always', by: 'me', expiresAt: Number.NaN },
      { answer: ['yes'], by: 'me' },
    ]
    const kit = await workspace.open()
    for (const answer of answers) {
      const leave = kit.questions.attach(() => JSON.parse(JSON.stringify(answer) ?? '0'))
      const { outcome } = await kit.run('edit', edit('src/a.ts', 'one', 'eins'))
      expect([answer, codeOf(outcome)]).toEqual([answer, 'rejected'])
      leave()
    }
    expect(workspace.read('src/a.ts')).toBe('one\n')
    expect(kit.workspace.approvals.workspace.list()).toEqual([])
  })

  it('runs what was shown, whatever the answerer does to the card', async () => {
    const kit = await workspace.open({
      approve({ card }) {
        const input: object = Object(card.input)
        expect(() => Object.assign(input, { path: 'src/b.ts' })).toThrow(TypeError)
        expect(() => Object.assign(Object(card.claims[0]), { resource: '**' })).toThrow(TypeError)
        expect(() => Array.prototype.push.call(card.claims, { action: 'write', resource: '**' })).toThrow(TypeError)
        Reflect.set(card, 'input', { path: 'src/b.ts' })
        Reflect.set(card.changes, 'length', 0)
        return { answer: 'yes', by: 'a meddler' }
      },
    })
    expect(codeOf((await kit.run('edit', edit('src/a.ts', 'one', 'eins'))).outcome)).toBe('ok')
    expect([workspace.read('src/a.ts'), workspace.read('src/b.ts')]).toEqual(['eins\n', 'two\n'])
  })

  it('is a conflict where the file changed while the person was looking', async () => {
    const kit = await workspace.open({
      approve() {
        workspace.write('src/a.ts', 'one\nand more\n')
        return { answer: 'yes', by: 'me' }
      },
    })
    const { outcome } = await kit.run('edit', edit('src/a.ts', 'one', 'eins'))
    expect(codeOf(outcome)).toBe('conflict')
    expect(workspace.read('src/a.ts')).toBe('one\nand more\n')
  })

  it('asks nobody about what is denied', async () => {
    const person = fakePerson('yes')
    configure({ policy: { rules: [{ action: 'write', path: 'src/**', verdict: 'deny', why: 'generated' }] } })
    const kit = await workspace.open({ approve: person, permissions: ['fs:write'] })
    const { outcome } = await kit.run('edit', edit('src/a.ts', 'one', 'eins'))
    expect(outcome).toMatchObject({ error: { code: 'denied', message: expect.stringContaining('generated') } })
    expect(codeOf((await kit.run('write', { path: '.git/config', content: 'x' })).outcome)).toBe('denied')
    expect(person.asked).toEqual([])
  })

  it('asks every time about what configures agents, editors and shells, and remembers nothing of it', async () => {
    const person = fakePerson('always')
    const kit = await workspace.open({ approve: person, permissions: ['fs:write'] })
    for (const at of [1, 2])
      expect(codeOf((await kit.run('write', { path: '.vscode/tasks.json', content: `${at}` })).outcome)).toBe('ok')
    expect(person.asked).toHaveLength(2)
    expect(person.asked[0]?.card.proposal).toBeUndefined()
    expect(kit.workspace.approvals.workspace.list()).toEqual([])
  })

  it('says what to grant where nobody is there to ask', async () => {
    const kit = await workspace.open()
    const { outcome } = await kit.run('edit', edit('src/a.ts', 'one', 'eins'))
    expect(outcome).toMatchObject({
      error: {
        code: 'rejected',
        hint: expect.stringContaining('fs:write:src/a.ts'),
        details: { permission: 'fs:write:src/a.ts' },
      },
    })
  })
})

describe('secrets', () => {
  const TOKEN = 'tok-7f3a9c51e2d84b60'
  const secrets = fakeSecrets({ TOKEN })

  it('are filled in just before the tool runs, and shown nowhere', async () => {
    const seen: object[] = []
    const person = fakePerson('yes')
    const kit = await workspace.open({ secrets, approve: person, onRecord: record => seen.push(record) })
    const { answer } = await kit.run('write', { path: 'conf.txt', content: 'key=$ENV.TOKEN\n' })
    expect(answer).toMatchObject({ ok: true })
    expect(workspace.read('conf.txt')).toBe(`key=${TOKEN}\n`)
    const read = await kit.call('read', { path: 'conf.txt' })
    expect(read).toMatchObject({ data: { content: 'key=[redacted:TOKEN]\n' } })
    await kit.call('write', { path: `x/${TOKEN}.txt`, content: `again ${TOKEN}` })
    await kit.call('edit', edit('conf.txt', `nothing like ${TOKEN}`, 'x'))
    const card = person.asked[0]
    const shown = JSON.stringify([answer, read, seen, card?.card.input, card?.diffs])
    expect(shown).toContain('key=$ENV.TOKEN')
    expect(shown).not.toContain(TOKEN)
    expect(JSON.stringify([...readJournal(kit.state.journal)])).not.toContain(TOKEN)
  })

  it('name the key that is unknown, and nothing happens', async () => {
    const kit = await workspace.open({ secrets, permissions: ['fs:write', 'secret:*'] })
    const { outcome } = await kit.run('write', { path: 'conf.txt', content: '$ENV.TOKEN $ENV.MISSING' })
    expect(outcome).toMatchObject({
      error: {
        code: 'unknown_secret',
        message: expect.stringContaining("'MISSING'"),
        hint: expect.stringContaining('MISSING'),
      },
    })
    expect(Object.keys(workspace.snapshot())).not.toContain('conf.txt')
  })

  it('need a permission of their own', async () => {
    const kit = await workspace.open({ secrets, permissions: ['fs:write'] })
    const { outcome } = await kit.run('write', { path: 'conf.txt', content: '$ENV.TOKEN' })
    expect(outcome).toMatchObject({ error: { code: 'rejected', hint: expect.stringContaining('secret:TOKEN') } })
  })

  it('are literal text without a provider, and after a backslash', async () => {
    const kit = await workspace.open({ permissions: ['fs:write'] })
    await kit.call('write', { path: 'a.txt', content: '$ENV.TOKEN' })
    expect(workspace.read('a.txt')).toBe('$ENV.TOKEN')
  })

  it('stay hidden after the provider has changed them', async () => {
    let current = 'first-value-1234567890'
    const kit = await workspace.open({
      secrets: { get: async key => (key === 'TOKEN' ? current : undefined) },
      permissions: ['fs:write', 'secret:*'],
    })
    await kit.call('write', { path: 'old.txt', content: '$ENV.TOKEN' })
    current = 'second-value-0987654321'
    await kit.call('write', { path: 'new.txt', content: '$ENV.TOKEN' })
    const both = JSON.stringify([
      await kit.call('read', { path: 'old.txt' }),
      await kit.call('read', { path: 'new.txt' }),
    ])
    expect(both).not.toMatch(/first-value|second-value/)
  })
})
