// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

const IGNORED = 'build/\ndist/\nout/\ntarget/\nvendor/\nnode_modules/\n.venv/\n.next/\n.cache/\n.gradle/\n*.local\n'

/** What a command writes where git ignores it. `lands`: without a question. */
const ROWS: readonly (readonly [path: string, lands: boolean])[] = [
  ['build/AGENTS.md', false],
  ['build/.envrc', false],
  ['build/.vscode/tasks.json', false],
  ['build/deep/down/CLAUDE.md', false],
  ['build/.GitAttributes', false],
  ['dist/.npmrc', false],
  ['dist/.github/workflows/ci.yml', false],
  ['out/.cursor/mcp.json', false],
  ['target/.cargo/config.toml', false],
  ['.next/.bashrc', false],
  ['.cache/.mcp.json', false],
  ['.gradle/init.gradle', false],
  ['vendor/.vscode/settings.json', false],
  ['vendor/CLAUDE.md', false],
  ['node_modules/AGENTS.md', false],
  ['node_modules/.vscode/tasks.json', false],
  ['node_modules/.envrc', false],
  ['.venv/AGENTS.md', false],
  ['.vscode/node_modules/p/x.js', false],
  ['.vscode/settings.local', false],
  ['build/rules/denied.txt', false],
  ['build/rules/asked.txt', false],
  ['node_modules/p/rules/denied.txt', false],
  ['build/out.js', true],
  ['build/static/index.html', true],
  ['dist/a/b/c.js', true],
  ['target/debug/app', true],
  ['.next/cache/x', true],
  ['node_modules/.bin/tool', true],
  ['node_modules/.package-lock.json', true],
  ['node_modules/p/.travis.yml', true],
  ['node_modules/p/.github/workflows/ci.yml', true],
  ['node_modules/@s/p/CLAUDE.md', true],
  ['packages/a/node_modules/p/.vscode/settings.json', true],
  ['vendor/acme/lib/.gitattributes', true],
  ['.venv/lib/python3/site-packages/p/AGENTS.md', true],
  ['settings.local', true],
]

const RULES = {
  policy: {
    rules: [
      { action: 'write', path: '**/rules/denied.txt', verdict: 'deny' },
      { action: 'write', path: '**/rules/asked.txt', verdict: 'ask' },
    ],
  },
}

describe('a change at a path that git ignores', () => {
  it.for(ROWS)('at %s lands without a question: %s', async ([path, lands]) => {
    await using workspace = repository({ '.gitignore': IGNORED })
    workspace.write('../config/config.json', JSON.stringify(RULES))
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', {
      command: `mkdir -p "$(dirname '${path}')" && echo planted > '${path}'`,
    })
    expect(existsSync(join(workspace.path, path))).toBe(lands)
    expect(outcome.ok).toBe(lands)
  })
})
