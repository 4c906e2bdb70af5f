import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeSecrets } from './testing/fakes.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from './testing/temporary-workspace.ts'

const configured = (config: object, files: Record<string, string>): TemporaryWorkspace => {
  const workspace = temporaryWorkspace(files)
  mkdirSync(workspace.env['TOOLWRIGHT_CONFIG_HOME'] ?? '', { recursive: true })
  writeFileSync(join(workspace.env['TOOLWRIGHT_CONFIG_HOME'] ?? '', 'config.json'), JSON.stringify(config))
  return workspace
}

describe('what may not be read', () => {
  const rule = { action: 'read', path: '**/.env*', verdict: 'ask' }

  it('SG-19: is asked for in a dry run too', async () => {
    await using workspace = configured({ policy: { rules: [rule] } }, { '.env': 'KEY=hidden-value\n' })
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const calls = [
      ['read', { path: '.env' }],
      ['edit', { path: '.env', edits: [{ old: 'KEY=other', new: 'x' }] }],
      ['patch', { diff: '--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-KEY=other\n+x\n' }],
    ] as const
    for (const [tool, input] of calls) {
      const { outcome, answer } = await kit.run(tool, input, { dryRun: true })
      expect(outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
      expect(JSON.stringify(answer)).not.toContain('hidden-value')
    }
  })

  it('CA-14: is not read for the card before the person has said yes', async () => {
    await using workspace = configured({ policy: { rules: [rule] } }, { '.env': 'KEY=hidden-value\n' })
    const kit = await workspace.open({ permissions: ['fs:write'], approve: () => ({ answer: 'no', by: 'a person' }) })
    const { answer } = await kit.run('edit', { path: '.env', edits: [{ old: 'KEY=other', new: 'x' }] })
    expect(answer).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(JSON.stringify(answer)).not.toContain('hidden-value')
  })

  it('SG-07: does not show by the hash that a failed condition names', async () => {
    const deny = { action: 'read', path: 'secret/**', verdict: 'deny' }
    const files = { 'secret/key': 'hidden-value\n', 'open.txt': 'hidden-value\n' }
    await using workspace = configured({ policy: { rules: [deny] } }, files)
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const hash = createHash('sha256').update('hidden-value\n').digest('hex')
    const tried = async (path: string) => kit.run('write', { path, content: 'x', expect: 'f'.repeat(64) })
    const { outcome, answer } = await tried('secret/key')
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(JSON.stringify([outcome, answer])).not.toContain(hash)
    expect((await tried('open.txt')).outcome).toMatchObject({ ok: false, error: { details: { actual: hash } } })
  })

  it('SG-07: cannot be moved to where it may', async () => {
    const deny = { action: 'read', path: 'secret/**', verdict: 'deny' }
    await using workspace = configured({ policy: { rules: [deny] } }, { 'secret/key': 'hidden-value\n' })
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const { outcome } = await kit.run('move', { from: 'secret/key', to: 'open' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
  })
})

describe('a link to what may not be read', () => {
  const files = { 'vault/plan-x.txt': 'hidden-value\n', 'open/a.txt': 'one\n' }
  const rule = { action: 'read', path: 'vault/**', verdict: 'deny', why: 'plan-x is in the vault' }
  const linked = (config: object): TemporaryWorkspace => {
    const workspace = configured(config, files)
    symlinkSync('vault/plan-x.txt', join(workspace.path, 'link.txt'))
    symlinkSync('vault', join(workspace.path, 'folder'))
    symlinkSync('vault/none', join(workspace.path, 'dangling'))
    symlinkSync('../vault/plan-x.txt', join(workspace.path, 'open/other'))
    return workspace
  }
  const calls: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>, contract?: string])[] = [
    ['read', { path: 'link.txt' }],
    ['read', { path: 'open/other' }],
    ['read', { path: 'dangling' }],
    ['read', { path: 'folder' }],
    ['grep', { pattern: 'hidden', path: 'link.txt' }],
    ['grep', { pattern: 'hidden', path: 'folder' }],
    ['list', { path: 'folder' }],
    ['list', { path: 'link.txt' }],
    ['find', { glob: '**', path: 'folder' }],
    ['edit', { path: 'link.txt', edits: [{ old: 'x', new: 'y' }] }],
    ['readFile', { path: 'link.txt' }, 'superconnect'],
    ['read_file', { path: 'link.txt' }, 'cli-agent'],
    ['list_dir', { path: 'folder' }, 'cli-agent'],
  ]

  it.each([
    ['a rule', { policy: { rules: [rule] } }, ['fs:write']],
    ['a default', { policy: { defaults: { read: 'deny' } } }, ['fs:read:open/**', 'fs:write:open/**']],
    ['a question that nobody answers', { policy: { defaults: { read: 'ask' } } }, ['fs:read:open/**']],
  ])(
    'by %s is refused by the name that was written, and does not tell where it leads',
    async (_by, config, allowed) => {
      await using workspace = linked(config)
      const kit = await workspace.open({ permissions: allowed })
      for (const [tool, input, contract] of calls) {
        const { outcome, answer } = await kit.run(tool, input, contract === undefined ? {} : { contract })
        const told = `${JSON.stringify(answer)} ${outcome.ok ? '' : outcome.error.message}`
        expect(told, `${tool} ${JSON.stringify(input)}`).not.toMatch(/vault|plan-x|none|hidden-value/)
        expect(outcome).toMatchObject({ ok: false })
        expect(told).toContain(String(input['path']))
      }
    },
  )

  it('is told with where it leads to those who may read it', async () => {
    await using workspace = linked({ policy: { rules: [{ ...rule, action: 'write' }] } })
    const kit = await workspace.open({ permissions: ['fs:read'] })
    const { outcome } = await kit.run('write', { path: 'link.txt', content: 'x' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'denied', details: { rule: 'user:1' } } })
    const message = outcome.ok ? '' : outcome.error.message
    expect(message).toContain("'toolwright/write' is not allowed: write link.txt: it leads to vault/plan-x.txt")
    expect(message).toContain('plan-x is in the vault')
  })

  it('is no other matter than the file itself where the file was named', async () => {
    await using workspace = linked({ policy: { rules: [rule] } })
    const kit = await workspace.open({})
    for (const path of ['vault/plan-x.txt', './vault//plan-x.txt', join(workspace.path, 'vault/plan-x.txt')])
      expect((await kit.run('read', { path })).outcome).toMatchObject({
        ok: false,
        error: {
          code: 'denied',
          message: expect.stringContaining('plan-x is in the vault'),
          details: { rule: 'user:1' },
        },
      })
  })
})

describe('a secret provider', () => {
  it('SG-20: that gives null or a number has no such secret: nothing lands, and the session goes on', async () => {
    await using workspace = temporaryWorkspace()
    for (const value of [null, 7, {}]) {
      const get = async () => value as unknown as string
      const kit = await workspace.open({ permissions: ['fs:write'], secrets: { get }, grantSecrets: true })
      const refused = await kit.run('write', { path: 'a', content: '$ENV.FOO', expect: 'absent' })
      expect(refused.outcome).toMatchObject({ ok: false, error: { code: 'unknown_secret' } })
      const next = await kit.run('write', { path: 'b', content: 'x', expect: 'absent' }, { dryRun: true })
      expect(next.outcome.ok).toBe(true)
    }
    expect(workspace.snapshot()).toEqual({})
  })

  it('SG-20: that gives an empty value, and a placeholder with a NUL behind it, are errors before anything is done', async () => {
    await using workspace = temporaryWorkspace()
    const secrets = fakeSecrets({ EMPTY: '', BLANK: ' \n', TOKEN: 'zq7Xv2LmN9pRt4Wb8Yc3' })
    const kit = await workspace.open({ permissions: ['fs:write'], secrets, grantSecrets: true })
    const write = async (content: string) => (await kit.run('write', { path: 'a', content, expect: 'absent' })).outcome
    for (const key of ['EMPTY', 'BLANK'])
      expect(await write(`x $ENV.${key}`)).toMatchObject({
        ok: false,
        error: { code: 'unknown_secret', message: `The secret '${key}' is empty` },
      })
    for (const content of ['$ENV.TOKEN\0', 'a $ENV.TOKEN\0b', '$ENV.NOT_THERE\0'])
      expect(await write(content)).toMatchObject({
        ok: false,
        error: { code: 'invalid_input', message: expect.stringContaining('NUL') },
      })
    expect(workspace.snapshot()).toEqual({})
    expect(await write('\\$ENV.TOKEN\0')).toMatchObject({ ok: true })
  })

  it('SG-20: whose value is divided by a limit shows neither half', async () => {
    const value = 'zq7Xv2LmN9pRt4Wb8Yc3kHd6sFg1jQe5'
    await using workspace = temporaryWorkspace({ 'a.txt': 'x\n' })
    const secrets = Object.assign(fakeSecrets({ TOKEN: value }), { keys: async () => ['TOKEN'] })
    // One line of secrets: wherever it is cut, one of them is divided.
    workspace.write('many.txt', value.repeat(5000))
    for (const answerBytes of [3000, 3007, 3013, 3020, 3026]) {
      workspace.write('toolwright.json', JSON.stringify({ limits: { answerBytes } }))
      const kit = await workspace.open({ permissions: ['fs:read'], secrets })
      const told = JSON.stringify((await kit.run('read', { path: 'many.txt' })).answer)
      for (let at = 0; at + 6 <= value.length; at++) expect(told).not.toContain(value.slice(at, at + 6))
    }
  })

  it('SG-21: whose value is given as a tool, a task or an id leaves no trace in the journal', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'x\n' })
    const secrets = fakeSecrets({ TOKEN: 'zq7Xv2LmN9pRt4Wb8Yc3' })
    const kit = await workspace.open({ permissions: ['fs:write'], secrets, grantSecrets: true })
    await kit.run('write', { path: 'b.txt', content: '$ENV.TOKEN', expect: 'absent' })
    await kit.run('zq7Xv2LmN9pRt4Wb8Yc3', {})
    await kit.run('read', { path: 'a.txt' }, { task: 'zq7Xv2LmN9pRt4Wb8Yc3' })
    const journal = readFileSync(join(kit.state.journal, 'journal.jsonl'), 'utf8')
    expect(journal.trim().split('\n').length).toBeGreaterThanOrEqual(3)
    expect(journal).not.toContain('zq7Xv2LmN9pRt4Wb8Yc3')
  })
})
