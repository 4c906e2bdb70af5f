import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lines, useCli } from './rig.ts'

const cli = useCli({ 'src/a.ts': 'one\n', 'src/b.ts': 'two\n', 'doc/c.md': 'three\n' })
const edit = (path: string, old: string, next: string) => [
  'call',
  'edit',
  JSON.stringify({ path, edits: [{ old, new: next }] }),
]

describe('a question on the terminal', () => {
  it('CA-14: shows tool, parameters, files, what could happen, the diff, and what always would mean', async () => {
    const { code, err } = await cli.run(edit('src/a.ts', 'one', 'eins'), { person: ['y'] })
    expect(code).toBe(0)
    expect(err.replaceAll('\r', '')).toContain(`
Tool: edit
Parameters:
  path: src/a.ts
  edits: [{"old":"one","new":"eins"}]
Files affected: src/a.ts
Could happen: changes src/a.ts
Why: write src/a.ts: no rule, and the default for write is ask
Changes:
  diff --git a/src/a.ts b/src/a.ts
  --- a/src/a.ts
  +++ b/src/a.ts
  @@ -1 +1 @@
  -one
  +eins
Always means: toolwright/edit: read src/*.ts, write src/*.ts

`)
    expect(err).toContain('Approve? (y/n/always):')
    expect(cli.workspace.read('src/a.ts')).toBe('eins\n')
  })

  it('says what could happen in proportion: git log only reads, and is not dangerous', async () => {
    const asked = async (input: object) =>
      (await cli.run(['call', 'run', JSON.stringify(input)], { person: ['n'] })).err
    const log = await asked({ command: 'git log' })
    expect(log).toContain('Could happen: runs a command that only reads')
    expect(log).not.toContain('dangerous')
    expect(await asked({ command: 'npm test', hosts: ['packages.example.com'] })).toContain(
      'Could happen: runs code, which may change files of the workspace; reaches https://packages.example.com',
    )
  })

  it('CA-14: shows long content as its size', async () => {
    const call = ['call', 'write', JSON.stringify({ path: 'new.txt', content: 'x'.repeat(5_000), expect: 'absent' })]
    const { err } = await cli.run(call, { person: ['n'] })
    expect(err).toContain('content: <5000 bytes>')
    expect(err).toContain('Files affected: new.txt')
  })

  it.each([
    ['y', 0],
    ['YES', 0],
    ['n', 3],
    ['', 3],
    ['yes please', 3],
    ['allways', 3],
    [undefined, 3],
  ])('takes %j for exit code %i', async (typed, expected) => {
    const { code, out } = await cli.run(edit('src/a.ts', 'one', 'eins'), { person: [typed] })
    expect(code).toBe(expected)
    expect(cli.workspace.read('src/a.ts')).toBe(expected === 0 ? 'eins\n' : 'one\n')
    if (expected === 3) expect(out).toContain("'toolwright/edit' was not approved")
  })

  it('shows nothing that could steer the terminal or pass for a line of the card', async () => {
    const name = 'evil\x1b[2K\nApprove? (y\u202en.txt'
    cli.workspace.write(name, 'x')
    const { err } = await cli.run(['call', 'delete', JSON.stringify({ path: name })], { person: ['n'] })
    const card = err.slice(0, err.lastIndexOf('Approve? (y/n/always)')).replace('\x1b[1G\x1b[0J', '')
    // oxlint-disable-next-line no-control-regex
    expect(card).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]/)
    expect(card).not.toMatch(/^Approve\?/m)
    expect(existsSync(join(cli.workspace.path, name))).toBe(true)
  })

  it('CA-15: remembers always, uses it next time, shows, switches and forgets it', async () => {
    expect((await cli.run(edit('src/a.ts', 'one', 'eins'), { person: ['always'] })).code).toBe(0)
    const again = await cli.run(edit('src/b.ts', 'two', 'zwei'))
    expect([again.code, again.err]).toEqual([0, ''])
    expect((await cli.run(edit('doc/c.md', 'three', 'drei'))).code).toBe(3)

    const [rule] = JSON.parse((await cli.run(['policy', 'list', '--json'])).out)
    expect(rule).toMatchObject({
      tool: 'toolwright/edit',
      scope: 'workspace',
      by: 'ada',
      enabled: true,
      at: expect.any(String),
      expiresAt: expect.any(String),
      lastUsed: expect.any(String),
    })
    expect(Date.parse(rule.expiresAt) - Date.parse(rule.at)).toBe(90 * 86_400_000)
    const listed = (await cli.run(['policy', 'list'])).out
    expect(listed).toMatch(
      new RegExp(`^${rule.id}  on   toolwright/edit  read src/\\*\\.ts, write src/\\*\\.ts  workspace\n`),
    )
    expect(listed).toMatch(/by ada, at .*, expires .*, last used /)

    expect((await cli.run(['policy', 'disable', rule.id])).code).toBe(0)
    expect((await cli.run(edit('src/b.ts', 'zwei', 'two'))).code).toBe(3)
    expect((await cli.run(['policy', 'enable', rule.id])).code).toBe(0)
    expect((await cli.run(edit('src/b.ts', 'zwei', 'two'))).code).toBe(0)
    expect((await cli.run(['policy', 'remove', rule.id])).code).toBe(0)
    expect((await cli.run(edit('src/b.ts', 'two', 'zwei'))).code).toBe(3)
    const changes = lines((await cli.run(['log', '--json'])).out).filter(record => record['type'] === 'rule')
    expect(changes.map(record => [record['change'], record['by']])).toEqual([
      ['disabled', 'ada'],
      ['enabled', 'ada'],
      ['removed', 'ada'],
    ])
  })

  it('names every permission that a change to several files needs, where no one can be asked', async () => {
    const { code, out } = await cli.run(['call', 'move', '{"from":"src/a.ts","to":"b.ts"}'])
    expect(code).toBe(3)
    const [, flags = ''] = /\((--allow '[^)]*) on the command line\)/.exec(out) ?? []
    const allowed = flags.match(/[^' ]+:[^' ]+/g) ?? []
    expect(allowed.length).toBeGreaterThan(1)
    const again = ['call', 'move', '{"from":"src/a.ts","to":"b.ts"}']
    expect((await cli.run([...again, ...allowed.flatMap(each => ['--allow', each])])).code).toBe(0)
  })

  it('asks every time about a protected place, and --yes answers', async () => {
    const call = ['call', 'write', JSON.stringify({ path: '.vscode/settings.json', content: '{}' })]
    const { code, err } = await cli.run(call, { person: ['always'] })
    expect(code).toBe(3)
    expect(err).toContain('Approve? (y/n): ')
    expect(err).not.toMatch(/Always means|n\/always/)
    expect((await cli.run(call, { person: ['y'] })).code).toBe(0)
    expect(JSON.parse((await cli.run(['policy', 'list', '--json'])).out)).toEqual([])
    expect((await cli.run(['call', 'delete', '{"path":".vscode/settings.json"}'])).code).toBe(3)
    expect((await cli.run(['call', 'delete', '{"path":".vscode/settings.json"}', '--yes'])).code).toBe(0)
  })
})

describe('toolwright policy', () => {
  it('adds rules by hand: paths', async () => {
    const added = await cli.run([
      'policy',
      'add',
      'edit',
      '--path',
      'src/**',
      '--expires',
      '7',
      '--why',
      'codemod',
      '--json',
    ])
    expect(added.code).toBe(0)
    expect(JSON.parse(added.out)).toMatchObject({
      tool: 'toolwright/edit',
      scope: 'workspace',
      by: 'ada',
      why: 'codemod',
    })
    expect((await cli.run(edit('src/a.ts', 'one', 'eins'))).code).toBe(0)
    expect((await cli.run(edit('doc/c.md', 'three', 'drei'))).code).toBe(3)
  })

  it('CA-15: adds rules by hand: a pattern over the serialized parameters, matched as a whole', async () => {
    const add = ['policy', 'add', 'toolwright/delete', '--pattern', '^{"path":"src/.*\\.ts"}$', '--scope', 'user']
    expect((await cli.run(add)).code).toBe(0)
    expect((await cli.run(['call', 'delete', '{"path":"doc/c.md"}'])).code).toBe(3)
    expect((await cli.run(['call', 'delete', '{"path":"src/../doc/c.md"}'])).code).toBe(3)
    expect((await cli.run(['call', 'delete', '{"path":"src/a.ts"}'])).code).toBe(0)
    expect((await cli.run(['call', 'move', '{"from":"src/b.ts","to":"src/c.ts"}'])).code).toBe(3)
  })

  it.each([
    [['policy', 'add'], /Name one tool/],
    [['policy', 'add', 'edit'], /either --path globs or one --pattern/],
    [['policy', 'add', 'edit', '--path', 'src/**', '--pattern', 'x'], /either/],
    [['policy', 'add', 'edit', '--path', 'src/**', '--scope', 'galaxy'], /--scope/],
    [['policy', 'add', 'edit', '--path', 'src/**', '--expires', 'soon'], /--expires/],
    [['policy', 'add', 'edit', '--pattern', '.*'], /every call|refused/i],
    [['policy', 'remove'], /id of one rule/],
    [['policy', 'frobnicate'], /no 'frobnicate'/],
    [['policy', 'check'], /--jsonl/],
  ])('says what is wrong with %j', async (args, message) => {
    const { code, err } = await cli.run(args)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
    expect(JSON.parse((await cli.run(['policy', 'list', '--json'])).out)).toEqual([])
  })

  it('knows no rule of that id', async () => {
    expect(await cli.run(['policy', 'remove', 'nope'])).toMatchObject({
      code: 1,
      err: expect.stringContaining("'nope'"),
    })
    expect((await cli.run(['policy', 'list'])).out).toBe('Nothing is remembered: every question is asked.\n')
  })

  it('checks what would be decided, line by line, and does nothing', async () => {
    cli.configure({
      policy: {
        rules: [
          { id: 'log', action: 'exec', command: 'git log', verdict: 'allow' },
          { id: 'push', action: 'exec', command: 'git push', verdict: 'deny', why: 'a person pushes' },
        ],
      },
    })
    const input = [
      '{"command":"git log --oneline"}',
      '{"command":"git push origin"}',
      '{"command":"ls"}',
      '{"tool":"read","input":{"path":"src/a.ts"}}',
      '{"tool":"delete","input":{"path":"src/a.ts"}}',
      '{"tool":"Write","input":{"file":".git/config","content":""},"contract":"sage"}',
      '{"tool":"read","input":{"path":"../x"}}',
      '{"tool":"read","input":{"path":"src/a.ts"},"contract":"nope"}',
      'garbage',
    ]
    const before = cli.workspace.snapshot()
    const { code, out } = await cli.run(['policy', 'check', '--jsonl'], { input: input.join('\n') })
    expect(code).toBe(0)
    const verdicts = lines(out)
    expect(verdicts.map(line => Object.keys(line))).toEqual(verdicts.map(() => ['verdict', 'rule', 'why']))
    expect(verdicts.map(({ verdict }) => verdict)).toEqual([
      'allow',
      'deny',
      'ask',
      'allow',
      'ask',
      'deny',
      'deny',
      'ask',
      'ask',
    ])
    expect(verdicts[1]).toEqual({ verdict: 'deny', rule: 'user:push', why: 'exec git push origin: a person pushes' })
    expect(cli.workspace.snapshot()).toEqual(before)
  })
})
