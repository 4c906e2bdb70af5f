import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool, type Engines } from './engines/engines.ts'
import { reads } from './kernel/claim.ts'
import { OWN_CODES } from './kernel/own-codes.ts'
import type { Outcome } from './kernel/outcome.ts'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'

/** A contract of somebody's own with one tool that declares to read and no more. */
const contractOf = (run: (engines: Engines) => unknown) => ({
  id: 'own',
  tools: [
    defineTool({
      name: 'try',
      description: 'Tries an engine',
      version: '1.0.0',
      input: z.strictObject({}),
      output: z.unknown(),
      effects: ['read'],
      claims: () => reads('a.txt'),
      run: (_input, engines) => run(engines),
      examples: [],
    }),
  ],
  codes: OWN_CODES,
  envelope: (_call: unknown, outcome: Outcome) => outcome,
})

const tried = async (run: (engines: Engines) => unknown): Promise<Outcome> => {
  await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
  const kit = await workspace.open({ contract: contractOf(run) })
  return (await kit.run('try', {})).outcome
}

describe('a tool of somebody’s own that declares to read', () => {
  it('may check a patch of what it reads, which changes nothing', async () => {
    const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n'
    expect(await tried(({ text }) => text.patch(diff, { check: true }).applied)).toMatchObject({
      ok: true,
      data: false,
    })
  })

  it.each<[what: string, run: (engines: Engines) => unknown, code: string]>([
    ['asked for the diff of no transaction', ({ stage }) => stage.diff(), 'denied'],
    ['asked for a command that nobody started', ({ process }) => process.poll('none'), 'denied'],
    ['not allowed to write', ({ text }) => text.write('a.txt', 'x'), 'denied'],
    [
      'not allowed to run a command',
      ({ process }, call = new AbortController()) =>
        process.run({ line: 'true' }, { signal: call.signal, timeoutMs: 1000 }),
      'denied',
    ],
  ])('is answered as its claims say: %s', async (_what, run, code) => {
    expect(await tried(run)).toMatchObject({ ok: false, error: { code } })
  })
})

describe('a session', () => {
  it('is not opened for a repository at an address that is none', async () => {
    await using workspace = temporaryWorkspace({})
    await expect(workspace.open({ github: { repository: 'a/b', baseUrl: 'nowhere' } })).rejects.toThrow('Invalid URL')
  })
})
