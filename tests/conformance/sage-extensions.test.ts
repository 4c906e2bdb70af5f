// oxlint-disable vitest/no-standalone-expect -- tests are given by `needs`, which the rule does not see
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

/** Of the extensions that the document names, those that there are; retries and cloud providers are not. */
describe('extensions', () => {
  it('SG-28: streams what Bash prints while it runs', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ contract: 'sage', permissions: ['exec'] })
    const heard: string[] = []
    let isOver = false
    const call = kit.run(
      'Bash',
      { command: 'echo one; read -r _ < /dev/null; sleep 0.3; echo two >&2' },
      { onOutput: ({ stream, text }) => heard.push(`${isOver ? 'late' : stream}: ${text}`) },
    )
    const { answer } = await call.finally(() => (isOver = true))
    expect(answer).toMatchObject({ ok: true, data: { stdout: 'one\n', stderr: 'two\n' } })
    expect(heard).toEqual(['stdout: one\n', 'stderr: two\n'])
  })

  it('SG-28: grants single commands, down to their arguments', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ contract: 'sage', permissions: ['exec:git --version'], permissionsOnly: true })
    expect(await kit.call('Bash', { command: 'git --version' })).toMatchObject({ ok: true })
    expect(await kit.call('Bash', { command: 'git init' })).toMatchObject({
      ok: false,
      error: { code: 'EPERMISSION', message: expect.stringContaining('exec:git init') },
    })
  })
})
