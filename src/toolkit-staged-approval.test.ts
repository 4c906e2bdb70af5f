// oxlint-disable vitest/no-standalone-expect -- some tests are given by `needs`, which the rule does not see
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from './kernel/outcome.ts'
import { fakePerson } from './testing/fakes.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from './testing/temporary-workspace.ts'
import { needs } from '../tests/needs.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n', 'b.txt': 'two\n', '.env': 'KEY=1\n', 'run.sh': 'echo before\n' })
})
afterEach(() => workspace.remove())

const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code)
const edit = (path: string, old: string, next: string) => ({ path, edits: [{ old, new: next }] })
const configure = (config: object) => {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(config))
}

/** Two edits and a new file, staged. */
async function staged(approve?: ReturnType<typeof fakePerson>) {
  const kit = await workspace.open(approve ? { approve } : {})
  await kit.run('stage', { action: 'begin' })
  const outcomes = [
    await kit.run('edit', edit('a.txt', 'one', 'eins')),
    await kit.run('edit', edit('a.txt', 'eins', 'uno')),
    await kit.run('write', { path: 'c.txt', content: 'new\n', expect: 'absent' }),
  ].map(({ outcome }) => codeOf(outcome))
  expect(outcomes).toEqual(['ok', 'ok', 'ok'])
  return kit
}

describe('what is staged', () => {
  it('is asked about once, when it lands, with the diff of all of it', async () => {
    const person = fakePerson('yes')
    const kit = await staged(person)
    expect(person.asked).toEqual([])
    const { outcome } = await kit.run('stage', { action: 'commit' })
    expect(codeOf(outcome)).toBe('ok')
    expect(person.asked).toMatchObject([
      {
        card: {
          tool: 'toolwright/stage',
          changes: [
            { path: 'a.txt', kind: 'change' },
            { path: 'c.txt', kind: 'create' },
          ],
        },
        diffs: [expect.stringContaining('-one\n+uno'), expect.stringContaining('+new')],
      },
    ])
    expect([workspace.read('a.txt'), workspace.read('c.txt')]).toEqual(['uno\n', 'new\n'])
  })

  it.each(['cli-agent', 'toolwright'])(
    'is asked about once where %s creates a file in a transaction',
    async contract => {
      const person = fakePerson('yes')
      const kit = await workspace.open({ contract, approve: person })
      const [tool, input] =
        contract === 'toolwright'
          ? ['write', { path: 'c.txt', content: 'new\n', expect: 'absent' }]
          : ['create_file', { path: 'c.txt', content: 'new\n' }]
      await kit.transaction(async session => {
        expect(codeOf((await session.run(String(tool), Object(input))).outcome)).toBe('ok')
        expect(person.asked).toEqual([])
      })
      expect(person.asked).toHaveLength(1)
      expect(workspace.read('c.txt')).toBe('new\n')
    },
  )

  it('stays staged where the answer is no, or nobody can be asked', async () => {
    const before = workspace.snapshot()
    for (const person of [fakePerson('no'), undefined]) {
      const kit = await staged(person)
      expect(codeOf((await kit.run('stage', { action: 'commit' })).outcome)).toBe('rejected')
      expect(workspace.snapshot()).toEqual(before)
      expect((await kit.run('stage', { action: 'diff' })).outcome).toMatchObject({
        data: { changed: ['a.txt', 'c.txt'] },
      })
      await kit.run('stage', { action: 'rollback' })
    }
  })

  it('is refused at once where it is denied, and asked at once where it has to be read first', async () => {
    configure({ policy: { rules: [{ action: 'write', path: 'b.txt', verdict: 'deny' }] } })
    const person = fakePerson('no')
    const kit = await workspace.open({ approve: person })
    await kit.run('stage', { action: 'begin' })
    expect(codeOf((await kit.run('edit', edit('b.txt', 'two', 'zwei'))).outcome)).toBe('denied')
    expect(codeOf((await kit.run('edit', edit('.env', 'KEY=1', 'KEY=2'))).outcome)).toBe('rejected')
    expect(person.asked).toHaveLength(1)
  })

  needs('bubblewrap')('is run by no command and no validator before somebody has agreed to it', async () => {
    configure({
      policy: { rules: [{ action: 'exec', command: 'sh run.sh', verdict: 'allow' }] },
      validators: [{ name: 'check', command: ['/bin/sh', 'run.sh'], timeoutMs: 30_000 }],
    })
    const ran = join(workspace.base, 'ran')
    const person = fakePerson('no', 'no', 'yes')
    const kit = await workspace.open({ approve: person })
    const plain = await kit.run('run', { command: 'sh run.sh' })
    expect(plain.outcome).toMatchObject({ ok: true, data: { stdout: 'before\n' } })
    await kit.run('stage', { action: 'begin' })
    const change = edit('run.sh', 'echo before', `echo staged; touch ${ran} run.txt`)
    expect(codeOf((await kit.run('edit', change)).outcome)).toBe('ok')
    expect(codeOf((await kit.run('run', { command: 'sh run.sh' })).outcome)).toBe('rejected')
    expect(codeOf((await kit.run('stage', { action: 'validate' })).outcome)).toBe('rejected')
    expect(person.asked).toMatchObject([{ card: { tool: 'toolwright/run' } }, { card: { tool: 'toolwright/stage' } }])
    expect(existsSync(ran) || existsSync(join(workspace.path, 'run.txt'))).toBe(false)
    const agreed = await kit.run('run', { command: 'sh run.sh' })
    expect(agreed.outcome).toMatchObject({ ok: true, data: { stdout: expect.stringContaining('staged') } })
  })
})
