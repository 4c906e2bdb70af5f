// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

const VALIDATOR = { name: 'check', command: ['bash', 'check.sh'], globs: ['**/*.ts'], timeoutMs: 20_000 }

describe('a program that a validator starts', () => {
  const answered = async (deny: readonly string[]) => {
    await using workspace = repository({ 'src/a.ts': 'a\n', 'check.sh': 'git tag -l || exit 1\n' })
    mkdirSync(join(workspace.base, 'config'), { recursive: true })
    const config = { validators: [VALIDATOR], policy: { commands: { deny } } }
    writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(config))
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const { outcome } = await kit.run('write', { path: 'src/b.ts', content: 'b\n' })
    return JSON.stringify(outcome)
  }

  it('is refused where a rule denies it, and the validator says so', async () => {
    const free = await answered([])
    expect(free).toContain('"ok":true')
    expect(free).not.toContain('did not start')
    const denied = await answered(['git tag'])
    expect(denied).toContain('"ok":false')
    expect(denied).toMatch(/'git tag -l' did not start: it is denied/)
  })

  it('is not the validator itself, which is the user’s own word', async () => {
    expect(await answered(['bash check.sh'])).toContain('"ok":true')
  })
})
