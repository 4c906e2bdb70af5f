// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { fakePerson } from '../../src/testing/index.ts'
import { repository } from '../process/git-world.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

const ALLOWED = { permissions: ['exec', 'fs:write:**'], task: 'mine' }

describe('undoing a task', () => {
  it('leaves what its commands wrote to ignored paths and in the background, and names both', async () => {
    await using workspace = repository({ '.gitignore': 'build/\n', 'a.txt': 'one\n' })
    const kit = await workspace.open({ approve: fakePerson('yes') })
    const session = kit.session(ALLOWED)
    const run = async (input: object) => (await session.run('run', input)).outcome
    expect(await run({ command: 'mkdir build; echo x > build/out.txt; echo two >> a.txt' })).toMatchObject({ ok: true })
    const started = await run({ command: 'echo late > late.txt; echo ready; sleep 60', background: true })
    const { handle } = Object(started.ok && started.data)
    await expect.poll(async () => JSON.stringify(await run({ handle, action: 'read' }))).toContain('ready')
    await run({ handle, action: 'stop' })
    const { outcome } = await session.run('undo', { task: 'mine' })
    expect(outcome.ok).toBe(true)
    const warnings = outcome.meta.warnings?.join('\n')
    expect(warnings).toMatch(/Not undone: .*build/)
    expect(warnings).toMatch(/Not undone: .*echo late > late\.txt/)
    expect([workspace.read('a.txt'), workspace.read('build/out.txt'), workspace.read('late.txt')]).toEqual([
      'one\n',
      'x\n',
      'late\n',
    ])
    await kit.close()
  })

  it('that ran only in the background, or changed only ignored paths, undoes nothing and names them', async () => {
    await using workspace = repository({ '.gitignore': 'build/\n', 'a.txt': 'one\n' })
    const kit = await workspace.open({ approve: fakePerson('yes') })
    const session = kit.session(ALLOWED)
    const run = async (input: object) => (await session.run('run', input)).outcome
    await run({ command: 'mkdir build; echo x > build/out.txt' })
    const started = await run({ command: 'echo late > late.txt; echo ready; sleep 60', background: true })
    const { handle } = Object(started.ok && started.data)
    await expect.poll(async () => JSON.stringify(await run({ handle, action: 'read' }))).toContain('ready')
    await run({ handle, action: 'stop' })
    const { outcome } = await session.run('undo', { task: 'mine' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'not_found' } })
    const hint = outcome.ok ? '' : outcome.error.hint
    expect(hint).toMatch(
      /Not undone: 2 ignored paths changed, without undo: .*build.*Not undone: .*echo late > late\.txt/,
    )
    expect([workspace.read('build/out.txt'), workspace.read('late.txt')]).toEqual(['x\n', 'late\n'])
    await kit.close()
  })
})
