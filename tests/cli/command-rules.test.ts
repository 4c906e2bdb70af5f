import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({ 'a.txt': 'a\n' })
const config = {
  policy: { rules: [{ action: 'exec', command: 'git log', verdict: 'allow', match: ['git log -1'] }] },
}

describe('rules about commands, tried on their examples', () => {
  // Each command is the first of its process.
  beforeEach(() => vi.resetModules())

  it('are read by gc', async () => {
    cli.configure(config)
    expect(await cli.run(['gc'])).toMatchObject({ code: 0, out: expect.stringMatching(/^State: /) })
  })

  it('are read by trust', async () => {
    cli.workspace.write('toolwright.json', JSON.stringify(config))
    expect(await cli.run(['trust'])).toMatchObject({ code: 0, out: expect.stringMatching(/^Trusted /) })
  })

  it('are read by a call that runs no command', async () => {
    cli.configure(config)
    expect((await cli.call('read', { path: 'a.txt' })).result).toMatchObject({ ok: true })
  })

  it('may be permissions of a call, also where they are quoted', async () => {
    const { code, err } = await cli.run(['call', 'read', '{"path":"a.txt"}', '--allow', `exec:git "log"`])
    expect([code, err]).toEqual([0, ''])
  })
})
