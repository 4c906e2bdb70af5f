import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lines, useCli } from './rig.ts'

const cli = useCli({ 'src/a.ts': 'one\n', 'notes.md': '# Notes\n' })
const EDIT = { path: 'src/a.ts', edits: [{ old: 'one', new: 'eins' }] }

describe('toolwright call', () => {
  it('prints the exact result of the contract with --json', async () => {
    const { code, result } = await cli.call('read', { path: 'notes.md' })
    expect(code).toBe(0)
    expect(Object.keys(result)).toEqual(['ok', 'data', 'meta'])
    expect(Object.keys(result.data)).toEqual([
      'path',
      'content',
      'from',
      'to',
      'totalLines',
      'bytes',
      'hash',
      'encoding',
      'eol',
      'truncated',
    ])
    expect(Object.keys(result.meta)).toEqual(['id', 'durationMs', 'changed'])
    const sage = await cli.call('Read', { file: 'notes.md' }, '--contract', 'sage')
    expect(sage.result).toStrictEqual({
      ok: true,
      data: { content: '# Notes\n' },
      meta: { startedAt: expect.any(String), endedAt: expect.any(String), durationMs: expect.any(Number) },
    })
  })

  it('AA-02: prints the ToolResult of autonomous, in each line of --jsonl too, for an unknown tool as well', async () => {
    const input = { items: [] }
    const result = { name: 'todo_manager', input, output: { items: [], maxItems: 15, currentItem: null } }
    expect((await cli.call('todo_manager', input, '--contract', 'autonomous')).result).toEqual(result)
    const asked = [
      { tool: 'todo_manager', input },
      { tool: 'delete_file', input: {} },
    ]
    const { code, out } = await cli.run(['call', '--jsonl', '--contract', 'autonomous'], {
      input: asked.map(line => JSON.stringify(line)).join('\n'),
    })
    expect(code).toBe(1)
    expect(lines(out)).toEqual([
      result,
      { name: 'delete_file', input: {}, error: expect.stringContaining("'delete_file'") },
    ])
  })

  it('AA-07: lists the tools for a repository with --read-only', async () => {
    const { out } = await cli.run(['tools', '--contract', 'autonomous', '--json'])
    const risks = lines(out)
      .flatMap(one => [one].flat())
      .map(({ name, risk }) => [name, risk])
    expect(Object.fromEntries(risks)).toMatchObject({ list_files: 'read_only', search_code: 'read_only' })
    cli.configure({ github: { repository: 'acme/shop' } })
    const { result } = await cli.call('list_files', {}, '--contract', 'autonomous', '--read-only', '--deterministic')
    expect(result).toMatchObject({ error: expect.stringContaining('There is no network here') })
  })

  it('gives people the words of each warning in an answer', async () => {
    const input = { outputType: 'domain_map', data: { domains: [{}] } }
    const { out } = await cli.run(['call', 'validate_output', JSON.stringify(input), '--contract', 'autonomous'])
    expect(out).toContain("\n  Warning: 'domains.0' has no name\n")
    expect(out).not.toContain('1 warning')
  })

  it('CA-16: gives people the ✓ form with location and time', async () => {
    const { code, out } = await cli.run(['call', 'edit', JSON.stringify(EDIT), '--allow', 'fs:write:src/**'])
    expect(code).toBe(0)
    expect(out).toMatch(
      new RegExp(
        `^✓ edit .*\\n  Location: ${join(cli.workspace.path, 'src/a.ts')}\\n  Time: [\\d.]+ms\\n  Undo: toolwright undo \\w+\\n`,
      ),
    )
    const failed = await cli.run(['call', 'read', '{"path":"nope.md"}'])
    expect(failed).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^✗ .*nope\.md.*\n(  .*\n)?  Time: [\d.]+ms\n$/),
    })
  })

  it('CA-16: tells a check from a change', async () => {
    const diff = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-one\n+eins\n'
    const checked = await cli.run(['call', 'patch', JSON.stringify({ diff, check: true })])
    expect(checked.out).toMatch(/^✓ patch \(not applied, 1 file\)\n/)
    const applied = await cli.run(['call', 'patch', JSON.stringify({ diff }), '--yes'])
    expect(applied.out).toMatch(/^✓ patch \(applied, 1 file\)\n/)
  })

  it('shows nothing that could steer the terminal', async () => {
    cli.workspace.write('evil.txt', '\x1b]0;owned\x07\x1b[2Jbye\u202e\u200b\r\n')
    const { out } = await cli.run(['call', 'read', '{"path":"evil.txt"}'])
    // oxlint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f\u202e\u200b]/)
    const { out: json } = await cli.run(['call', 'read', '{"path":"evil.txt"}', '--json'])
    // oxlint-disable-next-line no-control-regex
    expect(json).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f\u202e\u200b]/)
    expect(JSON.parse(json).data.content).toBe('\x1b]0;owned\x07\x1b[2Jbye\u202e\u200b\r\n')
  })

  it('runs a plan exactly as the dry run showed it, and answers conflict after a change', async () => {
    const dry = await cli.call('edit', EDIT, '--dry-run')
    expect(dry).toMatchObject({
      code: 0,
      result: {
        meta: { dryRun: true, changed: ['src/a.ts'], plan: expect.any(String), diff: expect.stringContaining('+eins') },
      },
    })
    expect(cli.workspace.read('src/a.ts')).toBe('one\n')
    const { plan } = dry.result.meta
    expect(await cli.call('edit', EDIT, '--plan', plan, '--yes')).toMatchObject({ code: 0 })
    expect(cli.workspace.read('src/a.ts')).toBe('eins\n')

    const back = { path: 'src/a.ts', edits: [{ old: 'eins', new: 'one' }] }
    const second = (await cli.call('edit', back, '--dry-run')).result.meta.plan
    appendFileSync(join(cli.workspace.path, 'src/a.ts'), 'more\n')
    expect(await cli.call('edit', back, '--plan', second, '--yes')).toMatchObject({
      code: 1,
      result: { ok: false, error: { code: 'conflict' } },
    })
    expect(cli.workspace.read('src/a.ts')).toBe('eins\nmore\n')
  })

  it('shows a dry run to people with its diff and plan', async () => {
    const { out } = await cli.run(['call', 'edit', JSON.stringify(EDIT), '--dry-run'])
    expect(out).toMatch(/^✓ Would do: edit/)
    expect(out).toMatch(/ {2}Plan: plan-[0-9a-f]{32}\n/)
    expect(out).toContain('-one\n+eins')
  })

  it('groups separate calls in a transaction, which lands as one', async () => {
    const inT = ['--transaction', 'T']
    expect((await cli.call('edit', EDIT, ...inT)).result.meta).toMatchObject({
      transaction: 'T',
      changed: ['src/a.ts'],
    })
    await cli.call('write', { path: 'src/b.ts', content: 'b\n', expect: 'absent' }, ...inT)
    expect((await cli.call('read', { path: 'src/a.ts' }, ...inT)).result.data.content).toBe('eins\n')
    expect((await cli.call('read', { path: 'src/a.ts' })).result.data.content).toBe('one\n')
    const { out } = await cli.run(['call', 'stage', '{"action":"diff"}', '--transaction', 'T'])
    expect(out).toContain('+eins')
    expect((await cli.call('undo', {}, ...inT)).result.error.code).toBe('conflict')
    const refused = await cli.call('stage', { action: 'commit' }, ...inT)
    expect(refused.result.error).toMatchObject({ code: 'rejected', message: expect.stringContaining('src/a.ts') })
    const done = await cli.call('stage', { action: 'commit' }, ...inT, '--yes')
    expect(done.result.meta.changed).toEqual(['src/a.ts', 'src/b.ts'])
    expect(cli.workspace.read('src/b.ts')).toBe('b\n')
    expect(await cli.call('stage', { action: 'commit' }, '--transaction', 'T')).toMatchObject({
      code: 1,
      result: { error: { code: 'not_found' } },
    })
    await cli.run(['undo', '--yes'])
    expect([cli.workspace.read('src/a.ts'), existsSync(join(cli.workspace.path, 'src/b.ts'))]).toEqual(['one\n', false])
  })

  it('begins a transaction under an id of its own', async () => {
    const id = (await cli.call('stage', { action: 'begin' })).result.data.transaction
    await cli.call('delete', { path: 'notes.md' }, '--transaction', id, '--yes')
    expect((await cli.call('stage', { action: 'rollback' }, '--transaction', id)).result.data.changed).toEqual([
      'notes.md',
    ])
    expect(cli.workspace.read('notes.md')).toBe('# Notes\n')
  })

  it('answers every ask with --yes, and never a deny', async () => {
    expect(await cli.call('edit', EDIT)).toMatchObject({ code: 3, result: { error: { code: 'rejected' } } })
    expect(await cli.call('edit', EDIT, '--yes')).toMatchObject({ code: 0 })
    expect(await cli.call('write', { path: '.git/hooks/pre-commit', content: 'x' }, '--yes')).toMatchObject({
      code: 3,
      result: { error: { code: 'denied' } },
    })
    cli.configure({ policy: { rules: [{ action: 'write', path: 'src/**', verdict: 'deny' }] } })
    expect(await cli.call('delete', { path: 'src/a.ts' }, '--yes', '--allow', 'fs:write')).toMatchObject({
      code: 3,
      result: { error: { code: 'denied' } },
    })
    expect(existsSync(join(cli.workspace.path, 'src/a.ts'))).toBe(true)
  })

  it('--read-only runs what changes nothing, --allow what it names', async () => {
    expect(await cli.call('read', { path: 'notes.md' }, '--read-only')).toMatchObject({ code: 0 })
    expect(await cli.call('edit', EDIT, '--read-only', '--yes', '--allow', 'fs:write')).toMatchObject({
      code: 3,
      result: { error: { code: 'denied', message: expect.stringContaining('read-only') } },
    })
    expect(await cli.call('edit', EDIT, '--allow', 'fs:write:doc/**')).toMatchObject({ code: 3 })
    expect(await cli.call('edit', EDIT, '--allow', 'fs:write:doc/**', '--allow', 'fs:write:src/**')).toMatchObject({
      code: 0,
    })
  })

  it('counts budgets for each --component, over separate runs', async () => {
    cli.configure({ budgets: [{ tool: 'toolwright/read', calls: 2 }] })
    const read = (component: string) => cli.call('read', { path: 'notes.md' }, '--component', component)
    expect([(await read('one')).code, (await read('one')).code]).toEqual([0, 0])
    expect(await read('one')).toMatchObject({ code: 1, result: { error: { code: 'budget_exceeded' } } })
    expect((await read('two')).code).toBe(0)
  })

  it("takes its input from standard input where it is '-'", async () => {
    const { code, out } = await cli.run(['call', 'read', '-', '--json'], { input: '{"path":"notes.md"}\n' })
    expect([code, JSON.parse(out).data.content]).toEqual([0, '# Notes\n'])
  })

  it('works on another --root, with another --config', async () => {
    cli.workspace.write('sub/x.txt', 'x')
    const config = join(cli.workspace.base, 'other.json')
    writeFileSync(config, JSON.stringify({ policy: { defaults: { read: 'deny' } } }))
    const root = join(cli.workspace.path, 'sub')
    expect((await cli.call('read', { path: 'x.txt' }, '--root', root)).code).toBe(0)
    expect((await cli.call('read', { path: '../notes.md' }, '--root', root)).code).toBe(3)
    expect((await cli.call('read', { path: 'x.txt' }, '--root', root, '--config', config)).code).toBe(3)
  })
})

describe('exit codes', () => {
  it.each([
    [0, 'a call that succeeds', ['call', 'read', '{"path":"notes.md"}']],
    [1, 'a tool that fails', ['call', 'read', '{"path":"nope"}']],
    [1, 'an input that the tool refuses', ['call', 'read', '{"file":"notes.md"}']],
    [1, 'a tool that there is not', ['call', 'reed', '{}']],
    [2, 'an input that is no JSON', ['call', 'read', '{path:notes.md}']],
    [2, 'no tool at all', ['call']],
    [2, 'too much', ['call', 'read', '{}', '{}']],
    [2, 'an unknown option', ['call', 'read', '{}', '--force']],
    [2, 'a contract that there is not', ['call', 'read', '{}', '--contract', 'nope']],
    [2, 'a permission that cannot be read', ['call', 'read', '{"path":"notes.md"}', '--allow', 'fs:everything']],
    [2, 'a transaction that cannot be one', ['call', 'read', '{"path":"notes.md"}', '--transaction', '../x']],
    [1, 'a directory that is not there', ['call', 'read', '{}', '--root', '/nowhere/at/all']],
    [1, 'a configuration that is not there', ['call', 'read', '{}', '--config', '/nowhere/at/all.json']],
    [3, 'a path outside', ['call', 'read', '{"path":"../x"}']],
    [3, 'a call that no one can approve', ['call', 'delete', '{"path":"notes.md"}']],
    [3, 'a protected place', ['call', 'write', '{"path":".git/x","content":""}', '--yes']],
    [2, 'a command that there is not', ['cal']],
  ])('%i: %s', async (expected, _what, args) => {
    const { code, out, err } = await cli.run(args)
    expect([code, out + err]).toEqual([expected, expect.stringMatching(/\S/)])
    if (expected === 2) expect(err).toMatch(/^toolwright: .+/)
  })

  it('says with a broken configuration where it is broken', async () => {
    cli.configure({ permissionz: [] })
    const { code, err } = await cli.run(['call', 'read', '{"path":"notes.md"}'])
    expect([code, err]).toEqual([2, expect.stringMatching(/config\.json:1:\d+: unknown key 'permissionz'/)])
  })
})

describe('toolwright call --jsonl', () => {
  it('writes one result line for each call, in order, in one session', async () => {
    const { code, out } = await cli.run(['call', '--jsonl', '--yes'], {
      input: [
        '{"tool":"write","input":{"path":"n.txt","content":"1","expect":"absent"}}',
        '{"tool":"write","input":{"path":"n.txt","content":"2"}}',
        '',
        '{"tool":"Read","input":{"file":"n.txt"},"contract":"sage"}',
        '{"tool":"delete","input":{"path":"n.txt"}}',
      ].join('\r\n'),
    })
    expect(code).toBe(0)
    expect(lines(out)).toMatchObject([
      { ok: true, data: { created: true } },
      { ok: true, data: { created: false } },
      { ok: true, data: { content: '2' } },
      { ok: true, data: { path: 'n.txt' } },
    ])
  })

  it('SC-14: counts each line for the component that it names', async () => {
    const ask = '"tool":"queryIndex","input":{"query":{"type":"listAll"}}'
    const { code } = await cli.run(['call', '--jsonl', '--contract', 'superconnect', '--component', 'Own'], {
      input: [`{${ask},"component":"Link"}`, `{${ask}}`, `{${ask},"component":"Link"}`].join('\n'),
    })
    expect(code).toBe(0)
    const told = (component: string) => cli.workspace.read(`superconnect/${component}/tool-metrics.jsonl`)
    expect(lines(told('Link'))).toMatchObject([{ component: 'Link' }, { component: 'Link' }])
    expect(lines(told('Own'))).toMatchObject([{ component: 'Own' }])
    const { out } = await cli.run(['call', '--jsonl'], { input: `{${ask},"component":3}` })
    expect(lines(out)).toMatchObject([
      { error: { code: 'invalid_line', message: expect.stringContaining('component') } },
    ])
  })

  it('DA-01: takes the input by the name that a document gives it, and not by both', async () => {
    const named = (more: string) => `{"tool":"read","parameters":{"path":"notes.md"}${more}}`
    const { out } = await cli.run(['call', '--jsonl'], { input: [named(''), named(',"input":{}')].join('\n') })
    expect(lines(out)).toMatchObject([{ ok: true }, { error: { code: 'invalid_line' } }])
  })

  it('goes on after a line that fails, is refused or cannot be understood, and ends with the worst code', async () => {
    const input = [
      '{"tool":"read","input":{"path":"nope"}}',
      'not json',
      '[]',
      '{"tool":"read"}',
      '{"tool":"read","input":{"path":"notes.md"},"contract":"nope"}',
      '{"tool":"read","input":{"path":"notes.md"},"extra":1}',
      '{"tool":"nope","input":{}}',
      '{"tool":"read","input":{"path":"notes.md"}}',
    ]
    const { code, out } = await cli.run(['call', '--jsonl'], { input: input.join('\n') })
    expect(lines(out).map(line => (line['ok'] ? 'ok' : Object(line['error']).code))).toEqual([
      'not_found',
      'invalid_line',
      'invalid_line',
      'invalid_input',
      'invalid_line',
      'invalid_line',
      'unknown_tool',
      'ok',
    ])
    expect(lines(out)[4]).toMatchObject({ error: { message: expect.stringContaining('toolwright, sage') } })
    expect(code).toBe(2)
    const refused = await cli.run(['call', '--jsonl'], { input: '{"tool":"delete","input":{"path":"notes.md"}}' })
    expect(refused.code).toBe(3)
  })

  it('stays in a transaction that it began', async () => {
    const calls = [
      { tool: 'stage', input: { action: 'begin' } },
      { tool: 'delete', input: { path: 'notes.md' } },
      { tool: 'read', input: { path: 'notes.md' } },
      { tool: 'stage', input: { action: 'rollback' } },
      { tool: 'read', input: { path: 'notes.md' } },
    ]
    const { out } = await cli.run(['call', '--jsonl', '--yes'], {
      input: calls.map(call => JSON.stringify(call)).join('\n'),
    })
    expect(lines(out).map(({ ok }) => ok)).toEqual([true, true, false, true, true])
  })

  it('takes no tool as an argument', async () => {
    expect(await cli.run(['call', 'read', '--jsonl'])).toMatchObject({ code: 2 })
  })
})
