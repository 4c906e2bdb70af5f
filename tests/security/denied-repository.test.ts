// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { git, repository } from '../process/git-world.ts'

const it = needs('bubblewrap', 'git')

/** A denied path, a command, and whether what it changes in the repository lands. */
const ROWS: readonly (readonly [deny: string, command: string, lands: boolean])[] = [
  ['.git/refs/**', 'git tag v1', false],
  ['.git/refs', 'git tag v1', false],
  ['.git/refs/tags/**', 'git tag v1', false],
  ['.git/refs/tags/v*', 'git update-ref refs/tags/v1 HEAD', false],
  ['.GIT/refs/tags/v1', 'echo "git tag v1" | sh', false],
  ['.git/refs/tags/v1', 'git rev-parse HEAD > .git/refs/tags/v1', false],
  ['.git/refs/heads/main', 'git commit -qam two', false],
  ['.git/refs/heads/main', 'git branch -f other; git update-ref refs/heads/main HEAD~0; git commit -qam two', false],
  ['.git/HEAD', 'git checkout -qb other', false],
  ['.git/index', 'git add a.txt', false],
  ['.git/packed-refs', 'git tag v1; git pack-refs --all', false],
  ['.git/**', 'git tag v1', false],
  ['.git/refs/tags/**', 'git branch other', true],
  ['.git/refs/heads/main', 'git checkout -qb other; git commit -qam two', true],
  ['.git/hooks/**', 'git commit -qam two', true],
  ['**/logs/**', 'git commit -qam two', true],
]

describe('a denied path in the repository', () => {
  it.for(ROWS)('%s holds for %s', async ([deny, command, lands]) => {
    await using workspace = repository()
    writeFileSync(join(workspace.path, 'a.txt'), 'two\n')
    const state = (): string =>
      [
        git(workspace, 'for-each-ref'),
        git(workspace, 'symbolic-ref', 'HEAD'),
        git(workspace, 'diff', '--cached'),
      ].join()
    const before = state()
    const kit = await workspace.open({
      permissions: ['exec', 'fs:write'],
      denials: [`fs:write:${deny}`],
      approve: () => ({ answer: 'yes', by: 'ada' }),
    })
    await kit.run('run', { command })
    expect(state() !== before).toBe(lands)
  })
})
