import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({
  '.env': 'ONE_SECRET=one\n',
  'a.ts': 'export const one = 1\nconst two = 2\n\n// One more\nexport function three() {\n  return one\n}\n',
  'src/b.ts': 'import { one } from "../a"\n',
  'src/c.py': 'def one():\n    pass\n',
})
/** A search of the whole workspace says so. */
const LEFT_OUT = '1 file that may hold secrets was left out\n'
const isPlace = (argument: string): boolean => /^(?:src|a\.ts)/.test(argument)
const person = { person: [] }
/** The bytes of a name: what is below U+0100 and not ASCII stands for one byte. */
const bytesOf = (name: string): Buffer => Buffer.from(name, /[^\0-\xff]/.test(name) ? 'utf8' : 'latin1')
const DENY = { policy: { rules: [{ action: 'read', path: '**/.env*', verdict: 'deny' }] } }

describe('toolwright grep', () => {
  it('names the type that was meant', async () => {
    const { code, err } = await cli.run(['grep', 'one', '-t', 'tsx'])
    expect(code).not.toBe(0)
    expect(err).toContain("There is no file type 'tsx'")
    expect(err).toContain('ts or typescript')
  })

  it('prints path:line:text, and 0 or 1 as its exit code', async () => {
    expect(await cli.run(['grep', 'def \\w+', 'src'])).toEqual({ code: 0, out: 'src/c.py:1:def one():\n', err: '' })
    expect(await cli.run(['grep', 'nothing at all', 'src'])).toEqual({ code: 1, out: '', err: '' })
  })

  it.each([
    [['-F', 'one()'], 'src/c.py:1:def one():\n'],
    [
      ['-i', '-w', 'ONE', '-g', '*.ts', '-g', '!src'],
      'a.ts:1:export const one = 1\na.ts:4:// One more\na.ts:6:  return one\n',
    ],
    [['-l', 'one', '--no-hidden'], 'a.ts\nsrc/b.ts\nsrc/c.py\n'],
    [['-c', 'one', 'a.ts'], 'a.ts:2\n'],
    [['-v', 'one', 'src'], 'src/c.py:2:    pass\n'],
    [['-e', 'two', '-e', 'pass'], 'a.ts:2:const two = 2\nsrc/c.py:2:    pass\n'],
    [['-U', 'def one\\(\\):\\n\\s+pass'], 'src/c.py:1:def one():\nsrc/c.py:2:    pass\n'],
    [['-C', '1', 'two', 'a.ts'], 'a.ts-1-export const one = 1\na.ts:2:const two = 2\na.ts-3-\n'],
    [
      ['-A1', '-B0', 'one', 'a.ts'],
      'a.ts:1:export const one = 1\na.ts-2-const two = 2\n--\na.ts:6:  return one\na.ts-7-}\n',
    ],
    [['-t', 'py', 'one'], 'src/c.py:1:def one():\n'],
    [['-o', 'one|co\\w', 'a.ts'], 'a.ts:1:con\na.ts:1:one\na.ts:2:con\na.ts:6:one\n'],
    [['-o', 'o', '-t', 'py'], 'src/c.py:1:o\n'],
    [['-o', 't', 'src/b.ts'], 'src/b.ts:1:t\n'],
    [['-o', '--type', 'ts', 'r.', 'src'], 'src/b.ts:1:rt\nsrc/b.ts:1:ro\n'],
    [['-o', 'e', 'src/c.py'], 'src/c.py:1:e\nsrc/c.py:1:e\n'],
    [['-n', 'def'], 'src/c.py:1:def one():\n'],
    [
      ['-C1', 'pass|three'],
      'a.ts-4-// One more\na.ts:5:export function three() {\na.ts-6-  return one\n--\nsrc/c.py-1-def one():\nsrc/c.py:2:    pass\n',
    ],
    [
      ['one', 'src/b.ts', 'a.ts'],
      'src/b.ts:1:import { one } from "../a"\na.ts:1:export const one = 1\na.ts:6:  return one\n',
    ],
  ])('%j', async (args, out) => {
    expect(await cli.run(['grep', ...args])).toEqual({ code: 0, out, err: args.some(isPlace) ? '' : LEFT_OUT })
  })

  it('says in one line how many files with secrets it left out, whatever it looks for', async () => {
    const run = async (...args: string[]) => (await cli.run(['grep', ...args])).err
    expect(await run('one', '-g', '*.ts')).toBe(LEFT_OUT)
    cli.workspace.write('src/id_rsa', 'one\n')
    const both = '2 files that may hold secrets were left out\n'
    expect([await run('one'), await run('none', '--no-hidden'), await run('one', '--strict')]).toEqual([
      both,
      both,
      both,
    ])
    expect([await run('one', 'src'), await run('one', 'src/b.ts')]).toEqual([LEFT_OUT, ''])
    expect(await run('one', '--allow', 'fs:read:src/id_rsa')).toBe(LEFT_OUT)
    expect(await run('one', '--allow', 'fs:read:src/id_rsa', '--allow', 'fs:read:.env')).toBe('')
  })

  it('groups lines by file on a terminal, and lets none of them steer it', async () => {
    cli.workspace.write('x.txt', 'one \x1b[31mred\n')
    const { out } = await cli.run(['grep', 'one', 'x.txt', 'src'], person)
    expect(out).toBe('x.txt\n1:one \\x1b[31mred\nsrc/b.ts\n1:import { one } from "../a"\n\nsrc/c.py\n1:def one():\n')
    const coloured = await cli.run(['grep', 'one', 'src/b.ts'], { ...person, env: { NO_COLOR: '' } })
    expect(coloured.out).toContain('\x1b[1msrc/b.ts\x1b[0m')
  })

  it.each([[[]], [['-F']], [['-w']], [['-c']], [['-v']], [['-F', '-e', 'é.*']]])(
    'takes an empty pattern as ripgrep does, with %j',
    async more => {
      cli.workspace.write('e.txt', 'é.* and\n\nb\n')
      const args = [...more, '-e', '', 'e.txt']
      const { stdout } = spawnSync(rgPath, ['--no-config', '-nH', ...args], { cwd: cli.workspace.path })
      const wanted = String(stdout)
      expect(await cli.run(['grep', ...args])).toEqual({ code: wanted === '' ? 1 : 0, out: wanted, err: '' })
    },
  )

  it('writes names byte for byte where it is no terminal, as ripgrep does, and inert ones on a terminal', async () => {
    const odd = ['esc\x1b[31mred.ts', 'bidi\u202etxt.ts', 'new\nline.ts', 'tab\tname.ts', 'lat\xe9in.ts']
    const folder = join(cli.workspace.path, 'odd')
    mkdirSync(folder)
    for (const name of odd) writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), bytesOf(name)]), 'needle\n')
    const rg = (...args: string[]) =>
      spawnSync(rgPath, ['--no-config', '--sort=path', ...args, 'odd'], { cwd: cli.workspace.path }).stdout
    const sorted = (bytes: Buffer) => bytes.toString('latin1').split('\n').toSorted()
    expect(sorted(await cli.bytes(['grep', 'needle', 'odd']))).toEqual(sorted(rg('-nH', 'needle')))
    expect(sorted(await cli.bytes(['grep', '-l', 'needle', 'odd']))).toEqual(sorted(rg('-l', 'needle')))
    expect(sorted(await cli.bytes(['find', '*', 'odd']))).toEqual(sorted(rg('--files')))
    for (const args of [
      ['grep', 'needle', 'odd'],
      ['find', '*', 'odd'],
      ['index', 'query', 'prefix', 'odd'],
    ]) {
      const { out } = await cli.run(args, person)
      expect(out).toContain('esc\\x1b[31mred.ts')
      expect(out).toContain('new\\nline.ts')
      for (const raw of ['\x1b', '\t', '\u202e', '\ufffd']) expect(out).not.toContain(raw)
    }
  })

  it('writes lines as the tool gives them where it is no terminal', async () => {
    cli.workspace.write('lines.txt', Buffer.from(`needle caf\xe9 \x1b[31m\r\nneedle ${'x'.repeat(2_000)}\n`, 'latin1'))
    const { out } = await cli.run(['grep', 'needle', 'lines.txt'])
    expect(out.split('\n')).toEqual([
      'lines.txt:1:needle caf\ufffd \x1b[31m',
      `lines.txt:2:needle ${'x'.repeat(993)} [... omitted end of long line]`,
      '',
    ])
  })

  it('says how to go on where there is more', async () => {
    const { out, err } = await cli.run(['grep', 'one', '--limit', '2', '--skip', '1', '--no-hidden'])
    expect(out).toBe('a.ts:6:  return one\nsrc/b.ts:1:import { one } from "../a"\n')
    expect(err).toBe(
      `Shown up to 3 of 4 matches. There is more: toolwright grep one --limit 2 --skip 3 --no-hidden\n${LEFT_OUT}`,
    )
  })

  it('counts matches over all paths that it is given', async () => {
    const paged = (...more: string[]) => cli.run(['grep', 'one', 'src/b.ts', 'a.ts', 'src/c.py', ...more])
    expect(await paged('--limit', '2')).toEqual({
      code: 0,
      out: 'src/b.ts:1:import { one } from "../a"\na.ts:1:export const one = 1\n',
      err: 'Shown up to 2 of 4 matches. There is more: toolwright grep one src/b.ts a.ts src/c.py --limit 2 --skip 2\n',
    })
    expect(await paged('--limit', '1', '--skip', '2')).toEqual({
      code: 0,
      out: 'a.ts:6:  return one\n',
      err: 'Shown up to 3 of 4 matches. There is more: toolwright grep one src/b.ts a.ts src/c.py --limit 1 --skip 3\n',
    })
    expect(await paged('--skip', '3')).toEqual({ code: 0, out: 'src/c.py:1:def one():\n', err: '' })
    expect((await paged('--skip', '9')).out).toBe('')
  })

  it('shows more than one call gives where more is asked for, each file once', async () => {
    cli.workspace.write('many.txt', 'x\n'.repeat(4_321))
    cli.workspace.write('more.txt', 'x\n'.repeat(10))
    const usual = await cli.run(['grep', 'x', 'many.txt'])
    expect(usual.out.split('\n')).toHaveLength(2_001)
    expect(usual.err).toBe('Shown up to 2000 of 4321 matches. There is more: toolwright grep x many.txt --skip 2000\n')
    const all = await cli.run(['grep', 'x', 'many.txt', 'more.txt', '--limit', '5000'])
    expect([all.err, all.out.split('\n').length]).toEqual(['', 4_332])
    const some = await cli.run(['grep', '-C1', 'x', 'many.txt', 'more.txt', '--limit', '4325', '--skip', '1'], person)
    expect(some.out.match(/^m\w+\.txt$/gm)).toEqual(['many.txt', 'more.txt'])
    expect(some.err).toBe(
      'Shown up to 4326 of 4331 matches. There is more: toolwright grep x many.txt more.txt --context 1 --limit 4325 --skip 4326\n',
    )
    expect(some.out).not.toContain('--')
  })

  it('searches the other paths where one cannot be searched, and ends as that one', async () => {
    expect(await cli.run(['grep', 'def', 'nope', 'src'])).toMatchObject({
      code: 1,
      out: 'src/c.py:1:def one():\n',
      err: expect.stringContaining("'nope' does not exist"),
    })
    expect(await cli.run(['grep', 'def', 'src', '../x', 'nope'])).toMatchObject({
      code: 3,
      out: 'src/c.py:1:def one():\n',
      err: expect.stringContaining('nope'),
    })
  })

  it.each([[['-e', '-foo-']], [['-ie', '-FOO-']], [['--regexp', '-foo-']], [['--', '-foo-']], [['-e', '--']]])(
    'takes a pattern that begins with a dash, as %j',
    async args => {
      cli.workspace.write('dash.txt', 'a -foo-b --\n')
      const { code, out } = await cli.run(['grep', ...args, 'dash.txt'])
      expect([code, out]).toEqual([0, 'dash.txt:1:a -foo-b --\n'])
    },
  )

  it('shows all of an answer that is too long for a call', async () => {
    cli.workspace.write('long.txt', `${'x'.repeat(600)}\n`.repeat(1_000))
    const { out } = await cli.run(['grep', 'xxx', 'long.txt'])
    expect(out.split('\n')).toHaveLength(1_001)
    expect(out.split('\n')[999]).toBe(`long.txt:1000:${'x'.repeat(600)}`)
  })

  it('prints what the tool answers as JSON', async () => {
    const { out, code } = await cli.run(['grep', 'def', '--json'])
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      data: { matches: [{ path: 'src/c.py', line: 1, text: 'def one():' }], total: 1, freshness: { source: 'scan' } },
    })
    expect(code).toBe(0)
  })

  it('leaves out what rules deny, and says so', async () => {
    cli.configure(DENY)
    const { out, err, code } = await cli.run(['grep', 'SECRET'])
    expect({ out, err, code }).toEqual({ out: '', err: '1 file was left out by rules\n', code: 1 })
    expect(await cli.run(['grep', 'SECRET', '.env'])).toMatchObject({ out: '', code: 3 })
    for (const glob of ['.env*', '.zz*', '*.none'])
      for (const args of [
        ['find', glob],
        ['grep', 'SECRET', '-g', glob],
      ])
        expect(await cli.run(args)).toMatchObject({ out: '', err: '1 file was left out by rules\n' })
    for (const [tool, input] of [
      ['grep', { pattern: 'SECRET' }],
      ['find', { glob: '.env*' }],
      ['list', {}],
      ['index', { by: 'all' }],
    ] as const) {
      const { result } = await cli.call(tool, input)
      expect(JSON.stringify(result.data)).not.toMatch(/\.env|SECRET/)
      if (tool !== 'index') expect(result.data.filesHidden).toBe(1)
    }
  })

  it.each([
    [['grep'], 2, 'Give a pattern'],
    [['grep', '('], 1, 'Invalid regex pattern'],
    [['grep', 'x', '--limit', '0'], 2, '--limit wants a number from 1 to 1000000, not 0'],
    [['grep', 'x', '--limit', '1000001'], 2, '--limit wants a number from 1 to 1000000, not 1000001'],
    [['grep', '-e'], 2, 'argument missing'],
    [['grep', '(', 'a.ts', 'src'], 1, 'Invalid regex pattern'],
    [['grep', 'x', '-A', '51'], 2, '-A wants a number from 0 to 50, not 51'],
    [['find', 'x', '--limit', '10001'], 2, '--limit wants a number from 1 to 10000, not 10001'],
    [['index', 'query', 'all', '--limit', '0'], 2, '--limit wants a number from 1 to'],
    [['callers', 'x', '--depth', '11'], 2, '--depth wants a number from 1 to 10, not 11'],
    [['graph', 'MATCH (n) RETURN n', '--limit', '0'], 2, '--limit wants a number from 1 to 5000, not 0'],
    [['grep', 'x', '--limit', 'many'], 2, "--limit wants a number, not 'many'"],
    [['grep', 'x', '-A', 'many'], 2, "-A wants a number, not 'many'"],
    [['grep', 'x', '-C', 'many'], 2, "-C wants a number, not 'many'"],
    [
      ['grep', 'x', '--limit', '-1'],
      2,
      'it is missing, or begins with a dash (--limit=VALUE). Try: toolwright help grep\n',
    ],
    [['grep', 'x', 'missing'], 1, 'does not exist'],
    [['grep', 'x', '../outside'], 3, 'outside'],
    [['find'], 2, 'Give a glob'],
    [['find', '['], 1, 'Invalid glob'],
    [['find', '*', 'a.ts'], 1, 'not a directory'],
    [['index', 'rebuild'], 2, "There is no 'index rebuild'"],
    [['index', 'query', 'exports'], 2, 'Ask as'],
    [['index', 'query', 'everything', 'x'], 2, 'Ask as'],
    [['index', 'query', 'status'], 2, 'Ask as'],
  ])('%j ends with %i', async (args, code, said) => {
    const { err, ...ended } = await cli.run(args)
    expect(ended).toEqual({ code, out: '' })
    expect(err).toContain(said)
  })

  it('and its like are counted in words where they are called by hand', async () => {
    expect((await cli.run(['call', 'grep', '{"pattern":"def"}'])).out).toContain('grep (1 match, ')
    expect((await cli.run(['call', 'list', '{"path":".","limit":1}'])).out).toContain('list (1 entry, ')
    expect((await cli.run(['call', 'find', '{"glob":"*.py"}'])).out).toContain('find (1 file)')
  })

  it('is a call like any other: on record', async () => {
    await cli.run(['grep', 'one'])
    const { out } = await cli.run(['log', '--json', '--last', '1'])
    expect(out).toContain('"toolwright/grep"')
  })
})

describe('toolwright find', () => {
  it('prints one file on a line', async () => {
    expect(await cli.run(['find', '*.ts'])).toEqual({ code: 0, out: 'a.ts\nsrc/b.ts\n', err: '' })
    expect(await cli.run(['find', './*', 'src'])).toEqual({ code: 0, out: 'src/b.ts\nsrc/c.py\n', err: '' })
    expect(await cli.run(['find', '*.rs'])).toEqual({ code: 1, out: '', err: '' })
    expect((await cli.run(['find', 'a.ts', '--strict'])).out).toBe('a.ts\n')
    expect((await cli.run(['grep', 'three', '--strict'])).out).toMatch(/^a\.ts:/)
    const page = await cli.run(['find', '*', '--limit', '1', '--skip', '1'], person)
    expect(page).toEqual({
      code: 0,
      out: 'a.ts\n',
      err: "Shown up to 2 of 4 files. There is more: toolwright find '*' --limit 1 --skip 2\n",
    })
  })
})

describe('toolwright index', () => {
  it('is built, counted and asked', async () => {
    const built = await cli.run(['index', 'build'])
    expect(built).toMatchObject({ code: 0, err: '' })
    expect(built.out).toMatch(/^\d+ files, \d+ exports\n$/)
    // What was built is known to the next process, but for files that were written a moment before.
    await cli.run(['index', 'build'])
    const { out } = await cli.run(['index'])
    // `.env` is not counted for a caller that may not read it.
    expect(out).toMatch(/^3 files, 3 exports\n {2}typescript +2\n/)
    cli.configure({ permissions: ['fs:read'] })
    expect((await cli.run(['index'])).out).toMatch(/^4 files, 3 exports\n {2}typescript +2\n/)
    const told = JSON.parse((await cli.run(['index', '--json'])).out)
    expect(told.data.status).toMatchObject({ state: 'current', totalExports: 3, pending: 0 })
    expect((await cli.run(['index', 'query', 'exports', 'three'])).out).toMatch(/^a\.ts .*one, three\n$/)
    expect(await cli.run(['index', 'query', 'exports', 'nobody'])).toMatchObject({ code: 1, out: '' })
    const all = await cli.run(['index', 'query', 'all', '--limit', '1', '--json'])
    expect(JSON.parse(all.out)).toMatchObject({ ok: true, data: { truncated: true, next: { skip: 1 } } })
    const status = await cli.run(['index', 'status', '--json'])
    expect(JSON.parse(status.out)).toMatchObject({ data: { status: { pending: expect.any(Number) } } })
  })

  it('SC-19: is exported whole as one document', async () => {
    const { code, out } = await cli.run(['index', 'export'])
    const document = JSON.parse(out)
    expect({ code, keys: Object.keys(document) }).toEqual({
      code: 0,
      keys: ['repo_hash', 'generated_at', 'files', 'statistics'],
    })
    const files: readonly { exports: readonly string[]; tags: readonly string[] }[] = document.files
    const tags = files.flatMap(file => file.tags)
    expect(document).toMatchObject({
      repo_hash: expect.stringMatching(/^[0-9a-f]{8,}$/),
      generated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(document.statistics).toEqual({
      total_files: files.length,
      total_exports: files.flatMap(file => file.exports).length,
      by_tag: Object.fromEntries([...new Set(tags)].map(tag => [tag, tags.filter(one => one === tag).length])),
    })
    expect(document.files.find((file: { path: string }) => file.path === 'a.ts')).toMatchObject({
      exports: ['one', 'three'],
      tags: ['typescript'],
      size_bytes: expect.any(Number),
      last_modified: expect.stringMatching(/Z$/),
    })
  })

  it('shows its progress on a terminal, and cleans up after itself', async () => {
    const { err, out } = await cli.run(['index', 'build'], person)
    expect(err.endsWith('\r\x1b[K')).toBe(true)
    expect(out).toMatch(/files/)
  })
})
