// oxlint-disable vitest/no-standalone-expect -- some tests are given by `needs`, which the rule does not see
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { superconnect } from '../../src/contracts.ts'
import { lines, useCli } from './rig.ts'
import { needs } from '../needs.ts'

const cli = useCli({ 'src/a.ts': 'one\n' })
const edit = (old: string, next: string) => ({ path: 'src/a.ts', edits: [{ old, new: next }] })

describe('toolwright help', () => {
  /** The names of the commands that the help lists. */
  const listed = async () => {
    const names = [...(await cli.run(['help'])).out.matchAll(/^ {2}([a-z]+) +\S/gm)].map(([, name = '']) => name)
    expect(names).toEqual(expect.arrayContaining(['call', 'mcp', 'help']))
    return names
  }

  it('is given by every spelling, with the exit codes', async () => {
    const { code, out } = await cli.run(['help'])
    expect(code).toBe(0)
    expect(out).toContain('Exit codes: 0 ok, 1 the tool failed, 2 usage, 3 refused')
    for (const args of [[], ['--help'], ['-h']]) expect(await cli.run(args)).toMatchObject({ code: 0, out })
  })

  it('explains every command that it lists, in both spellings', async () => {
    for (const name of await listed()) {
      const { code, out } = await cli.run(['help', name])
      expect([code, out]).toEqual([0, expect.stringContaining(`toolwright ${name}`)])
      if (name !== 'help') expect((await cli.run([name, '--help'])).out).toBe(out)
    }
  })

  it('lists commands that can be run: each refuses an option it does not know, and says where to look', async () => {
    for (const name of await listed()) {
      if (name === 'help') continue
      const { code, err } = await cli.run([name, '--nope'])
      expect([code, err]).toEqual([2, expect.stringMatching(new RegExp(`'--nope'[^]*toolwright help ${name}`))])
    }
  })

  it('names a command that there is not', async () => {
    for (const args of [['help', 'nope'], ['nope']])
      expect(await cli.run(args)).toMatchObject({ code: 2, err: expect.stringMatching(/'nope'[^]*toolwright help/) })
  })

  it.each([
    ['constructor'],
    ['help', 'constructor'],
    ['help', '__proto__'],
    ['policy', 'toString'],
    ['toString', '--help'],
  ])('knows no command by what every object has: %s %s', async (...args) => {
    const { code, err, out } = await cli.run(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/There is no command|has no 'toString'/)
  })
})

describe('toolwright mcp', () => {
  it.each([
    [['--tools', 'tiny'], '--tools takes core'],
    [['--tools', 'core', '--contract', 'sage'], '--tools is for the tools of toolwright'],
    [['--structured', 'often'], '--structured takes never, auto, always'],
  ])('refuses what it does not take: %j', async (args, said) => {
    expect(await cli.run(['mcp', ...args])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(said) })
  })
})

describe('toolwright tools', () => {
  it('SC-22: prints the prompts of a contract that has some', async () => {
    for (const framework of ['react', 'angular']) {
      const { code, out } = await cli.run(['tools', '--contract', 'superconnect', '--prompt', framework])
      expect([code, `${out.trimEnd()}\n`]).toEqual([0, superconnect.prompts?.[framework]?.()])
    }
    for (const [contract, prompt, said] of [
      ['superconnect', 'vue', "no prompt 'vue'; there are react, angular"],
      ['superconnect', 'constructor', "no prompt 'constructor'"],
      ['sage', 'react', "'sage' has no prompt 'react'"],
    ] as const) {
      const { code, out, err } = await cli.run(['tools', '--contract', contract, '--prompt', prompt])
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(said)
    }
  })

  it('CA-01: lists name, parameters, risk and description', async () => {
    const { out } = await cli.run(['tools'])
    expect(out).toMatch(/^read \{path, from\?, to\?, skip\?, encoding\?\} {2}read_only\n {2}\S/m)
    expect(out).toMatch(/^delete \{path, effects\?\} {2}dangerous\n/m)
  })

  it('CA-01: lists with --read-only the tools that change nothing', async () => {
    const risksOf = (out: string) =>
      [...out.matchAll(/^(\w+) \{.*\} {2}(\w+)$/gm)].map(([, name, risk]) => [name, risk])
    const all = risksOf((await cli.run(['tools'])).out)
    expect(all).toEqual(
      expect.arrayContaining([
        ['read', 'read_only'],
        ['write', 'dangerous'],
      ]),
    )
    expect(risksOf((await cli.run(['tools', '--read-only'])).out)).toEqual(
      all.filter(([, risk]) => risk === 'read_only'),
    )
  })

  it('CA-01: gives each tool with schema, risk and whether it needs approval as JSON', async () => {
    for (const args of [
      ['tools', '--json'],
      ['tools', '--format', 'json'],
    ]) {
      const tools = JSON.parse((await cli.run(args)).out)
      expect(tools.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(['read', 'write', 'edit', 'patch', 'move', 'delete', 'undo', 'stage']),
      )
      expect(tools[0]).toMatchObject({
        name: 'read',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        risk: 'read_only',
        requiresApproval: false,
        input: { type: 'object', required: ['path'] },
      })
      expect(tools.find(({ name }: { name: string }) => name === 'write')).toMatchObject({
        risk: 'dangerous',
        requiresApproval: true,
      })
    }
  })

  it('CA-17: exports in the form of OpenAI function calling', async () => {
    const [read] = JSON.parse((await cli.run(['tools', '--contract', 'sage', '--format', 'openai'])).out)
    expect(read).toStrictEqual({
      name: 'Read',
      description: expect.any(String),
      parameters: {
        type: 'object',
        properties: {
          file: { type: 'string', description: expect.any(String) },
          offset: expect.objectContaining({ type: 'integer' }),
          limit: expect.objectContaining({ type: 'integer' }),
        },
        required: ['file'],
      },
    })
  })

  it('exports for Anthropic, Gemini and MCP', async () => {
    const first = async (format: string) => JSON.parse((await cli.run(['tools', '--format', format])).out)[0]
    expect(await first('anthropic')).toMatchObject({ name: 'read', input_schema: { type: 'object' } })
    expect(JSON.stringify(await first('gemini'))).not.toMatch(/additionalProperties|exclusiveMinimum/)
    expect(await first('mcp')).toMatchObject({
      name: 'read',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    })
    expect(await cli.run(['tools', '--format', 'xml'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('gemini'),
    })
    expect(await cli.run(['tools', '--contract', 'nope'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('sage'),
    })
  })
})

describe('toolwright log', () => {
  it('tells what was done, by whom it was allowed, and how to take it back', async () => {
    expect((await cli.run(['log'])).out).toBe('No calls recorded here yet.\n')
    const { result } = await cli.call('edit', edit('one', 'eins'), '--yes')
    await cli.call('read', { path: '../x' })
    const { out } = await cli.run(['log'])
    expect(out.split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^\\d{4}-\\d\\d-\\d\\d .* ✓ toolwright/edit changed src/a.ts allowed by --yes.* undo ${result.meta.undo}$`,
        ),
      ),
      expect.stringMatching(/✗ toolwright\/read \.\.\/x outside_workspace: .* id \w+$/),
      '',
    ])
    expect((await cli.run(['log', '--last', '1'])).out.split('\n')).toHaveLength(2)
    expect(lines((await cli.run(['log', '--json'])).out)).toMatchObject([
      { seq: 1, type: 'intent', tool: 'toolwright/edit', changed: ['src/a.ts'] },
      { seq: 2, tool: 'toolwright/edit', ok: true, changed: ['src/a.ts'] },
      { seq: 3, tool: 'toolwright/read', ok: false, code: 'outside_workspace' },
    ])
  })

  it('verifies the record, also against a head kept elsewhere, and finds an edit', async () => {
    await cli.call('edit', edit('one', 'eins'), '--yes')
    await cli.call('read', { path: 'src/a.ts' })
    const { code, out } = await cli.run(['log', 'verify'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^✓ 3 records, whole and in order\n {2}Head: \S+/)])
    const head = JSON.parse((await cli.run(['log', 'verify', '--json'])).out).head
    expect((await cli.run(['log', 'verify', '--head', String(head)])).code).toBe(0)
    expect((await cli.run(['log', 'verify', '--head', 'f'.repeat(64)])).code).toBe(1)

    const state = join(cli.workspace.base, 'state')
    const segment = readdirSync(state, { recursive: true, encoding: 'utf8' }).find(name =>
      /journal\/.*\.jsonl$/.test(name),
    )
    const file = join(state, segment ?? '')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"src/a.ts"', '"src/b.ts"'))
    const damaged = await cli.run(['log', 'verify'])
    expect([damaged.code, damaged.out]).toEqual([
      1,
      expect.stringMatching(/^✗ The journal was changed or damaged:\n {2}\S/),
    ])
    expect(JSON.parse((await cli.run(['log', 'verify', '--json'])).out)).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.objectContaining({ what: expect.stringContaining('record 1') })]),
    })
    expect((await cli.run(['doctor'])).code).toBe(1)
  })

  it('checks what records refer to: what gc removed is said to be, what is missing or changed is found', async () => {
    const verify = async () => JSON.parse((await cli.run(['log', 'verify', '--json'])).out)
    for (const name of ['a', 'b', 'c'])
      await cli.call(
        'write',
        { path: `${name}.txt`, content: `${name}${Math.random()}`.repeat(2_000), expect: 'absent' },
        '--yes',
      )
    expect(await verify()).toMatchObject({ ok: true, payloads: { ok: true, whole: 3, removed: 0, problems: [] } })
    expect((await cli.run(['log', 'verify'])).out).toContain('3 stored payloads, whole')

    await cli.run(['gc', '--max-bytes', '0'])
    expect(await verify()).toMatchObject({ ok: true, payloads: { ok: true, whole: 0, removed: 3 } })
    expect((await cli.run(['log', 'verify'])).out).toContain('3 more were removed to make room')

    for (const name of ['d', 'e'])
      await cli.call('write', { path: `${name}.txt`, content: name.repeat(20_000), expect: 'absent' }, '--yes')
    const [key = ''] = readdirSync(join(cli.workspace.base, 'state/workspaces'))
    const payloads = join(cli.workspace.base, 'state/workspaces', key, 'payloads')
    const [one = '', two = ''] = readdirSync(payloads, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    rmSync(one)
    writeFileSync(two, 'something else')
    const found = await verify()
    expect(found).toMatchObject({ ok: false, problems: [], payloads: { ok: false, whole: 0, removed: 3 } })
    const said = found.payloads.problems.map(({ what }: { what: string }) =>
      what.replace(/^The payload \w+ that it refers to /, ''),
    )
    expect(said.toSorted()).toEqual([
      expect.stringMatching(/^cannot be read back/),
      'is missing, and no record says why.',
    ])
    expect(await cli.run(['log', 'verify'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('removed or damaged'),
    })
  })

  it('refuses what it does not know', async () => {
    expect((await cli.run(['log', 'verfy'])).code).toBe(2)
    expect((await cli.run(['log', '--last', 'few'])).code).toBe(2)
  })
})

describe('toolwright policy add', () => {
  it.each(['nonsense', 'nonsense/*', 'toolwright/*', 'sage/Raed', 'Read'])(
    'refuses the tool %s that it does not know',
    async tool => {
      const { code, err } = await cli.run(['policy', 'add', tool, '--path', 'src/**'])
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/There is no tool[^]*Known tools: toolwright\/read, [^]*sage\/Read/),
      ])
    },
  )

  it.each(['1e20', '-1', '0', 'NaN', 'Infinity'])('refuses --expires %s', async days => {
    const { code, err } = await cli.run(['policy', 'add', 'write', '--path', 'src/**', `--expires=${days}`])
    expect([code, err]).toEqual([2, expect.stringContaining('--expires wants a number of days, at most 36500')])
  })

  it('takes a tool of another contract, and one that the configuration lists', async () => {
    cli.configure({ tools: ['acme/*'] })
    for (const tool of ['sage/Read', 'acme/build'])
      expect((await cli.run(['policy', 'add', tool, '--path', 'src/**'])).code).toBe(0)
  })
})

describe('toolwright undo', () => {
  it('takes back the newest commit, or the one that is named, without asking twice', async () => {
    const first = (await cli.call('edit', edit('one', '1'), '--yes')).result.meta.undo
    cli.workspace.write('b.txt', 'b\n')
    const second = (await cli.call('delete', { path: 'b.txt' }, '--yes')).result.meta.undo
    const { out } = await cli.run(['undo', '--list'])
    expect(out.split('\n').map(line => line.split(/ {2}/)[0])).toEqual([second, first, ''])
    expect(JSON.parse((await cli.run(['undo', '--list', '--json'])).out)).toMatchObject([
      { id: second, paths: ['b.txt'] },
      { id: first, paths: ['src/a.ts'] },
    ])
    expect((await cli.run(['undo', '--dry-run'])).out).toContain('+b')
    expect((await cli.run(['undo', first])).code).toBe(0)
    expect(cli.workspace.read('src/a.ts')).toBe('one\n')
    expect((await cli.run(['undo'])).code).toBe(0)
    expect(cli.workspace.read('b.txt')).toBe('b\n')
    expect(await cli.run(['undo'])).toMatchObject({ code: 1, out: expect.stringContaining('nothing to undo') })
  })

  it('tells what it breaks as far as it is asked to', async () => {
    await cli.call('edit', edit('one', '1'), '--yes')
    expect(await cli.run(['undo', '--effects', 'all'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('off, quick or complete'),
    })
    const { code, out } = await cli.run(['undo', '--effects', 'off', '--json'])
    expect([code, JSON.parse(out).meta.effects]).toEqual([0, undefined])
    const { input } = JSON.parse((await cli.run(['log', '--last', '1', '--json'])).out)
    expect(input).toEqual({ effects: 'off' })
  })

  it('reports a conflict with later work, and loses nothing', async () => {
    const id = (await cli.call('edit', edit('one', '1'), '--yes')).result.meta.undo
    appendFileSync(join(cli.workspace.path, 'src/a.ts'), 'later\n')
    const { code, out } = await cli.run(['undo', id, '--json'])
    expect([code, JSON.parse(out)]).toMatchObject([
      1,
      { error: { code: 'conflict', details: { paths: ['src/a.ts'] } } },
    ])
    expect(cli.workspace.read('src/a.ts')).toBe('1\nlater\n')
  })

  it('says what can be undone where the id is unknown', async () => {
    expect((await cli.run(['undo', '--list'])).out).toBe('There is nothing to undo.\n')
    expect((await cli.run(['undo', 'nope'])).code).toBe(1)
    expect((await cli.run(['undo', 'a', 'b'])).code).toBe(2)
  })
})

describe('toolwright trust', () => {
  const project = (config: object) => cli.workspace.write('toolwright.json', JSON.stringify(config))

  it('lets a project widen what is allowed only as long as its file stays as it is', async () => {
    project({
      permissions: ['fs:write:src/**'],
      policy: { rules: [{ action: 'read', path: 'secret/**', verdict: 'deny' }] },
    })
    cli.workspace.write('secret/x', 'x')
    expect((await cli.call('edit', edit('one', '1'))).code).toBe(3)
    expect((await cli.call('read', { path: 'secret/x' })).code).toBe(3)

    expect(await cli.run(['trust'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Trusted .*toolwright\.json/),
    })
    expect((await cli.run(['trust'])).out).toContain('already')
    expect((await cli.run(['trust', '--list'])).out).toMatch(/toolwright\.json .* ada\n$/)
    expect((await cli.call('edit', edit('one', '1'))).code).toBe(0)
    expect((await cli.call('read', { path: 'secret/x' })).code).toBe(3)

    project({ permissions: ['fs:write'] })
    expect((await cli.call('edit', edit('1', '2'))).code).toBe(3)
    expect((await cli.run(['doctor'])).out).toContain('changed since you trusted it')
    await cli.run(['trust'])
    expect((await cli.call('edit', edit('1', '2'))).code).toBe(0)
    expect((await cli.run(['trust', '--revoke'])).out).toBe('No longer trusted.\n')
    expect((await cli.call('edit', edit('2', '3'))).code).toBe(3)
    const records = lines((await cli.run(['log', '--json'])).out).filter(({ type }) => type === 'trust')
    expect(records).toMatchObject([
      {
        change: 'pinned',
        file: join(cli.workspace.path, 'toolwright.json'),
        by: 'ada',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      { change: 'pinned' },
      { change: 'unpinned', by: 'ada' },
    ])
  })

  it('follows no link that lies in the place of the file', async () => {
    writeFileSync(join(cli.workspace.base, 'elsewhere.json'), '{"permissions":["fs:write"]}')
    symlinkSync('../elsewhere.json', join(cli.workspace.path, 'toolwright.json'))
    for (const args of [['trust'], ['call', 'read', '{"path":"src/a.ts"}']])
      expect(await cli.run(args)).toMatchObject({ code: 3, err: expect.stringContaining('toolwright.json is a link') })
    expect((await cli.run(['doctor'])).out).toContain('toolwright.json is a link')
  })

  it('follows a link that you put in the place of your own configuration', async () => {
    mkdirSync(join(cli.workspace.base, 'config'), { recursive: true })
    writeFileSync(join(cli.workspace.base, 'mine.json'), '{"permissions":["fs:write"]}')
    symlinkSync('../mine.json', join(cli.workspace.base, 'config/config.json'))
    expect((await cli.call('edit', edit('one', '1'))).code).toBe(0)
  })

  needs('bubblewrap')('does not run validators of a project that is not trusted', async () => {
    project({ validators: [{ name: 'evil', command: ['/bin/sh', '-c', `touch ${cli.workspace.base}/ran; exit 1`] }] })
    expect((await cli.call('edit', edit('one', '1'), '--yes')).code).toBe(0)
    expect(readdirSync(cli.workspace.base)).not.toContain('ran')
    await cli.run(['trust'])
    expect((await cli.call('edit', edit('1', '2'), '--yes')).result.error.code).toBe('conflict')
    // It ran, and the sandbox kept it from writing outside.
    expect(readdirSync(cli.workspace.base)).not.toContain('ran')
  })

  it('pins nothing that is missing or wrong', async () => {
    expect(await cli.run(['trust'])).toMatchObject({ code: 2, err: expect.stringContaining('toolwright.json') })
    project({ nonsense: 1 })
    expect(await cli.run(['trust'])).toMatchObject({ code: 2, err: expect.stringContaining('nonsense') })
    expect((await cli.run(['trust', '--list'])).out).toBe('No project is trusted.\n')
  })
})

describe('toolwright gc and doctor', () => {
  it('brings the state back within its bound, and says what went', async () => {
    for (let count = 0; count < 4; count++) {
      await cli.call('write', { path: `n${count}.txt`, content: `${count}`.repeat(50_000), expect: 'absent' }, '--yes')
      await cli.call('delete', { path: `n${count}.txt` }, '--yes')
    }
    const kept = JSON.parse((await cli.run(['gc', '--json'])).out)
    expect(kept.removed).toEqual([])
    const { code, out } = await cli.run(['gc', '--max-bytes', '60000'])
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^State: [\d.]+ kB before, [\d.]+ kB now\n {2}commits of .* freed\n/),
    ])
    expect(JSON.parse((await cli.run(['undo', '--list', '--json'])).out).length).toBeLessThan(8)
    expect((await cli.run(['log', 'verify'])).code).toBe(0)
    expect((await cli.run(['gc', '--max-bytes', 'many'])).code).toBe(2)
  })

  it('says in words what protects and what does not, and the same as JSON', async () => {
    const { code, out } = await cli.run(['doctor'])
    expect(code).toBe(0)
    for (const about of ['Paths', 'Commands', 'Commits', 'Journal', 'State', 'Policy'])
      expect(out).toMatch(new RegExp(`^[✓!] ${about}: \\S`, 'm'))
    const findings = JSON.parse((await cli.run(['doctor', '--json'])).out)
    expect(findings[0]).toEqual({
      state: expect.stringMatching(/^(good|limited|bad)$/),
      about: 'Paths',
      text: expect.any(String),
    })
  })

  it('says which languages of the workspace have a server, and what to install for the others', async () => {
    cli.workspace.write('src/a.ts', '')
    cli.workspace.write('src/Main.kt', '')
    const { out } = await cli.run(['doctor'], { env: { PATH: '/usr/bin:/bin' } })
    expect(out).toMatch(/^✓ Languages: asked in the sandbox: typescript \(ts, /m)
    expect(out).toMatch(/^! Languages: no server for kotlin-lsp \(kt, kts\): Install/m)
    expect(out).not.toContain('pyright')
    expect(out).toMatch(/^✓ Graphs: the database for code graphs is installed$/m)
  })

  it('says of a server that cannot start what it said', async () => {
    cli.workspace.write('src/a.broken', '')
    const args = ['-c', 'echo out of order >&2; exit 7']
    const server = { language: 'broken', command: '/bin/sh', args, extensions: ['broken'] }
    cli.workspace.write('../servers.json', JSON.stringify({ languageServers: [server] }))
    const { code, out } = await cli.run(['doctor', '--config', join(cli.workspace.base, 'servers.json')])
    expect(code).toBe(0)
    expect(out).toMatch(/^! Languages: broken \(broken\) does not start: .*exit code 7\): out of order/m)
  })

  it('says what is wrong with a state that cannot be used, and what it can besides', async () => {
    cli.workspace.write('../file', '')
    const TOOLWRIGHT_STATE = join(cli.workspace.base, 'file/state')
    const { code, out, err } = await cli.run(['doctor'], { env: { TOOLWRIGHT_STATE } })
    expect([code, err]).toEqual([1, ''])
    expect(out).toMatch(/^✓ Paths: .*tried out just now\n✗ Workspace: .*file.* is not a directory.*\n! State: /)
  })

  it('goes on where one part of the state is broken', async () => {
    await cli.call('edit', edit('one', '1'), '--yes')
    const [key = ''] = readdirSync(join(cli.workspace.base, 'state/workspaces'))
    rmSync(join(cli.workspace.base, 'state/workspaces', key, 'journal/journal.jsonl'))
    mkdirSync(join(cli.workspace.base, 'state/workspaces', key, 'journal/journal.jsonl'))
    const { code, out } = await cli.run(['doctor'])
    expect(code).toBe(1)
    expect(out).toMatch(/^✗ Journal: \S[^]*^✓ State: /m)
  })

  it('names approval rules that cannot be used, and calls and undo go on by asking', async () => {
    mkdirSync(join(cli.workspace.base, 'state'), { mode: 0o700 })
    writeFileSync(join(cli.workspace.base, 'state/approvals.json'), '{broken')
    expect(await cli.run(['doctor'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^✗ Approvals: .*approvals\.json cannot be used.*no stored rule counts/m),
    })
    expect((await cli.call('read', { path: 'src/a.ts' })).code).toBe(0)
    expect((await cli.call('edit', edit('one', '1'))).code).toBe(3)
    expect((await cli.call('edit', edit('one', '1'), '--yes')).code).toBe(0)
    expect((await cli.run(['undo'])).code).toBe(0)
    expect((await cli.run(['policy', 'list'])).err).toContain('cannot be used')
    expect((await cli.run(['policy', 'add', 'write', '--path', 'a', '--scope', 'user'])).code).toBe(1)
  })

  it('names what it was left out of an untrusted project', async () => {
    cli.workspace.write('toolwright.json', JSON.stringify({ permissions: ['fs:write'] }))
    expect((await cli.run(['doctor'])).out).toMatch(
      /have not trusted[^]*permission 'fs:write' in the project's configuration is ignored/,
    )
  })
})

describe('toolwright tour', () => {
  it('makes real calls and leaves nothing behind but its records', async () => {
    const before = cli.workspace.snapshot()
    const { code, out } = await cli.run(['tour'])
    expect([code, out]).toEqual([0, expect.stringContaining('What next')])
    expect(cli.workspace.snapshot()).toEqual(before)
    expect(lines((await cli.run(['log', '--json'])).out).length).toBeGreaterThan(4)
  })

  it('prints its own command so that a shell can read it back', async () => {
    const argv = process.argv[1]
    process.argv[1] = "/tmp/it's here/cli.cjs"
    try {
      const { out } = await cli.run(['tour'], { env: { npm_lifecycle_event: 'start' } })
      expect(out).toContain("  node '/tmp/it'\\''s here/cli.cjs' tools ")
    } finally {
      process.argv[1] = argv ?? ''
    }
  })

  it('says how to connect a client, with the command and the directory as they are', async () => {
    const { out } = await cli.run(['tour'])
    const [, json = ''] = /in \.vscode\/mcp\.json:\n(.*)\n/.exec(out) ?? []
    const { command, args } = JSON.parse(json).servers.toolwright
    expect([command, args.slice(-3)]).toEqual([process.execPath, ['mcp', '--root', '${workspaceFolder}']])
    expect(out).toMatch(/claude mcp add toolwright -- .* mcp --root /)
    expect(out).toMatch(/in \.codex\/config\.toml:\n {4}\[mcp_servers\.toolwright\]\n {4}command = "/)
  })
})
