// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { describe, expect } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import { temporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

describe('a command that names a secret where there is no vault', () => {
  it.each([
    ['in a line', { command: 'touch ran; echo "$ENV.TOKEN"' }],
    ['in an argument', { argv: ['touch', 'ran', '--reference=$ENV.TOKEN'] }],
    ['in standard input', { command: 'cat > ran', stdin: 'key=$ENV.TOKEN' }],
    ['in the background', { command: 'touch ran; echo $ENV.TOKEN', background: true }],
  ])('is refused with the key, %s', async (_, input) => {
    await using workspace = temporaryWorkspace()
    // A command in the background needs one.
    execFileSync('git', ['init', '-q'], { cwd: workspace.path })
    const before = workspace.snapshot()
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'], approve: fakePerson('yes') })
    expect((await kit.run('run', input)).outcome).toMatchObject({
      ok: false,
      error: { code: 'unknown_secret', details: { key: 'TOKEN' }, hint: expect.stringContaining('\\$ENV.TOKEN') },
    })
    expect(workspace.snapshot()).toEqual(before)
  })

  it('keeps what is escaped as it is written', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const line = await kit.run('run', { command: "echo '\\$ENV.X $$ENV.X'", stdin: '' })
    expect(line.outcome).toMatchObject({ ok: true, data: { stdout: '\\$ENV.X $$ENV.X\n' } })
    const words = await kit.run('run', { argv: ['printf', '%s %s', '\\$ENV.X', '$$ENV.X'] })
    expect(words.outcome).toMatchObject({ ok: true, data: { stdout: '\\$ENV.X $$ENV.X' } })
    const input = await kit.run('run', { command: 'cat', stdin: '\\$ENV.X $$ENV.X' })
    expect(input.outcome).toMatchObject({ ok: true, data: { stdout: '\\$ENV.X $$ENV.X' } })
  })
})
