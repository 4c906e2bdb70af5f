import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { readsBelow } from '../../kernel/claim.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import { createStaging } from '../../machine/workspace/staging.ts'
import type { IndexedSearch } from './indexed-search.ts'
import { openSearch } from './open-search.ts'
import { comparePaths } from './path-order.ts'
import type { SearchParts } from './search-parts.ts'
import type { Grepped, GrepOptions } from './types.ts'

let workspace: TemporaryWorkspace
let root: Root
beforeAll(() => {
  workspace = temporaryWorkspace({
    '.ignore': 'ignored/\n*.log\n',
    '.github/ci.yml': 'run: test\n',
    'a.ts': 'export const one = 1\nexport const two = 2\n\n// TODO: three\nconst three = one + two\n',
    'b.py': 'def one():\n    return "ONE"\n\n\ndef tones():\n    pass\n',
    'crlf.txt': 'one\r\ntwo\r\nthree one\r\n',
    'deep/er/c.ts': 'import { one } from "../../a"\nconsole.log(one)\none\none\n',
    'deep/er/long.min.js': `${'x'.repeat(790)}one${'y'.repeat(2000)}one\nshort one\n`,
    'empty.txt': '',
    'ignored/d.ts': 'one\n',
    'noise.log': 'one\n',
    'no-end.txt': 'first\nlast one',
    'späte/ünïcode.txt': 'Straße one\nÀ LA ONE\nfin ſ k\n',
  })
  writeFileSync(join(workspace.path, 'binary.bin'), Buffer.from('one\n\0one\n'))
  writeFileSync(join(workspace.path, 'late.bin'), Buffer.from(`one\n${'text\n'.repeat(60_000)}\0one\n`))
  writeFileSync(join(workspace.path, 'utf16.txt'), Buffer.from('\ufeffone two\nthree\n', 'utf16le'))
  writeFileSync(join(workspace.path, 'latin.txt'), Buffer.from('caf\xe9 one\n', 'latin1'))
  root = openRoot(workspace.path)
})
afterAll(() => {
  root.close()
  return workspace.remove()
})

const engine = (more: Partial<SearchParts> = {}) =>
  openSearch({
    root,
    staging: createStaging(),
    claims: readsBelow('.'),
    mayRead: () => true,
    mayList: more.mayRead ?? (() => true),
    secretFiles: 'open',
    hides: undefined,
    compileGlob,
    reference: () => Buffer.from('kept one\nkept two\n'),
    ...more,
  })
const grep = (options: Partial<GrepOptions>, more: Partial<SearchParts> = {}): Promise<Grepped> =>
  engine(more).grep({ patterns: ['one'], maxResults: 1000, timeoutMs: 30_000, ...options })
const spoken = ({ matches }: Grepped): string[] => matches.map(({ path, line, text }) => `${path}:${line}:${text}`)

/** What ripgrep itself says, asked as a person would. */
const rg = (args: readonly string[], directory = '.'): string[] => {
  const always = ['--no-config', '--sort=path', '--no-heading', '--with-filename', '--line-number', '--crlf']
  const preview = ['--max-columns=1000', '--max-columns-preview', '--glob=!.git']
  try {
    return execFileSync(rgPath, [...always, ...preview, ...args, directory], {
      cwd: workspace.path,
      encoding: 'utf8',
      maxBuffer: 1e8,
    })
      .split('\n')
      .filter(line => line !== '' && !line.includes('WARNING: stopped searching binary'))
      .filter(line => !/^(\.\/)?late\.bin/.test(line))
      .map(line => line.replace(/^\.\//, '').replace(/\r$/, ''))
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'status') === 1) return []
    throw error
  }
}

describe('every option of a search, beside ripgrep', () => {
  const CASES: readonly (readonly [string, Partial<GrepOptions>, readonly string[]])[] = [
    ['plain text', { patterns: ['.log('] }, ['-F', '--hidden', '.log(']],
    ['several patterns', { patterns: ['two', 'TODO'] }, ['-F', '--hidden', '-e', 'two', '-e', 'TODO']],
    ['a regular expression', { patterns: ['t\\w+e{2}$'], regex: true }, ['--hidden', 't\\w+e{2}$']],
    ['alternatives', { patterns: ['^def', 'log\\('], regex: true }, ['--hidden', '-e', '^def', '-e', 'log\\(']],
    ['any case', { ignoreCase: true }, ['-F', '-i', '--hidden', 'one']],
    [
      'any case, past ASCII',
      { patterns: ['à LA', 'S', 'K'], ignoreCase: true },
      ['-Fi', '--hidden', '-eà LA', '-eS', '-eK'],
    ],
    ['whole words', { word: true }, ['-F', '-w', '--hidden', 'one']],
    ['lines without it', { invert: true }, ['-F', '-v', '--hidden', 'one']],
    ['lines without several', { patterns: ['one', 'e'], invert: true }, ['-Fv', '--hidden', '-e', 'one', '-e', 'e']],
    ['no hidden files', { patterns: ['e'], hidden: false }, ['-F', 'e']],
    ['hidden files', { patterns: ['test'] }, ['-F', '--hidden', 'test']],
    ['a pattern that looks like an option', { patterns: ['-v', '--'] }, ['-F', '--hidden', '-e', '-v', '-e', '--']],
    ['nothing', { patterns: ['zzz'] }, ['-F', '--hidden', 'zzz']],
    ['one glob', { globs: ['*.ts'] }, ['-F', '--hidden', '-t', 'ts', 'one']],
    ['two globs', { globs: ['*.ts', '*.py'] }, ['-F', '--hidden', '-t', 'ts', '-t', 'py', 'one']],
    ['a glob that leaves out', { globs: ['!*.ts'] }, ['-F', '--hidden', '-T', 'ts', 'one']],
    ['a directory that is left out', { globs: ['!deep'] }, ['-F', '--hidden', '-g', '!deep', 'one']],
    [
      'one that takes and one that leaves out',
      { globs: ['*.ts', '!a.*'] },
      ['-F', '--hidden', '-t', 'ts', '-g', '!a.*', 'one'],
    ],
    ['a type', { types: ['ts'] }, ['-F', '--hidden', '-t', 'ts', 'one']],
    ['two types', { types: ['ts', 'py'] }, ['-F', '--hidden', '-t', 'ts', '-t', 'py', 'one']],
    ['every type', { types: ['all'] }, ['-F', '--hidden', '-t', 'all', 'one']],
    ['a type and no hidden files', { types: ['yaml'], patterns: ['run'], hidden: false }, ['-F', '-t', 'yaml', 'run']],
    ['a type and a glob', { types: ['ts'], globs: ['!a.*'] }, ['-F', '--hidden', '-t', 'ts', '-g', '!a.*', 'one']],
    ['a glob with a directory', { globs: ['deep/**/*.ts'] }, ['-F', '--hidden', '-g', 'deep/**/*.ts', 'one']],
  ]

  it.each(CASES)('%s', async (_what, options, args) => {
    const [found, theirs] = [await grep(options), rg(args)]
    expect(spoken(found)).toEqual(theirs)
    expect(found).toMatchObject({
      total: theirs.length,
      filesHidden: 0,
      timedOut: false,
      freshness: { source: 'scan' },
    })
    const counts = rg(['--count', ...args]).map(line => line.replace(':', ' '))
    expect(found.filesFound).toBe(counts.length)
    for (const only of ['files', 'counts'] as const) {
      const files = await grep({ ...options, only })
      expect(files.files?.map(({ path, count }) => `${path} ${count}`)).toEqual(counts)
      expect(files).toMatchObject({ matches: [], total: theirs.length, filesFound: counts.length })
      expect(files.filesSearched).toBe(found.filesSearched)
    }
  })

  it.each([
    ['plain text', { patterns: ['one'] }, ['-F', 'one']],
    ['several in a line', { patterns: ['one', 'ex', 'o'] }, ['-F', '-e', 'one', '-e', 'ex', '-e', 'o']],
    ['an expression', { patterns: ['\\w+ one$', 't.*?o'], regex: true }, ['-e', '\\w+ one$', '-e', 't.*?o']],
    ['any case', { patterns: ['ONE', 'straSSe'], ignoreCase: true }, ['-F', '-i', '-e', 'ONE', '-e', 'straSSe']],
    ['words', { patterns: ['one'], word: true }, ['-F', '-w', 'one']],
    ['a type', { patterns: ['one'], types: ['py'] }, ['-F', '-t', 'py', 'one']],
    ['matches over line ends', { patterns: ['one\\n\\w*'], regex: true, multiline: true }, ['-U', 'one\\n\\w*']],
    ['matches that hold nothing', { patterns: ['x*$'], regex: true, globs: ['*.py'] }, ['-t', 'py', 'x*$']],
  ] as const)('only what matches: %s', async (_what, options, args) => {
    const found = await grep({ ...options, onlyMatching: true })
    const counted = rg(['--count-matches', '--hidden', ...args]).map(line => Number(line.split(':').at(-1)))
    const lines = found.matches.flatMap(({ path, line, text }) =>
      text.split('\n').map((one, at) => `${path}:${line + at}:${one}`),
    )
    expect(lines).toEqual(rg(['--only-matching', '--hidden', ...args]))
    expect(found.total).toBe(counted.reduce((sum, count) => sum + count, 0))
  })

  it('names the types that may be meant', async () => {
    await expect(grep({ types: ['typescrip'] })).rejects.toMatchObject({
      code: 'invalid_input',
      message: "There is no file type 'typescrip'",
      hint: 'Did you mean typescript?',
    })
    await expect(grep({ types: ['tsx'] })).rejects.toMatchObject({ hint: 'Did you mean ts or typescript?' })
    await expect(grep({ types: ['--files'] })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(grep({ types: ['qqqqqqqq'] })).rejects.toMatchObject({
      hint: expect.stringMatching(/such as .*\bts\b/),
    })
  })

  it('below a directory, with globs that mean paths in the workspace', async () => {
    expect(spoken(await grep({ directory: 'deep' }))).toEqual(rg(['-F', '--hidden', 'one'], 'deep'))
    expect(spoken(await grep({ directory: 'deep/', globs: ['deep/er/*.ts'] }))).toHaveLength(4)
    expect(spoken(await grep({ directory: 'deep', globs: ['er/*.ts'] }))).toEqual([])
    const ignored = await grep({ directory: 'ignored' })
    expect(spoken(ignored)).toEqual(rg(['-F', 'one'], 'ignored'))
  })

  it('in one file that is named, ignored or not, by whatever name', async () => {
    workspace.write('odd/[a]{b}!*?.txt', 'one\ntwo\n')
    workspace.write('odd/a.txt', 'one\n')
    expect(spoken(await grep({ directory: 'noise.log' }))).toEqual(['noise.log:1:one'])
    expect(spoken(await grep({ directory: 'odd/[a]{b}!*?.txt' }))).toEqual(['odd/[a]{b}!*?.txt:1:one'])
    expect(await grep({ directory: 'a.ts' })).toMatchObject({ total: 2, filesSearched: 1, filesFound: 1 })
    for (const directory of ['binary.bin', 'late.bin', 'empty.txt'])
      expect(await grep({ directory })).toMatchObject({ matches: [], total: 0, filesFound: 0, filesSearched: 1 })
    expect(await grep({ directory: '.github/ci.yml', hidden: false, patterns: ['run'] })).toMatchObject({ total: 1 })
    await expect(grep({ directory: 'missing' })).rejects.toMatchObject({ code: 'not_found' })
    workspace.write('odd/a.txt', '')
    workspace.write('odd/[a]{b}!*?.txt', '')
  })

  it('in what a reference keeps', async () => {
    const claims = [{ action: 'read' as const, resource: 'ref:0123456789abcdef' }]
    const found = await grep({ directory: 'ref:0123456789abcdef', patterns: ['two'] }, { claims })
    expect(found.matches).toEqual([{ path: 'ref:0123456789abcdef', line: 2, text: 'kept two' }])
  })

  it('with lines around each match, as far as the file has them', async () => {
    const { matches } = await grep({ patterns: ['two'], directory: 'a.ts', before: 2, after: 2 })
    expect(matches.map(({ line, context }) => [line, context])).toEqual([
      [2, { before: ['export const one = 1'], after: ['', '// TODO: three'] }],
      [5, { before: ['', '// TODO: three'], after: [] }],
    ])
    const [first, second] = (await grep({ directory: 'deep/er/c.ts', after: 1, maxResults: 2 })).matches
    expect([first?.context, second?.context]).toEqual([
      { before: [], after: ['console.log(one)'] },
      { before: [], after: ['one'] },
    ])
    const [windows] = (await grep({ patterns: ['two'], directory: 'crlf.txt', before: 9, after: 9 })).matches
    expect(windows?.context).toEqual({ before: ['one'], after: ['three one'] })
  })

  it('over several lines', async () => {
    const found = await grep({ patterns: ['def \\w+\\(\\):\\n\\s+\\w+'], regex: true, multiline: true })
    expect(found.matches).toEqual([
      { path: 'b.py', line: 1, text: 'def one():\n    return "ONE"' },
      { path: 'b.py', line: 5, text: 'def tones():\n    pass' },
    ])
    expect(found).toMatchObject({ total: 2, filesFound: 1 })
    const plain = await grep({ patterns: ['one\none'], multiline: true, before: 1, after: 1, directory: 'deep' })
    expect(plain.matches).toEqual([
      { path: 'deep/er/c.ts', line: 3, text: 'one\none', context: { before: ['console.log(one)'], after: [] } },
    ])
    expect(await grep({ patterns: ['one\none'], multiline: true, only: 'counts' })).toMatchObject({
      files: [{ path: 'deep/er/c.ts', count: 1 }],
      total: 1,
    })
    await expect(grep({ patterns: ['one\none'] })).rejects.toThrow('line break')
    expect(spoken(await grep({ patterns: ['one\n'], multiline: true }))).not.toContain('binary.bin:1:one')
  })

  it('page by page, the pages together being the whole', async () => {
    const whole = spoken(await grep({}))
    expect(whole.length).toBeGreaterThan(14)
    for (const size of [1, 7, whole.length]) {
      const pages: string[] = []
      for (let skip = 0; skip < whole.length; skip += size) {
        const page = await grep({ skip, maxResults: size })
        expect(page.total).toBe(whole.length)
        pages.push(...spoken(page))
      }
      expect(pages).toEqual(whole)
      if (size === 1) pages.length = 0
    }
    const files = await grep({ only: 'files', skip: 1, maxResults: 2 })
    expect(files.files?.map(({ path }) => path)).toEqual(
      [...new Set(whole.map(line => line.split(':')[0]))].slice(1, 3),
    )
  }, 60_000)

  it('refuses what it cannot search for, and says why', async () => {
    await expect(grep({ patterns: [] })).rejects.toThrow('0 patterns')
    await expect(grep({ patterns: Array.from({ length: 101 }, () => 'a') })).rejects.toThrow('101 patterns')
    await expect(grep({ patterns: ['a'.repeat(1500), 'b'.repeat(1500)] })).rejects.toThrow('The patterns have 3000')
    await expect(grep({ patterns: ['ok', '('], regex: true })).rejects.toThrow('Invalid regex pattern')
    await expect(grep({ patterns: ['a{900}', 'b{900}'], regex: true })).rejects.toThrow('1800 steps')
    await expect(grep({ globs: ['!['] })).rejects.toThrow("Invalid glob pattern '!['")
  })
})

describe('finding files', () => {
  it('leaves out hidden ones where that is asked, and gives them page by page', async () => {
    const find = (options: object) => engine().find('.', '**', { maxResults: 1000, maxDepth: 20, ...options })
    const all = (await find({})).files
    expect(all).toEqual(all.toSorted(comparePaths))
    expect(all).toContain('.github/ci.yml')
    expect(all).not.toContain('noise.log')
    const shown = await find({ hidden: false })
    expect(shown.files).toEqual(all.filter(path => !/(^|\/)\./.test(path)))
    expect((await find({ skip: 3, maxResults: 4 })).files).toEqual(all.slice(3, 7))
    expect(await find({ skip: 3, maxResults: 4 })).toMatchObject({ total: all.length, freshness: { source: 'scan' } })
    expect((await find({ maxDepth: 1 })).files).toEqual(all.filter(path => !path.includes('/')))
  })
})

describe('an index, where there is one', () => {
  const asked: unknown[] = []
  /** Answers from a list; what it is asked is written down. */
  const indexed = (more: Partial<IndexedSearch> = {}): IndexedSearch => ({
    files: async () => ['a.ts', 'secret/key.ts', 'deep/er/c.ts'],
    async grep(options, { leaveOut }) {
      asked.push([options.patterns, options.skip, options.maxResults, leaveOut])
      const matches = ['a.ts', 'deep/er/c.ts'].map(path => ({ path, line: 1, text: 'one' }))
      const freshness = { source: 'index' as const, checked: 'watch' as const }
      return { matches, total: 2, filesFound: 2, filesSearched: 2, timedOut: false, freshness }
    },
    async find(_directory, _glob, _options, { leaveOut }) {
      asked.push(leaveOut)
      return { files: ['a.ts', 'deep/er/c.ts'], total: 2, timedOut: false, freshness: { source: 'index' } }
    },
    ...more,
  })
  const isSecret = (path: string) => path.startsWith('secret')
  const hides = { matches: isSecret, covers: isSecret, reaches: () => true, names: () => false }

  it('answers in place of a scan, told what to leave out', async () => {
    asked.length = 0
    const found = await grep(
      { skip: 1, maxResults: 5 },
      { indexed: indexed(), hides, mayRead: path => !isSecret(path) },
    )
    expect(spoken(found)).toEqual(['deep/er/c.ts:1:one'])
    expect(found).toMatchObject({ total: 2, filesHidden: 1, freshness: { source: 'index', checked: 'watch' } })
    expect(asked).toEqual([[['one'], 0, 6, ['secret/key.ts']]])
    const files = await engine({ indexed: indexed(), hides, mayRead: path => !isSecret(path) }).find('.', '**', {
      maxResults: 1,
      maxDepth: 20,
      skip: 1,
    })
    expect(files).toMatchObject({ files: ['deep/er/c.ts'], total: 2, filesHidden: 1, freshness: { source: 'index' } })
  })

  it('is given the same number of hidden files whatever is asked', async () => {
    const parts = { indexed: indexed(), hides, mayRead: (path: string) => !isSecret(path) }
    for (const glob of ['**', '**/k*', 'zz*', '**/*.md'])
      for (const [directory, filesHidden] of [
        ['.', 1],
        ['deep', 0],
      ] as const) {
        const options = { maxResults: 1, maxDepth: 1, hidden: false }
        const found = await engine(parts).find(directory, glob, options)
        expect(found).toMatchObject({ filesHidden, freshness: { source: 'index' } })
        const grepped = await grep({ directory, globs: [glob], hidden: false }, parts)
        expect(grepped).toMatchObject({ filesHidden, freshness: { source: 'index' } })
      }
  })

  it('never shows what may not be read, whatever it answers', async () => {
    const isOther = (path: string) => path !== 'a.ts' && !isSecret(path)
    const parts = { indexed: indexed(), hides, mayRead: isOther }
    // One that is not to be seen is not counted either, which only a scan can do.
    expect(await grep({}, parts)).toEqual(await grep({}, { hides, mayRead: isOther }))
    expect(spoken(await grep({}, parts)).filter(line => line.startsWith('a.ts'))).toEqual([])
    const files = { files: ['a.ts', 'deep/er/c.ts'].map(path => ({ path, count: 1 })), matches: [] }
    const told = { total: 2, filesFound: 2, filesSearched: 2, timedOut: false, freshness: { source: 'index' as const } }
    for (const only of ['files', 'counts'] as const)
      expect(
        await grep({ only }, { ...parts, indexed: indexed({ grep: async () => ({ ...told, ...files }) }) }),
      ).toEqual(await grep({ only }, { hides, mayRead: isOther }))
    const find = (more: Partial<SearchParts>) => engine(more).find('.', '**/*.ts', { maxResults: 9, maxDepth: 9 })
    expect(await find(parts)).toEqual(await find({ hides, mayRead: isOther }))
  })

  it('is joined with what is staged', async () => {
    asked.length = 0
    const staging = createStaging()
    const put = (path: string, text: string) =>
      staging.set(path, { type: 'absent' }, { type: 'file', bytes: Buffer.from(text), hash: text, mode: 0o644 })
    put('a.ts', 'staged one\n')
    put('b.ts', 'one\none\n')
    const clean = indexed({
      async grep(_options, { leaveOut }) {
        asked.push(leaveOut)
        const matches = [{ path: 'deep/er/c.ts', line: 1, text: 'one' }]
        return { matches, total: 1, filesFound: 1, filesSearched: 1, timedOut: false, freshness: { source: 'index' } }
      },
    })
    const found = await grep({ skip: 1, maxResults: 2 }, { indexed: clean, staging })
    expect(asked).toEqual([['a.ts']])
    expect(spoken(found)).toEqual(['b.ts:1:one', 'b.ts:2:one'])
    expect(found).toMatchObject({ total: 4, filesFound: 3, filesSearched: 3, freshness: { source: 'index' } })
  })

  it('leaves the rest of the time to the scan, where it took some and could not answer', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timers.mockRestore())
    for (const [timeoutMs, tookMs, least, most] of [
      [40_000, 500, 4_000, 39_510],
      [30_000, 0, 3_000, 30_000],
      [100, 500, 10, 10],
    ] as const) {
      const late = indexed({ grep: () => new Promise(resolve => setTimeout(resolve, tookMs, undefined)) })
      timers.mockClear()
      expect(await grep({ timeoutMs }, { indexed: late })).toMatchObject({ freshness: { source: 'scan' } })
      const [, ofScan] = timers.mock.calls.map(([, delay]) => delay ?? 0)
      expect(ofScan).toBeGreaterThanOrEqual(least)
      expect(ofScan).toBeLessThanOrEqual(most)
    }
  })

  it('is not waited for where it cannot answer now: the files are scanned', async () => {
    const nothing = indexed({ grep: async () => undefined, find: async () => undefined })
    for (const parts of [{ indexed: nothing }, { indexed: indexed({ files: async () => undefined }), hides }]) {
      expect(await grep({}, parts)).toMatchObject({ freshness: { source: 'scan' } })
      const found = await engine(parts).find('.', '*.ts', { maxResults: 9, maxDepth: 9 })
      expect(found).toMatchObject({ files: ['a.ts'], freshness: { source: 'scan' } })
    }
  })
})
