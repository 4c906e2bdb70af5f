// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

/** A directory that git takes for a repository, and whose configuration names a program. */
const PLANTED = {
  'fix/HEAD': 'ref: refs/heads/main\n',
  'fix/objects/x': '',
  'fix/refs/x': '',
  'fix/config':
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "echo planted-ran >&2; false"\n',
  'sub/a.txt': 'a\n',
}

describe('a directory of the workspace that looks like a repository', () => {
  it('runs nothing for an allowed line that reads there', async () => {
    await using workspace = repository(PLANTED)
    const free = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome: planted } = await free.run('run', { command: 'bash -c "git -C fix status"' })
    expect(JSON.stringify(planted), 'without our settings it runs').toContain('planted-ran')
    const kit = await workspace.open({ permissions: ['exec:git status', 'exec:git log', 'exec:git diff'] })
    for (const command of ['git -C fix status', 'git -C ./fix status --short', 'git -C sub/../fix status']) {
      const { outcome } = await kit.run('run', { command })
      expect(outcome.ok ? '' : outcome.error.message).toBe('')
      expect(JSON.stringify(outcome)).not.toContain('planted-ran')
      expect(JSON.stringify(outcome)).toContain('cannot use bare repository')
    }
    const { outcome } = await kit.run('run', { command: 'git -C sub status --short && git -C . log --oneline' })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
  })
})
