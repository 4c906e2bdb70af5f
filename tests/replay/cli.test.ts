import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lines, useCli } from '../cli/rig.ts'

const cli = useCli({ 'a.txt': 'one\ntwo\n', 'long.txt': 'words and more words\n'.repeat(100) })
const tape = () => join(cli.workspace.base, 'tape.jsonl')
const CALLS = [
  { tool: 'read', input: { path: 'a.txt' } },
  { tool: 'read', input: { path: 'long.txt' } },
  { tool: 'edit', input: { path: 'a.txt', edits: [{ old: 'one', new: 'uno' }] } },
  { tool: 'read', input: { path: '../nowhere' } },
]
  .map(call => JSON.stringify(call))
  .join('\n')
const record = () => cli.run(['call', '--jsonl', '--yes', '--record', tape()], { input: CALLS })

describe('call --record and replay', () => {
  it('replays what was recorded, and says what was compared', async () => {
    expect((await record()).code).toBe(3)
    const { code, out } = await cli.run(['replay', tape()])
    expect(out).toContain('4 calls replayed without touching anything: 4 equal')
    expect(out).toContain('Compared: the answer, the journal record')
    expect(code).toBe(0)
    const json = await cli.run(['replay', tape(), '--json'])
    expect(JSON.parse(json.out)).toEqual({
      ok: true,
      calls: 4,
      equal: 4,
      different: 0,
      leftOut: [],
      changed: [],
      notices: [],
    })
  })

  it('goes on with a recording that is there, for its owner alone to read', async () => {
    for (const path of ['a.txt', 'long.txt'])
      await cli.run(['call', 'read', JSON.stringify({ path }), '--record', '../tape.jsonl'])
    expect(statSync(tape()).mode & 0o777).toBe(0o600)
    expect(JSON.parse((await cli.run(['replay', tape(), '--json'])).out)).toMatchObject({ ok: true, calls: 2 })
  })

  it('records the answers of a person, and does not ask when it replays', async () => {
    await cli.run(['call', 'edit', '{"path":"a.txt","edits":[{"old":"one","new":"uno"}]}', '--record', tape()], {
      person: ['y'],
    })
    expect(cli.workspace.read('a.txt')).toBe('uno\ntwo\n')
    cli.workspace.write('a.txt', 'something else\n')
    expect((await cli.run(['replay', tape()])).code).toBe(0)
    expect(cli.workspace.read('a.txt')).toBe('something else\n')
  })

  it('shows the first difference as a diff, and ends with 1', async () => {
    await record()
    const text = readFileSync(tape(), 'utf8')
    const [from, to] = ['"content":"one\\ntwo\\n","from":1', '"content":"One\\ntwo\\n","from":1']
    const at = text.indexOf(from, text.indexOf('"answer"'))
    writeFileSync(tape(), text.slice(0, at) + to + text.slice(at + from.length))
    const { code, out } = await cli.run(['replay', tape()])
    expect(code).toBe(1)
    expect(out).toContain('3 equal, 1 different')
    expect(out).toContain('First difference: line 3, toolwright/read: its answer differs')
    expect(out).toContain('at answer.data.content')
    expect(out).toMatch(/^- {4}"content": "One\\ntwo\\n",$/m)
    expect(out).toMatch(/^\+ {4}"content": "one\\ntwo\\n",$/m)
    const json = await cli.run(['replay', tape(), '--json'])
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      different: 1,
      first: { line: 3, where: 'answer', at: 'data.content', recorded: 'One\ntwo\n', now: 'one\ntwo\n' },
    })
  })

  it('notices any byte of a call that was changed: as a difference, or as damage', async () => {
    await record()
    const text = readFileSync(tape(), 'utf8')
    const step = process.env['TOOLWRIGHT_LONG'] === '1' ? 7 : 331
    for (let at = 0; at < text.length - 1; at += step) {
      const other = text[at] === 'x' ? 'y' : 'x'
      writeFileSync(tape(), text.slice(0, at) + other + text.slice(at + 1))
      expect([1, 2], `at ${at}: ${text.slice(at - 20, at + 20)}`).toContain((await cli.run(['replay', tape()])).code)
    }
  })

  it.each([
    ['nothing', ''],
    ['something else', 'hello\n'],
    ['some other JSON', '{"type":"call"}\n'],
    ['another version', '{"type":"recording","version":2,"toolwright":"9.9.9"}\n'],
    ['half a line', '{"type":"recording","version":1,"toolwright":"9.9.9"}\n{"type":"sess'],
    [
      'no session',
      '{"type":"recording","version":1,"toolwright":"9.9.9"}\n{"type":"call","session":1,"contract":"sage","tool":"Read","options":{},"clock":{"now":[],"elapsed":[],"id":[]},"events":[]}\n',
    ],
  ])('refuses a file with %s, with 2', async (_what, text) => {
    writeFileSync(tape(), text)
    const { code, err } = await cli.run(['replay', tape()])
    expect(code).toBe(2)
    expect(err).toMatch(/no recording that can be replayed|damaged in line 2/)
  })

  it('notices a long text that was changed, although all calls come out the same, and refuses a file that is not there', async () => {
    await record()
    writeFileSync(tape(), readFileSync(tape(), 'utf8').replace('words and more words', 'Words and more words'))
    const { code, out } = await cli.run(['replay', tape()])
    expect(code).toBe(1)
    expect(out).toContain('4 equal')
    expect(out).toContain('Changed since it was recorded: line 4')
    expect((await cli.run(['replay', 'nowhere.jsonl'])).code).toBe(2)
    expect((await cli.run(['replay'])).code).toBe(2)
  })

  it('says which Toolwright and which version of a tool made it', async () => {
    await record()
    const text = readFileSync(tape(), 'utf8')
    writeFileSync(
      tape(),
      text
        .replace('"toolwright":"9.9.9"', '"toolwright":"0.0.1"')
        .replaceAll(/"version":"[\d.]+"/g, '"version":"0.9.0"'),
    )
    const { out } = await cli.run(['replay', tape()])
    expect(out).toContain('4 equal')
    expect(out).toContain('It was recorded with toolwright 0.0.1; this is 9.9.9')
    expect(out).toMatch(/toolwright\/read was recorded in version 0\.9\.0; here it is [1-9]/)
  })

  it('writes to no file that holds something else, and through no link', async () => {
    writeFileSync(tape(), 'my notes\n')
    expect((await record()).code).toBe(2)
    expect(readFileSync(tape(), 'utf8')).toBe('my notes\n')
    symlinkSync(tape(), `${tape()}.link`)
    expect((await cli.run(['call', 'read', '{"path":"a.txt"}', '--record', `${tape()}.link`])).code).toBe(2)
    expect(cli.workspace.read('a.txt')).toBe('one\ntwo\n')
  })

  it('SG-24: call --deterministic gives the same bytes again', async () => {
    const args = ['call', 'read', '{"path":"a.txt"}', '--json', '--deterministic']
    const first = await cli.run(args)
    expect(await cli.run(args)).toEqual(first)
    expect(lines(first.out)).toMatchObject([{ meta: { id: 'fixed000000000002', durationMs: 0 } }])
  })
})
