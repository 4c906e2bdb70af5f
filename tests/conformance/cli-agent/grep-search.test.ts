import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { grepSearch } from '../../../src/contracts/cli-agent/grep-search.ts'
import { failure, success, useAgent } from './rig.ts'

const agent = useAgent({
  'app.py': `${'\n'.repeat(14)}# TODO: implement\nend\n`,
  'src/b.py': 'TODO one\nnothing\n  TODO two  \n',
  'src/c.txt': 'nothing here\n',
})
const at = (path: string) => join(agent.workspace.path, path)
const found = (pattern: string, lines: readonly string[], files_searched: number) =>
  success(
    `Found ${lines.length} ${lines.length === 1 ? 'match' : 'matches'} for '${pattern}':\n${lines.map(line => `  ${line}\n`).join('')}`,
    [],
    { total_matches: lines.length, files_searched, pattern },
  )

describe('grep_search', () => {
  it('CA-09, CA-02: finds text and answers as printed', async () => {
    expect(await agent.call('grep_search', { pattern: 'TODO' })).toStrictEqual(
      found('TODO', ['app.py:15: # TODO: implement', 'src/b.py:1: TODO one', 'src/b.py:3:   TODO two  '], 3),
    )
  })

  it('CA-05: finds text of a file in Latin-1, shown as in UTF-8', async () => {
    const latin = (text: string) => Buffer.from(text, 'latin1')
    agent.workspace.write('a-utf8.txt', 'un café noir\n')
    agent.workspace.write('b-latin.txt', latin('thé\r\nun café noir.\r\n'))
    agent.workspace.write('c-other.txt', 'caf随 cafÃ© cafe\n')
    agent.workspace.write('d-data.bin', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x01, 0x0a]))
    agent.workspace.write('e-long.txt', latin(`café ${'x'.repeat(600)}\n`))
    const lines = ['a-utf8.txt:1: un café noir', 'b-latin.txt:2: un café noir.']
    const long = expect.stringMatching(/^ {2}e-long\.txt:1: caf. x+/m)
    expect(await agent.call('grep_search', { pattern: 'café n' })).toStrictEqual(found('café n', lines, 8))
    expect(await agent.call('grep_search', { pattern: 'caf(é) noir.?$', is_regex: true })).toStrictEqual(
      found('caf(é) noir.?$', lines, 8),
    )
    expect(await agent.call('grep_search', { pattern: 'noir.', is_regex: false })).toMatchObject({
      metadata: { total_matches: 1 },
    })
    expect(await agent.call('grep_search', { pattern: 'café' })).toMatchObject({
      output: long,
      metadata: { total_matches: 3 },
    })
    expect(await agent.call('grep_search', { pattern: 'café', max_results: 1 })).toMatchObject({
      output: expect.stringMatching(
        /^Warning: Found 3 matches, showing first 1\n.*\n {2}a-utf8\.txt:1: un café noir\n$/,
      ),
    })
    expect(await agent.call('grep_search', { pattern: 'é随' })).toMatchObject({ metadata: { total_matches: 0 } })
    expect(await agent.call('grep_search', { pattern: 'th[é]', is_regex: true })).toMatchObject({ success: true })
  })

  it('CA-05: finds nothing in a file in Latin-1 that may not be read', async () => {
    agent.workspace.write('.env', Buffer.from('NAME=café\n', 'latin1'))
    expect(await agent.call('grep_search', { pattern: 'café' }, { permissions: ['fs:read:src/**'] })).toMatchObject({
      metadata: { total_matches: 0 },
    })
  })

  it('CA-09: text is text unless is_regex says otherwise', async () => {
    agent.workspace.write('re.txt', 'a.c\nabc\n(x\n')
    expect(await agent.call('grep_search', { pattern: 'a.c' })).toStrictEqual(found('a.c', ['re.txt:1: a.c'], 4))
    expect(await agent.call('grep_search', { pattern: '(' })).toStrictEqual(found('(', ['re.txt:3: (x'], 4))
    expect(await agent.call('grep_search', { pattern: '^a.c$', is_regex: true })).toStrictEqual(
      found('^a.c$', ['re.txt:1: a.c', 're.txt:2: abc'], 4),
    )
  })

  it('CA-09: an invalid regex, in the printed words', async () => {
    expect(await agent.fails('grep_search', { pattern: '(', is_regex: true })).toStrictEqual(
      failure('invalid_parameters', 'Invalid regex pattern: unclosed group'),
    )
  })

  it.each(['a{2,1}', '[z-a]', '*', '(?z)', '(?=a)', '\\1', 'a{1,1000}{1,1000}', '\\p{L}{1000}'])(
    'CA-09: %s is refused, and why',
    async pattern => {
      expect(await agent.fails('grep_search', { pattern, is_regex: true })).toStrictEqual({
        ...failure('invalid_parameters', ''),
        output: expect.stringMatching(/^Error: Invalid regex pattern: \w.*[^.\n]$/),
        error: {
          code: 'invalid_parameters',
          message: expect.stringMatching(/^Invalid regex pattern: \w/),
          suggestion: 'Correct the pattern, or search for it as plain text',
        },
      })
    },
  )

  it('CA-09: file_pattern limits the files; a plain name means files of that name anywhere', async () => {
    const [first, ...others] = ['app.py:15: # TODO: implement', 'src/b.py:1: TODO one', 'src/b.py:3:   TODO two  ']
    for (const [file_pattern, lines, files] of [
      ['*.py', [first, ...others], 2],
      ['**/*.py', [first, ...others], 2],
      ['src/**/*.py', others, 1],
      ['src/', others, 2],
      ['./src/*', others, 2],
      ['b.py', others, 1],
      ['*.{py,txt}', [first, ...others], 3],
      ['[ab]*.py', [first, ...others], 2],
      ['*.rs', [], 0],
      ['**', [first, ...others], 3],
    ] as const)
      expect([file_pattern, await agent.call('grep_search', { pattern: 'TODO', file_pattern })]).toStrictEqual([
        file_pattern,
        found('TODO', lines as string[], files),
      ])
  })

  it('CA-09: an invalid file_pattern is an error, and one that leads out finds nothing', async () => {
    expect(await agent.fails('grep_search', { pattern: 'x', file_pattern: '*[.go' })).toStrictEqual(
      failure('invalid_parameters', "Invalid glob pattern '*[.go'"),
    )
    for (const file_pattern of ['../**', '/etc/*', 'src/../../*'])
      expect(await agent.fails('grep_search', { pattern: 'root', file_pattern })).toStrictEqual(
        failure('invalid_parameters', `Invalid glob pattern '${file_pattern}'`),
      )
  })

  it('CA-09: looks through no link out of the workspace', async () => {
    writeFileSync(join(agent.workspace.base, 'secret.txt'), 'TODO canary\n')
    symlinkSync('..', at('up'))
    symlinkSync('../secret.txt', at('secret-link.txt'))
    expect(await agent.call('grep_search', { pattern: 'canary' })).toStrictEqual(found('canary', [], 3))
  })

  it.each([
    [{}, /Missing parameter 'pattern'/],
    [{ pattern: '' }, /Parameter 'pattern': Too small/],
    [{ pattern: 1 }, /Parameter 'pattern'.*expected string, received number/],
    [{ pattern: 'x', is_regex: 'yes' }, /Parameter 'is_regex'.*expected boolean, received string/],
    [{ pattern: 'x', file_pattern: [] }, /Parameter 'file_pattern'.*expected string, received array/],
    [{ pattern: 'x', max_results: 0 }, /Parameter 'max_results': Too small/],
    [{ pattern: 'x', max_results: 1001 }, /Parameter 'max_results': Too big/],
    [{ pattern: 'x', max_results: 1.5 }, /Parameter 'max_results'.*expected int/],
    [{ pattern: 'x', path: 'src' }, /Unknown parameter 'path'/],
    [{ pattern: 'one\ntwo' }, /line break; it is matched within one line/],
    [{ pattern: 'x\0' }, /NUL character/],
    [{ pattern: 'x'.repeat(2001) }, /2001 characters; at most 2000/],
  ])('CA-09, CA-03: names what is wrong with %j', async (input, message) => {
    expect(await agent.fails('grep_search', input)).toMatchObject({
      output: expect.stringMatching(message),
      error: { code: 'invalid_parameters', suggestion: expect.stringMatching(/\w/) },
    })
  })

  it('CA-09: 100 results unless asked for, at most 1,000, with the count of all', async () => {
    agent.workspace.write('many.txt', 'hit\n'.repeat(2500))
    for (const [max_results, shown] of [
      [undefined, 100],
      [1, 1],
      [1000, 1000],
    ]) {
      const answer = Object(await agent.call('grep_search', { pattern: 'hit', ...(max_results && { max_results }) }))
      const lines = Array.from({ length: Number(shown) }, (_, count) => `  many.txt:${count + 1}: hit\n`)
      expect(answer.output).toBe(
        `Warning: Found 2500 matches, showing first ${shown}\nFound 2500 matches for 'hit':\n${lines.join('')}`,
      )
      expect(answer.metadata).toEqual({ total_matches: 2500, files_searched: 4, pattern: 'hit' })
    }
  })

  it('CA-09: after 30 s partial results with the printed warning', async () => {
    const partial = { matches: [{ path: 'a', line: 1, text: 'x' }], total: 1, filesSearched: 1, timedOut: true }
    let asked: { timeoutMs?: number } = {}
    const search = { grep: async (options: object) => ((asked = options), partial) }
    const answer = await grepSearch.run({ pattern: 'x', is_regex: false, max_results: 100 }, { search } as never, {
      timeoutMs: 30_000,
      signal: new AbortController().signal,
    })
    expect(asked.timeoutMs).toBe(30_000)
    expect(answer).toStrictEqual({
      output: "Warning: Search timed out after 30s, returning partial results\nFound 1 match for 'x':\n  a:1: x\n",
      metadata: { total_matches: 1, files_searched: 1, pattern: 'x' },
    })
  })

  it('CA-09: binary files are skipped, early or late, and not counted as searched', async () => {
    writeFileSync(at('early.bin'), 'needle\0\n')
    writeFileSync(at('late.bin'), `needle\n${'x\n'.repeat(200_000)}\0`)
    writeFileSync(at('utf16.txt'), Buffer.from('\uFEFFnothing here\n', 'utf16le'))
    writeFileSync(at('zlast.txt'), 'needle\n')
    const ask = (file_pattern?: string) =>
      agent.call('grep_search', { pattern: 'needle', ...(file_pattern && { file_pattern }) })
    expect(await ask()).toStrictEqual(found('needle', ['zlast.txt:1: needle'], 5))
    expect(await ask('*.bin')).toStrictEqual(found('needle', [], 0))
    expect(await ask('*.{bin,txt}')).toStrictEqual(found('needle', ['zlast.txt:1: needle'], 3))
  })

  it('CA-09: staged binary files are not counted as searched', async () => {
    writeFileSync(at('data.bin'), 'needle\0\n')
    const kit = await agent.open()
    await kit.transaction(async session => {
      await session.call('create_file', { path: 'other.bin', content: 'needle \0\n' })
      await session.call('create_file', { path: 'other.txt', content: 'needle\n' })
      expect(await session.call('grep_search', { pattern: 'needle' })).toMatchObject({
        metadata: { total_matches: 1, files_searched: 4 },
      })
    })
  })

  it('CA-18: empty and large files, CRLF, marks, UTF-16 and text that is not UTF-8', async () => {
    writeFileSync(at('a-empty'), '')
    writeFileSync(at('b-big'), `${'x'.repeat(99)}\n`.repeat(110_000) + 'needle\n')
    writeFileSync(at('c-crlf'), 'one\r\nneedle\r\n')
    writeFileSync(at('d-mark'), '\uFEFFneedle\n')
    writeFileSync(at('e-utf16'), Buffer.from('\uFEFFneedle\r\n', 'utf16le'))
    writeFileSync(at('f-latin'), Buffer.from('caf\xe9 needle\n', 'latin1'))
    writeFileSync(at('g-noend'), '🐎 needle')
    const lines = [
      'b-big:110001: needle',
      'c-crlf:2: needle',
      'd-mark:1: needle',
      'e-utf16:1: needle',
      'f-latin:1: caf\uFFFD needle',
      'g-noend:1: 🐎 needle',
    ]
    expect(await agent.call('grep_search', { pattern: 'needle' })).toStrictEqual(found('needle', lines, 10))
    expect(await agent.call('grep_search', { pattern: 'needle$', is_regex: true })).toStrictEqual(
      found('needle$', lines, 10),
    )
  })

  it('CA-18: a long line is shown by its beginning', async () => {
    writeFileSync(at('min.js'), `needle${'x'.repeat(100_000)}needle\n`)
    const answer = Object(await agent.call('grep_search', { pattern: 'needle' }))
    expect(answer.output.length).toBeLessThan(1200)
    expect(answer.output).toMatch(/min\.js:1: needlex+ \[\.\.\. omitted end of long line\]\n$/)
  })

  it('CA-18: odd names each stand on one line, and patterns may begin with a dash', async () => {
    mkdirSync(at('odd'))
    for (const name of ['-rf', 'co:lon', 'new\nline', 'žluť 🐎', 'back\\slash'])
      writeFileSync(at(`odd/${name}`), '--needle\n')
    writeFileSync(Buffer.concat([Buffer.from(`${at('odd')}/bad`), Buffer.of(0xff)]), '--needle\n')
    expect(await agent.call('grep_search', { pattern: '--needle' })).toStrictEqual(
      found(
        '--needle',
        ['odd/-rf', 'odd/back\\slash', '"odd/bad\\udcff"', 'odd/co:lon', '"odd/new\\nline"', 'odd/žluť 🐎'].map(
          name => `${name}:1: --needle`,
        ),
        9,
      ),
    )
  })

  it('CA-09: leaves out what git ignores, also where file_pattern names it', async () => {
    mkdirSync(at('.git'))
    agent.workspace.write('.gitignore', 'node_modules\n*.log\n')
    agent.workspace.write('node_modules/x/a.js', 'needle\n')
    agent.workspace.write('debug.log', 'needle\n')
    agent.workspace.write('.github/ci.yml', 'needle\n')
    for (const file_pattern of [undefined, '**/*', '*'])
      expect(
        Object(await agent.call('grep_search', { pattern: 'needle', ...(file_pattern && { file_pattern }) })).output,
      ).toBe("Found 1 match for 'needle':\n  .github/ci.yml:1: needle\n")
    expect(await agent.call('grep_search', { pattern: 'needle', file_pattern: '*.log' })).toMatchObject({
      metadata: { total_matches: 0, files_searched: 0 },
    })
  })

  it('CA-18: a Windows spelling in file_pattern is no path here', async () => {
    expect(await agent.call('grep_search', { pattern: 'TODO', file_pattern: 'src\\*.py' })).toStrictEqual(
      found('TODO', [], 0),
    )
  })

  it('CA-09: what may not be read is not searched', async () => {
    expect(
      await agent.fails('grep_search', { pattern: 'TODO' }, { permissions: [], permissionsOnly: true }),
    ).toMatchObject({ error: { code: 'permission_denied', suggestion: expect.stringContaining('fs:read') } })
  })
})
