import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lines, useCli } from './rig.ts'

const cli = useCli({ 'src/a.ts': 'one\n', 'src/b.ts': 'two\n', 'notes.md': '# Notes\n' })
const edit = (path: string, old: string, next: string) => ({ path, edits: [{ old, new: next }] })
const DIFF = ['a', 'b']
  .map((name, at) => `--- a/src/${name}.ts\n+++ b/src/${name}.ts\n@@ -1 +1 @@\n-${['one', 'two'][at]}\n+changed\n`)
  .join('')

const change = async (tool: string, input: object, ...options: readonly string[]): Promise<string> =>
  (await cli.call(tool, input, '--yes', ...options)).result.meta.undo

const git = (...args: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=b', ...args], { cwd: cli.workspace.path })

describe('toolwright log', () => {
  it('names what each call was about, and groups the files of one call', async () => {
    await change('move', { from: 'notes.md', to: 'doc.md' })
    await cli.call('grep', { pattern: 'one', path: 'src' })
    const id = await change('patch', { diff: DIFF })
    const shown = (await cli.run(['log'])).out.replaceAll(/^\S+ \S+ {2}/gm, '').split('\n')
    expect(shown).toEqual([
      expect.stringMatching(
        /^✓ toolwright\/move notes\.md → doc\.md changed (?:doc\.md|2 files) allowed by --yes undo \w+$/,
      ),
      ...shown.slice(1).filter(line => /^ {4}(?:doc|notes)\.md$/.test(line)),
      expect.stringMatching(/^✓ toolwright\/grep 'one' in src id \w+$/),
      `✓ toolwright/patch changed 2 files allowed by --yes undo ${id}`,
      '    src/a.ts',
      '    src/b.ts',
      '',
    ])
  })

  it('says of what a transaction holds that it is staged, and names the transaction', async () => {
    const { transaction } = (await cli.call('stage', { action: 'begin' })).result.data
    await change('edit', edit('src/a.ts', 'one', '1'), '--transaction', transaction)
    await cli.call('stage', { action: 'rollback' }, '--transaction', transaction)
    const { out } = await cli.run(['log'])
    expect(out.replaceAll(/^\S+ \S+ {2}| id \w+$/gm, '')).toBe(
      [
        `✓ toolwright/stage begin ${transaction}`,
        `✓ toolwright/edit staged src/a.ts in transaction ${transaction}`,
        `✓ toolwright/stage rollback ${transaction}`,
        '',
      ].join('\n'),
    )
    const id = /edit .* id (\w+)$/m.exec(out)?.[1] ?? ''
    expect((await cli.run(['log', 'show', id])).out).toContain('  Staged: src/a.ts\n')
  })

  it('has stage say what it did to the files', async () => {
    const { transaction } = (await cli.call('stage', { action: 'begin' })).result.data
    await change('edit', edit('src/a.ts', 'one', '1'), '--transaction', transaction)
    const said = async (action: string): Promise<string> =>
      (await cli.run(['stage', action, '--transaction', transaction], { cwd: 'src' })).out
    expect(await said('diff')).toContain(`✓ stage diff (transaction ${transaction}, 1 staged file)\n`)
    expect(await said('rollback')).toMatch(/^✓ stage rollback \(transaction \w+, 1 dropped\)\n.*\n\na\.ts\n$/)
  })

  it('says that there are older calls than it shows, and how to see them', async () => {
    const read = JSON.stringify({ tool: 'read', input: { path: 'notes.md' } })
    const calls = (count: number) => cli.run(['call', '--jsonl'], { input: `${read}\n`.repeat(count) })
    const shown = async (...args: readonly string[]): Promise<readonly string[]> =>
      (await cli.run(['log', '--tool', 'read', ...args])).out.trimEnd().split('\n')
    await calls(50)
    expect(await shown()).toHaveLength(50)
    await calls(1)
    const [first, ...rest] = await shown()
    expect(first).toBe('Only the newest 50; for more: toolwright log --tool read --last 500')
    expect(rest).toHaveLength(50)
    expect(await shown('--last', '500')).toHaveLength(51)
  })

  it('filters by path, tool, verdict, failure, task and time', async () => {
    await change('edit', edit('src/a.ts', 'one', '1'), '--component', 'T1')
    await cli.call('read', { path: 'notes.md' })
    await cli.call('read', { path: 'nope.md' })
    await cli.call('check', { schema: 'domain_map', data: {} })
    const tools = async (...args: readonly string[]): Promise<unknown[]> =>
      lines((await cli.run(['log', '--json', ...args])).out)
        .filter(({ type }) => type === 'call')
        .map(({ tool }) => tool)
    expect(await tools('--path', 'src')).toEqual(['toolwright/edit'])
    expect(await tools('--path', './src/a.ts')).toEqual(['toolwright/edit'])
    expect(await tools('--path', '*.md')).toEqual(['toolwright/read', 'toolwright/read'])
    expect((await cli.run(['log', '--path', 'a.ts'], { cwd: 'src' })).out).toMatch(/ toolwright\/edit [^\n]*\n$/)
    expect(await tools('--tool', 'edit')).toEqual(['toolwright/edit'])
    expect(await tools('--verdict', 'ask')).toEqual(['toolwright/edit'])
    expect(await tools('--verdict', 'deny')).toEqual([])
    expect(await tools('--failed')).toEqual(['toolwright/read', 'toolwright/check'])
    expect(await tools('--task', 'T1')).toEqual(['toolwright/edit'])
    expect(await tools('--since', '1h', '--tool', 'read', '--last', '1')).toEqual(['toolwright/read'])
    expect(await tools('--until', '1h')).toEqual([])
    expect((await cli.run(['log', '--tool', 'run'])).out).toBe('No matching calls.\n')
    expect((await cli.run(['log', '--since', 'soon'])).code).toBe(2)
    expect((await cli.run(['log', '--verdict', 'maybe'])).code).toBe(2)
  })

  it('show has everything about one call, also of what is too large for a record', async () => {
    const id = await change('edit', edit('src/a.ts', 'one', '1'))
    const { code, out } = await cli.run(['log', 'show', id])
    expect(code).toBe(0)
    for (const part of [
      /^✓ toolwright\/edit/,
      new RegExp(`^ {2}Id: ${id} \\(record 2\\)$`, 'm'),
      /^ {2}Claims: read src\/a\.ts, write src\/a\.ts$/m,
      /^ {2}Decided: \w+/m,
      /^ {2}Approved: yes by --yes, /m,
      /^ {2}Changed: src\/a\.ts$/m,
      /^Input:\n\{\n {2}"path": "src\/a\.ts",/m,
      /^Diff:\ndiff --git a\/src\/a\.ts b\/src\/a\.ts\n[^]*\n-one\n\+1$/m,
    ])
      expect(out).toMatch(part)
    expect(out.match(/^@@ /gm)).toHaveLength(1)
    expect(JSON.parse((await cli.run(['log', 'show', '2', '--json'])).out)).toMatchObject({ id, type: 'call' })
    const large = await change('write', { path: 'large.txt', content: 'much\n'.repeat(5000), expect: 'absent' })
    expect((await cli.run(['log', 'show', large])).out).toContain('"content": "much')
    expect(await cli.run(['log', 'show', 'nope'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no call'),
    })
    expect((await cli.run(['log', 'show'])).code).toBe(2)
  })

  it('show says who allowed what became known while the call ran', async () => {
    cli.workspace.write('tsconfig.json', '{}')
    cli.workspace.write('src/a.ts', 'export const one = 1\n')
    await change('refactor', { kind: 'rename', symbol: 'one', path: 'src/a.ts', to: 'uno', effects: 'off' })
    expect(cli.workspace.read('src/a.ts')).toContain('uno')
    const [asked, ...more] = lines((await cli.run(['log', '--json', '--verdict', 'ask', '--last', '1'])).out)
    expect([asked?.['tool'], more]).toEqual(['toolwright/refactor', []])
    expect((await cli.run(['log', 'show', String(asked?.['id'])])).out).toMatch(
      /^ {2}Decided: ask, allowed by --yes: /m,
    )
  })

  it('show has the diff of what was undone as long as its undo stands, and then names the undo', async () => {
    const id = await change('edit', edit('src/a.ts', 'one', '1'))
    const made = await change('write', { path: 'made.txt', content: 'made\n', expect: 'absent' })
    const by = JSON.parse((await cli.run(['undo', id, '--json'])).out).meta.undo
    expect((await cli.run(['undo', made])).code).toBe(0)
    const { out } = await cli.run(['log', 'show', id])
    expect(out).toMatch(/^Diff:\ndiff --git a\/src\/a\.ts b\/src\/a\.ts\n[^]*\n-one\n\+1$/m)
    expect(out).toContain(`  Undo: already undone by ${by}\n`)
    expect((await cli.run(['log', 'show', made])).out).toMatch(/^--- \/dev\/null\n\+\+\+ b\/made\.txt\n.*\n\+made$/m)
    cli.workspace.write('src/a.ts', 'else\n')
    expect((await cli.run(['log', 'show', id])).out).toContain(
      `Diff:\n(no longer known: it was undone by ${by}, and its files were changed since)\n`,
    )
  })

  it('show lists the errors that a change introduced', async () => {
    cli.workspace.write('tsconfig.json', '{}')
    cli.workspace.write('src/a.ts', 'export const one: number = 1\n')
    const id = await change('edit', edit('src/a.ts', '= 1', "= 'x'"), '--effects', 'complete')
    expect((await cli.run(['log', 'show', id])).out).toMatch(
      /^ {2}Effects: 1 new error, 0 gone\n[^]*\n\nNew errors:\n {4}src\/a\.ts:1:14 TS2322 Type 'string' is not assignable to type 'number'\.\n\n/m,
    )
  })

  it('show says that a diff is gone once the file was changed, and keeps from showing what may not be read', async () => {
    const id = await change('edit', edit('src/a.ts', 'one', '1'))
    cli.configure({ policy: { rules: [{ action: 'read', path: 'src/**', verdict: 'deny' }] } })
    expect((await cli.run(['log', 'show', id])).out).not.toContain('Diff:')
    cli.configure({})
    cli.workspace.write('src/a.ts', 'else\n')
    expect((await cli.run(['log', 'show', id])).out).toMatch(/^Diff:\n\(no longer known: /m)
  })
})

describe('toolwright undo', () => {
  it('lists in the words of the log, with the tool, and what is undone already', async () => {
    const id = await change('patch', { diff: DIFF })
    expect((await cli.run(['undo', id])).code).toBe(0)
    const again = await cli.run(['undo', id])
    expect(again).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^✗ Commit \w+ is already undone\n {2}Commit \w+ undid it/),
    })
    const [undone, by = '', ...rest] = (await cli.run(['undo', '--list'])).out.split(/\n(?! )/)
    expect(undone).toMatch(
      new RegExp(`^\\w+  \\S+ \\S+  ✓ toolwright/undo ${id} changed 2 files\n    src/a.ts\n    src/b.ts$`),
    )
    expect(by).toMatch(
      new RegExp(`^${id}  \\S+ \\S+  ✓ toolwright/patch changed 2 files allowed by --yes already undone by \\w+\n`),
    )
    expect(rest).toEqual([''])
  })

  it('is logged with what it undid where it was told nothing', async () => {
    const id = await change('edit', edit('src/a.ts', 'one', '1'))
    expect((await cli.run(['undo'])).code).toBe(0)
    expect((await cli.run(['log', '--tool', 'undo'])).out).toContain(`✓ toolwright/undo ${id} changed src/a.ts undo `)
  })

  it('brings back what was undone, and then undoes it again', async () => {
    const id = await change('edit', edit('src/a.ts', 'one', '1'))
    const undo = JSON.parse((await cli.run(['undo', id, '--json'])).out).meta.undo
    expect((await cli.run(['undo', undo])).code).toBe(0)
    expect(cli.workspace.read('src/a.ts')).toBe('1\n')
    expect((await cli.run(['undo', id])).code).toBe(0)
    expect(cli.workspace.read('src/a.ts')).toBe('one\n')
  })

  it('says and asks where git has the change by now', async () => {
    git('init', '-q')
    const id = await change('edit', edit('src/a.ts', 'one', '1'))
    git('add', '-A')
    git('commit', '-qm', 'keep it')
    const said = /committed to git since then \(\w+ keep it\)/
    for (const alone of [
      await cli.run(['undo', id]),
      await cli.run(['call', 'undo', JSON.stringify({ id }), '--allow', 'fs:write']),
    ]) {
      expect(alone.code).toBe(3)
      expect(alone.out + alone.err).toMatch(said)
      expect(alone.out + alone.err).toContain('--yes')
    }
    const refused = await cli.run(['undo', id], { person: ['n'] })
    expect(refused).toMatchObject({ code: 3, err: expect.stringMatching(said) })
    expect(refused.out + refused.err).toContain('was not approved')
    expect((await cli.run(['undo', id, '--dry-run'])).code).toBe(0)
    expect(cli.workspace.read('src/a.ts')).toBe('1\n')
    const agreed = await cli.run(['undo', id], { person: ['y'] })
    expect(agreed.code).toBe(0)
    expect(agreed.err.match(/Approve\?/g)).toHaveLength(1)
    expect(cli.workspace.read('src/a.ts')).toBe('one\n')
  })

  it('takes --yes for the answer where git has the change by now', async () => {
    git('init', '-q')
    await change('edit', edit('src/a.ts', 'one', '1'))
    git('add', '-A')
    git('commit', '-qm', 'keep it')
    expect((await cli.call('undo', {}, '--yes')).code).toBe(0)
    expect((await cli.run(['log', '--tool', 'undo'])).out).toContain('allowed by --yes')
    expect(cli.workspace.read('src/a.ts')).toBe('one\n')
  })
})

describe('open transactions', () => {
  it('are listed until they end, and one that begins says how it is used', async () => {
    const { out } = await cli.run(['call', 'stage', '{"action":"begin"}'])
    const [, id = ''] = /Stage into it: add --transaction (\w+) to each call/.exec(out) ?? []
    expect(out).toContain(`Land it: toolwright stage commit --transaction ${id}\n`)
    await cli.call('edit', edit('src/a.ts', 'one', '1'), '--transaction', id, '--yes')
    for (const args of [['log'], ['undo', '--list']])
      expect((await cli.run(args)).out).toMatch(
        new RegExp(`\nOpen transactions:\n  \\S+ \\S+  ${id}  src/a.ts\n    Land it: .*\n    Drop it: .*\n$`),
      )
    await cli.call('stage', { action: 'rollback' }, '--transaction', id)
    expect((await cli.run(['log'])).out).not.toContain('Open transactions')
    expect(existsSync(join(cli.workspace.path, 'src/a.ts'))).toBe(true)
  })
})
