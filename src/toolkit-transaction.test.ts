// oxlint-disable vitest/no-standalone-expect -- some tests are given by `needs`, which the rule does not see
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readJournal } from './machine/journal/read.ts'
import { isCall } from './machine/journal/record.ts'
import type { Outcome } from './kernel/outcome.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from './testing/temporary-workspace.ts'
import { needs } from '../tests/needs.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'src/a.ts': 'one\n', 'src/b.ts': 'two\n' })
})
afterEach(() => workspace.remove())

const WRITE = { permissions: ['fs:read', 'fs:write'] }
const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code)
const configure = (config: object) => {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(config))
}
const validator = (script: string) => ({
  validators: [{ name: 'check', command: ['/bin/sh', '-c', script], timeoutMs: 60_000 }],
})
const edit = (path: string, old: string, next: string) => ({ path, edits: [{ old, new: next }] })
const waiting = () => readdirSync(join(workspace.base, 'state'), { recursive: true, encoding: 'utf8' })
const stagedLeft = () => waiting().filter(name => name.includes('transactions/'))

describe('transaction(work)', () => {
  it('lands all changes together, with one id to undo them', async () => {
    const kit = await workspace.open(WRITE)
    const before = workspace.snapshot()
    const result = await kit.transaction(async session => {
      const { outcome } = await session.run('edit', edit('src/a.ts', 'one', 'eins'))
      expect(outcome.meta).toMatchObject({ transaction: expect.any(String), changed: ['src/a.ts'] })
      expect(outcome.meta.undo).toBeUndefined()
      const second = await session.run('write', { path: 'src/c.ts', content: 'new\n', expect: 'absent' })
      expect(second.outcome.meta.changed).toEqual(['src/c.ts'])
      expect(await session.call('read', { path: 'src/a.ts' })).toMatchObject({ data: { content: 'eins\n' } })
      expect(workspace.snapshot()).toEqual(before)
      return 'done'
    })
    expect(result).toBe('done')
    expect([workspace.read('src/a.ts'), workspace.read('src/c.ts')]).toEqual(['eins\n', 'new\n'])
    expect(kit.commits()).toMatchObject([{ paths: ['src/a.ts', 'src/c.ts'] }])
    await kit.call('undo', {})
    expect(workspace.snapshot()).toEqual(before)
    expect(stagedLeft()).toEqual([])
  })

  it('leaves nothing behind where the work throws', async () => {
    const kit = await workspace.open(WRITE)
    const before = workspace.snapshot()
    await expect(
      kit.transaction(async session => {
        await session.call('delete', { path: 'src/a.ts' })
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(workspace.snapshot()).toEqual(before)
    expect(stagedLeft()).toEqual([])
    expect(await kit.call('read', { path: 'src/a.ts' })).toMatchObject({ ok: true })
  })

  needs('bubblewrap')(
    'SG-23: rolls back where a validator fails on the staged tree, and names it with its output',
    async () => {
      configure(validator('if grep -q eins src/a.ts; then echo "src/a.ts: no German"; exit 1; fi'))
      const kit = await workspace.open(WRITE)
      const before = workspace.snapshot()
      const failed = kit.transaction(session => session.call('edit', edit('src/a.ts', 'one', 'eins')))
      await expect(failed).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining("'check'"),
        details: { validators: [{ name: 'check', passed: false, output: 'src/a.ts: no German\n' }] },
      })
      expect(workspace.snapshot()).toEqual(before)
      expect(stagedLeft()).toEqual([])
      await kit.transaction(session => session.call('edit', edit('src/a.ts', 'one', 'uno')))
      expect(workspace.read('src/a.ts')).toBe('uno\n')
    },
  )

  needs('bubblewrap')('SG-23: a single call is a transaction of one, gated by the same validators', async () => {
    configure(validator('test ! -e src/bad.ts'))
    const kit = await workspace.open(WRITE)
    const { outcome } = await kit.run('write', { path: 'src/bad.ts', content: 'x', expect: 'absent' })
    expect([codeOf(outcome), outcome.meta.changed, existsSync(join(workspace.path, 'src/bad.ts'))]).toEqual([
      'conflict',
      [],
      false,
    ])
    expect(codeOf((await kit.run('write', { path: 'src/good.ts', content: 'x', expect: 'absent' })).outcome)).toBe('ok')
  })

  it('ends by itself where plans are demanded of the tool that ends others', async () => {
    configure({ plans: { require: ['toolwright/stage'] } })
    const kit = await workspace.open(WRITE)
    await kit.transaction(async session => session.run('edit', edit('src/a.ts', 'one', 'eins')))
    const landed = workspace.snapshot()
    expect(workspace.read('src/a.ts')).toBe('eins\n')
    expect(codeOf((await kit.run('stage', { action: 'begin' })).outcome)).toBe('denied')
    const thrown = kit.transaction(async session => {
      await session.run('edit', edit('src/a.ts', 'eins', 'uno'))
      throw new Error('no')
    })
    await expect(thrown).rejects.toThrow('no')
    expect(workspace.snapshot()).toEqual(landed)
    expect(stagedLeft()).toEqual([])
  })

  it('is nothing where nothing was changed', async () => {
    const kit = await workspace.open(WRITE)
    expect(await kit.transaction(session => session.call('read', { path: 'src/a.ts' }))).toMatchObject({ ok: true })
    expect(kit.commits()).toEqual([])
  })

  it('does not lose what somebody else changed meanwhile', async () => {
    const kit = await workspace.open(WRITE)
    const failed = kit.transaction(async session => {
      await session.call('edit', edit('src/a.ts', 'one', 'eins'))
      await session.call('edit', edit('src/b.ts', 'two', 'zwei'))
      appendFileSync(join(workspace.path, 'src/a.ts'), 'theirs\n')
    })
    await expect(failed).rejects.toMatchObject({ code: 'conflict' })
    expect([workspace.read('src/a.ts'), workspace.read('src/b.ts')]).toEqual(['one\ntheirs\n', 'two\n'])
  })

  it('is not begun inside another: what landed there could not be rolled back', async () => {
    const kit = await workspace.open(WRITE)
    await kit.transaction(async session => {
      await expect(session.transaction(async () => {})).rejects.toMatchObject({ code: 'conflict' })
    })
    const joined = kit.session({ ...WRITE, transaction: 'T' })
    await expect(joined.transaction(async () => {})).rejects.toMatchObject({ code: 'conflict' })
  })

  it('undoes nothing inside', async () => {
    const kit = await workspace.open(WRITE)
    await kit.call('edit', edit('src/a.ts', 'one', 'eins'))
    await kit.transaction(async session => {
      const { outcome } = await session.run('undo', {})
      expect(outcome).toMatchObject({ error: { code: 'conflict', hint: expect.stringContaining('Commit') } })
    })
    expect(workspace.read('src/a.ts')).toBe('eins\n')
  })

  it('keeps several at once apart', async () => {
    const kit = await workspace.open(WRITE)
    await Promise.all([
      kit.transaction(session => session.call('edit', edit('src/a.ts', 'one', 'eins'))),
      kit.transaction(session => session.call('edit', edit('src/b.ts', 'two', 'zwei'))),
    ])
    expect([workspace.read('src/a.ts'), workspace.read('src/b.ts')]).toEqual(['eins\n', 'zwei\n'])
    expect(kit.commits()).toHaveLength(2)
  })
})

describe('stage', () => {
  const stage = (action: string) => ['stage', { action }] as const

  needs('bubblewrap')('begins, shows, validates, commits', async () => {
    configure(validator('echo looked; test -e src/c.ts'))
    const kit = await workspace.open(WRITE)
    expect(codeOf((await kit.run(...stage('diff'))).outcome)).toBe('not_found')
    const begun = await kit.run(...stage('begin'))
    const id = begun.outcome.meta.transaction
    expect(begun.answer).toMatchObject({ ok: true, data: { transaction: id, changed: [] }, meta: { changed: [] } })
    await kit.call('write', { path: 'src/c.ts', content: 'new\n', expect: 'absent' })
    const shown = await kit.run(...stage('diff'))
    expect(shown.answer).toMatchObject({
      data: { transaction: id, changed: ['src/c.ts'], diff: expect.stringContaining('+new') },
      meta: { changed: [] },
    })
    expect((await kit.run(...stage('validate'))).answer).toMatchObject({
      data: { validators: [{ name: 'check', passed: true, output: 'looked\n' }] },
    })
    expect((await kit.run(...stage('commit'), { dryRun: true })).outcome.meta).toMatchObject({ changed: ['src/c.ts'] })
    expect(existsSync(join(workspace.path, 'src/c.ts'))).toBe(false)
    const { outcome } = await kit.run(...stage('commit'))
    expect(outcome.meta).toMatchObject({ changed: ['src/c.ts'], undo: outcome.meta.id })
    expect(workspace.read('src/c.ts')).toBe('new\n')
    expect(codeOf((await kit.run(...stage('diff'))).outcome)).toBe('not_found')
  })

  it('rolls back, and then changes land at once again', async () => {
    const kit = await workspace.open(WRITE)
    await kit.run(...stage('begin'))
    await kit.call('delete', { path: 'src/a.ts' })
    expect(codeOf((await kit.run('read', { path: 'src/a.ts' })).outcome)).toBe('not_found')
    const { outcome } = await kit.run(...stage('rollback'))
    expect(outcome).toMatchObject({ ok: true, data: { changed: ['src/a.ts'] }, meta: { changed: [] } })
    expect(workspace.read('src/a.ts')).toBe('one\n')
    await kit.call('edit', edit('src/a.ts', 'one', 'eins'))
    expect(workspace.read('src/a.ts')).toBe('eins\n')
  })

  it('stays open where a commit fails, so that it can be mended', async () => {
    configure(validator('! grep -q bad src/a.ts'))
    const kit = await workspace.open(WRITE)
    await kit.run(...stage('begin'))
    await kit.call('edit', edit('src/a.ts', 'one', 'bad'))
    const failed = (await kit.run(...stage('commit'))).outcome
    expect(failed).toMatchObject({ error: { code: 'conflict', hint: expect.stringContaining('Fix') } })
    expect(workspace.read('src/a.ts')).toBe('one\n')
    await kit.call('edit', edit('src/a.ts', 'bad', 'good'))
    expect(codeOf((await kit.run(...stage('commit'))).outcome)).toBe('ok')
    expect(workspace.read('src/a.ts')).toBe('good\n')
  })

  it('says that the files under it moved, stays open, and can be rolled back', async () => {
    const kit = await workspace.open(WRITE)
    await kit.run(...stage('begin'))
    await kit.call('edit', edit('src/a.ts', 'one', 'eins'))
    await kit.session(WRITE).call('edit', edit('src/a.ts', 'one', 'theirs'))
    const { outcome } = await kit.run(...stage('commit'))
    expect(outcome).toMatchObject({ error: { code: 'conflict', message: expect.stringContaining('src/a.ts') } })
    expect(workspace.read('src/a.ts')).toBe('theirs\n')
    expect(codeOf((await kit.run(...stage('rollback'))).outcome)).toBe('ok')
    await kit.call('read', { path: 'src/a.ts' })
    expect(codeOf((await kit.run('edit', edit('src/a.ts', 'theirs', 'ours'))).outcome)).toBe('ok')
  })

  it('begins nothing while something is staged', async () => {
    const kit = await workspace.open({ ...WRITE, transaction: 'T' })
    expect((await kit.run(...stage('begin'))).outcome.meta.transaction).toBe('T')
    await kit.call('delete', { path: 'src/a.ts' })
    expect(codeOf((await kit.run(...stage('begin'))).outcome)).toBe('exists')
  })

  it('does not take a mistyped id for a transaction that holds nothing', async () => {
    const kit = await workspace.open({ ...WRITE, transaction: 'refactor' })
    await kit.call('delete', { path: 'src/a.ts' })
    const typo = kit.session({ ...WRITE, transaction: 'refactr' })
    for (const action of ['commit', 'rollback', 'diff', 'validate']) {
      const { outcome } = await typo.run(...stage(action))
      expect(outcome).toMatchObject({ error: { code: 'not_found', message: expect.stringContaining("'refactr'") } })
    }
    expect(() => kit.session({ transaction: '../out' })).toThrow(/cannot be the id/)
  })

  it('takes in what separate sessions stage under one id, in any order', async () => {
    const kit = await workspace.open(WRITE)
    const [one, two, three] = [1, 2, 3].map(() => kit.session({ ...WRITE, transaction: 'T' }))
    await one?.call('edit', edit('src/a.ts', 'one', 'eins'))
    await two?.call('edit', edit('src/b.ts', 'two', 'zwei'))
    await one?.call('write', { path: 'lib/c.ts', content: 'c', expect: 'absent' })
    await two?.call('write', { path: 'lib/d.ts', content: 'd', expect: 'absent' })
    expect(await three?.call('read', { path: 'src/a.ts' })).toMatchObject({ data: { content: 'eins\n' } })
    const { outcome } = await kit.session({ ...WRITE, transaction: 'T' }).run(...stage('commit'))
    expect(outcome.meta.changed).toEqual(['lib', 'lib/c.ts', 'lib/d.ts', 'src/a.ts', 'src/b.ts'])
    expect(codeOf((await one?.run(...stage('commit')).then(done => done.outcome)) ?? outcome)).toBe('not_found')
  })

  it('keeps what another session stages while it is committed, and says so', async () => {
    configure(validator('sleep 0.3'))
    const kit = await workspace.open(WRITE)
    const [one, two] = [kit.session({ ...WRITE, transaction: 'T' }), kit.session({ ...WRITE, transaction: 'T' })]
    await one.call('edit', edit('src/a.ts', 'one', 'eins'))
    const committing = one.run(...stage('commit'))
    await two.call('edit', edit('src/b.ts', 'two', 'zwei'))
    const { outcome } = await committing
    expect(outcome).toMatchObject({ ok: true, meta: { warnings: [expect.stringContaining('still open')] } })
    expect([workspace.read('src/a.ts'), workspace.read('src/b.ts')]).toEqual(['eins\n', 'two\n'])
    expect(codeOf((await two.run(...stage('commit'))).outcome)).toBe('ok')
    expect(workspace.read('src/b.ts')).toBe('zwei\n')
  })

  it('can be thrown away although what was kept of it is damaged', async () => {
    const kit = await workspace.open({ ...WRITE, transaction: 'T' })
    await kit.call('delete', { path: 'src/a.ts' })
    const manifest = stagedLeft().find(name => name.endsWith('manifest.json')) ?? ''
    writeFileSync(join(workspace.base, 'state', manifest), '{"version":1,')
    const again = await workspace.open({ ...WRITE, transaction: 'T' })
    for (const [tool, input] of [stage('commit'), stage('diff'), ['read', { path: 'src/b.ts' }]] as const)
      expect(codeOf((await again.run(tool, input)).outcome)).toBe('io')
    expect(codeOf((await again.run(...stage('rollback'))).outcome)).toBe('ok')
    expect(codeOf((await again.run('read', { path: 'src/a.ts' })).outcome)).toBe('ok')
  })

  it('leaves a record of every verb', async () => {
    const kit = await workspace.open(WRITE)
    await kit.run(...stage('begin'))
    await kit.call('delete', { path: 'src/a.ts' })
    await kit.run(...stage('commit'))
    const all = [...readJournal(kit.state.journal)]
    // Only the end of a transaction changes the workspace.
    expect(all.map(({ type }) => type)).toEqual(['call', 'call', 'intent', 'call'])
    const records = all.filter(isCall)
    expect(records.map(record => record['tool'])).toEqual(['toolwright/stage', 'toolwright/delete', 'toolwright/stage'])
    expect(records.map(record => record['undo'] !== undefined)).toEqual([false, false, true])
  })
})
