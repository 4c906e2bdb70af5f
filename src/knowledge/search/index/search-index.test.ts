import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { compileGlob } from '../../../guards/glob.ts'
import { openTree } from '../../tree/open-tree.ts'
import type { Tree } from '../../tree/tree.ts'
import { openRoot } from '../../../machine/workspace/root.ts'
import { grep as scanFiles } from '../grep.ts'
import type { StoredPlace } from '../stored/stored-place.ts'
import type { Grepped, GrepOptions } from '../types.ts'
import { wantedBy } from '../wanted-files.ts'
import { openSearchIndex } from './open-search-index.ts'
import type { IndexedAnswer, SearchIndex, SearchIndexParts } from './types.ts'
import { heldDirectory } from '../../../../tests/search/held-directory.ts'
import { processorMs } from '../../../../tests/processor-time.ts'

const isLong = process.env['TOOLWRIGHT_LONG'] !== undefined
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Indexed {
  readonly path: string
  readonly index: SearchIndex
  readonly tree: Tree
  readonly cacheDirectory: string
  readonly cache: StoredPlace
  write(files: Readonly<Record<string, string | Buffer>>): void
  /** Ends what is there and opens it anew, as another process would. */
  again(more?: Partial<SearchIndexParts>): Promise<Indexed>
  /** By ripgrep, here and now. */
  scan(options: GrepOptions): Promise<Grepped>
}

async function indexed(
  files: Readonly<Record<string, string | Buffer>>,
  more: Partial<SearchIndexParts> = {},
): Promise<Indexed> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-index-')))
  ends.push(() => rmSync(base, { recursive: true, force: true }))
  const path = join(base, 'workspace')
  mkdirSync(path)
  write(path, files)
  return opened(base, more)
}

async function opened(base: string, more: Partial<SearchIndexParts>): Promise<Indexed> {
  const [path, cacheDirectory] = [join(base, 'workspace'), join(base, 'cache')]
  const root = openRoot(path)
  const tree = openTree(root)
  const directory = `/proc/${process.pid}/fd/${root.fd}`
  const index = openSearchIndex({
    directory,
    tree,
    compileGlob,
    memoryBytes: 2 ** 30,
    matchMs: 60_000,
    waitMs: 60_000,
    ...more,
  })
  let isOpen = true
  const end = async () => {
    if (!isOpen) return
    isOpen = false
    await index.close()
    tree.close()
    root.close()
  }
  ends.push(end)
  await index.ready()
  return {
    path,
    index,
    tree,
    cacheDirectory,
    cache: { directory: cacheDirectory, key: () => 'key' },
    write: files => write(path, files),
    async again(other = {}) {
      await end()
      return opened(base, { ...more, ...other })
    },
    scan: options =>
      scanFiles(
        heldDirectory(path, options.directory),
        { ...options, directory: options.directory ?? '.' },
        {
          wanted: wantedBy(compileGlob, options),
          mayRead: () => true,
          secretFiles: 'open',
          hides: undefined,
          staged: undefined,
        },
      ),
  }
}

function write(path: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
}

const ask = (patterns: readonly string[], more: Partial<GrepOptions> = {}): GrepOptions => ({
  patterns,
  maxResults: 1_000,
  timeoutMs: 20_000,
  ...more,
})
const lines = (answer: IndexedAnswer): readonly string[] =>
  'scan' in answer ? [answer.scan] : answer.matches.map(({ path, line, text }) => `${path}:${line}:${text}`)

/** The parts of an answer that do not say where it came from. */
const told = ({
  matches,
  files,
  total,
  filesFound,
  filesSearched,
  timedOut,
}: Omit<Grepped, 'filesHidden' | 'secretsLeftOut'>) => ({
  matches,
  ...(files && { files }),
  total,
  filesFound,
  filesSearched,
  timedOut,
})

/** Reports whether the index answered at all; where it did, exactly as ripgrep. */
async function expectSame({ index, scan }: Indexed, options: GrepOptions): Promise<boolean> {
  const answer = await index.grep({ options })
  if ('scan' in answer) return false
  expect(told(answer)).toEqual(told(await scan(options)))
  return true
}

const long = (text: string, times: number): string =>
  Array.from({ length: times }, (_, at) => `${text} ${at}`).join('\n')
const WORDS = [
  'alpha',
  'Beta',
  'gamma_ray',
  'ΔELTA',
  'straße',
  'import x',
  'return;',
  '',
  '  ',
  'foo(bar)',
  'a.b',
  'x'.repeat(40),
  '12345',
  'ſtop',
]
const word = fc.constantFrom(...WORDS)
const line = fc.array(word, { maxLength: 5 }).map(words => words.join(' '))
const ending = fc.constantFrom('\n', '\r\n', '\n', '\n')
const text = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 30 }), fc.constantFrom('', 'last', 'last\r', '\uFFFDodd'))
  .map(([all, last]) => all.map(([one, end]) => one + end).join('') + last)
const content = fc.oneof(
  { weight: 8, arbitrary: text.map(one => Buffer.from(one)) },
  text.map(one => Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(one, 'utf16le')])),
  text.map(one => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(one)])),
  text.map(one => Buffer.from(one, 'latin1')),
  text.map(one => Buffer.from(`${one}\0${one}`)),
  text.map(one => Buffer.from(`${one}\n${long(one.replaceAll(/\s/g, ' '), 700)}\n`)),
  text.map(one => Buffer.from(`${one.replaceAll(/\s/g, ' ').repeat(120)}\nend\n`)),
)
const fileName = fc.constantFrom(
  'a.txt',
  'b.ts',
  'B.ts',
  'dir/c.ts',
  'dir/sub/d.js',
  'dir-2/e.md',
  '.hidden/f.ts',
  'ü.txt',
  'dir.x',
  'z/.env',
)
const tree = fc.dictionary(fileName, content, { maxKeys: 8 })
const pattern = fc.oneof(
  fc.constantFrom(
    'alpha',
    'Beta',
    'a',
    'gamma_ray',
    'straße',
    'import',
    'o(b',
    'a.b',
    'xxxx',
    'delta',
    'STRASSE',
    'stop',
    '45',
    'last',
    'end',
    'lpha Be',
  ),
  word.filter(one => one.trim() !== ''),
)
const expression = fc.oneof(
  fc.constantFrom(
    'al\\w+',
    '^$',
    '^\\s*$',
    'a.*b',
    '(alpha|Beta) .*x',
    '\\d{3}',
    '[A-Z]\\w',
    'last$',
    '\\bx+\\b',
    'a|b|c',
    'gamma_.*return;',
    '(?i)ΔELTA',
    '\\p{Greek}',
    'x{20}',
    'Beta\\s+alpha',
    'a\\r?\\n.',
    '.',
  ),
  pattern.map(one => one.replaceAll(/[().]/g, '\\$&')),
)
const flag = fc.boolean()
const options: fc.Arbitrary<GrepOptions> = fc
  .record({
    regex: flag,
    ignoreCase: flag,
    word: fc.constantFrom(false, false, true),
    invert: fc.constantFrom(false, false, false, true),
    multiline: fc.constantFrom(false, false, false, true),
    hidden: fc.constantFrom(true, true, false),
    before: fc.constantFrom(0, 0, 1, 3),
    after: fc.constantFrom(0, 0, 2),
    skip: fc.constantFrom(0, 0, 3),
    maxResults: fc.constantFrom(1_000, 100_000, 2),
    only: fc.constantFrom(undefined, undefined, 'files' as const, 'counts' as const),
    globs: fc.constantFrom([], [], ['*.ts'], ['!*.ts'], ['dir/**'], ['*.ts', '!dir']),
    countsText: flag,
  })
  .chain(({ regex, only, ...more }) =>
    fc
      .array(regex ? expression : pattern, { minLength: 1, maxLength: 2 })
      .map(patterns => ({ patterns, regex, timeoutMs: 20_000, ...more, ...(only && { only }) })),
  )

describe('the search index', () => {
  // The default draws the same questions each time: of so few, less than half could be answered by chance.
  it.each([
    { when: 'while files change', options: {}, first: 0, isStored: false, numRuns: 10 },
    {
      when: 'while the first files are not in memory',
      options: { memoryBytes: 1 },
      first: 20,
      isStored: false,
      numRuns: 5,
    },
    { when: 'while the first files are stored', options: {}, first: 20, isStored: true, numRuns: 5 },
  ])(
    'finds exactly what ripgrep finds, $when',
    async ({ options: given, first, isStored, numRuns }) => {
      let answered = 0
      let asked = 0
      const before = fc
        .sample(tree, { numRuns: first, seed: 1 })
        .flatMap((files, at) => Object.entries(files).map(([path, bytes]) => [`before${at}/${path}`, bytes] as const))
      const held = await indexed(Object.fromEntries(before), given)
      const some = isStored ? await held.again({ cache: held.cache }) : held
      const { files: count, textBytes } = some.index.status()
      expect([count, textBytes > 0]).toEqual([before.length, isStored])
      await fc.assert(
        fc.asyncProperty(
          tree,
          fc.array(options, { minLength: 10, maxLength: 20 }),
          fc.array(fileName, { maxLength: 3 }),
          async (files, questions, gone) => {
            some.write(files)
            for (const path of gone) rmSync(join(some.path, path), { force: true })
            for (const question of questions) {
              asked++
              if (await expectSame(some, question)) answered++
            }
          },
        ),
        isLong ? { numRuns: 1_000 } : { numRuns, seed: 5 },
      )
      expect(answered / asked).toBeGreaterThan(0.5)
    },
    isLong ? 600_000 : 60_000,
  )

  it('finds a line in a block with others, in the second half of a large file, and at its very end', async () => {
    const filler = long('some text that fills a block', 3_000)
    const some = await indexed({
      'a/big.txt': `${filler}\nneedle in the middle\n${filler}\nneedle at the end`,
      'b.txt': 'needle\n',
      'c.txt': '',
    })
    const answer = await some.index.grep({ options: ask(['needle']) })
    expect(lines(answer)).toEqual([
      'a/big.txt:3001:needle in the middle',
      'a/big.txt:6002:needle at the end',
      'b.txt:1:needle',
    ])
    expect(answer).toMatchObject({
      total: 3,
      filesFound: 2,
      filesSearched: 3,
      timedOut: false,
      freshness: { source: 'index', checked: 'watch' },
    })
  })

  it('pages through matches and counts all of them', async () => {
    const some = await indexed({ 'a.txt': long('needle', 100), 'b.txt': long('needle', 50) })
    const page = await some.index.grep({ options: ask(['needle'], { skip: 98, maxResults: 4 }) })
    expect(lines(page)).toEqual(['a.txt:99:needle 98', 'a.txt:100:needle 99', 'b.txt:1:needle 0', 'b.txt:2:needle 1'])
    expect(page).toMatchObject({ total: 150, filesFound: 2 })
  })

  it('leaves out what it is told to, and does not count it', async () => {
    const some = await indexed({ 'a.txt': 'needle\n', 'b.txt': 'needle\n', 'c/d.txt': 'needle\n' })
    const answer = await some.index.grep({ options: ask(['needle']), leaveOut: ['b.txt', 'not-there.txt'] })
    expect(lines(answer)).toEqual(['a.txt:1:needle', 'c/d.txt:1:needle'])
    expect(answer).toMatchObject({ total: 2, filesSearched: 2 })
  })

  it('has every change that was made before the question', async () => {
    const some = await indexed({ 'a.txt': 'first\n' })
    for (let round = 0; round < (isLong ? 1_000 : 50); round++) {
      some.write({ 'a.txt': `round ${round} here\n`, [`new/${round % 7}.txt`]: `round ${round} there\n` })
      if (round % 5 === 4) renameSync(join(some.path, 'new'), join(some.path, `moved-${round}`))
      const there = round % 5 === 4 ? `moved-${round}` : 'new'
      const answer = await some.index.grep({ options: ask([`round ${round} `]) })
      expect(lines(answer)).toEqual(
        [`a.txt:1:round ${round} here`, `${there}/${round % 7}.txt:1:round ${round} there`].toSorted(),
      )
    }
  })

  it('loses no line of a file that is read in again while a search is at work', async () => {
    const imports = long('import something', 500)
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}.txt`, imports]))
    const some = await indexed(files)
    const totals: unknown[] = []
    for (let round = 0; round < (isLong ? 5 : 2); round++) {
      const over = new AbortController()
      const slow = some.index
        .grep({ options: ask(['s\\w+ing \\d+$'], { regex: true, maxResults: 1 }) })
        .finally(() => over.abort())
      for (let turn = 0; !over.signal.aborted; turn++) {
        some.write({ [`${(turn * 37) % 100}.txt`]: `${imports}\n// ${round} ${turn}\n` })
        await some.index.grep({ options: ask(['nothing like it']) })
      }
      const answer = await slow
      totals.push('scan' in answer ? 'left to a scan' : answer.total)
    }
    expect(totals.filter(total => total !== 'left to a scan' && total !== 50_000)).toEqual([])
    const after = await some.index.grep({ options: ask(['import something 7$'], { regex: true }) })
    expect(after).toMatchObject({ total: 100 })
  })

  it('appends to a file that grows past its block, and to one that shrinks', async () => {
    const some = await indexed({ 'a.txt': 'needle\n' })
    appendFileSync(join(some.path, 'a.txt'), `${long('filler filler', 4_000)}\nneedle\n`)
    expect(lines(await some.index.grep({ options: ask(['needle']) }))).toEqual(['a.txt:1:needle', 'a.txt:4002:needle'])
    some.write({ 'a.txt': 'nothing\n' })
    expect(lines(await some.index.grep({ options: ask(['needle']) }))).toEqual([])
  })

  it('says that it is behind rather than making an answer wait for thousands of files', async () => {
    const some = await indexed({ 'a.txt': 'needle\n' })
    some.write(Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`many/${at}.txt`, `needle ${at}\n`])))
    const first = await some.index.grep({ options: ask(['needle']) })
    expect(first).toEqual({ scan: 'behind' })
    await expect
      .poll(async () => ((await some.index.grep({ options: ask(['needle'], { maxResults: 3 }) })) as Grepped).total, {
        timeout: 60_000,
      })
      .toBe(1_501)
    expect(await expectSame(some, ask(['needle 1'], { maxResults: 5_000 }))).toBe(true)
  })

  it('takes in a file larger than those that it keeps room for, and one that UTF-8 makes longer', async () => {
    // So much memory keeps room for files of 8 MB, or of 2 MB.
    const [count, memoryBytes] = isLong ? [400_000, 2 ** 30] : [100_000, 2 ** 26]
    const some = await indexed(
      { 'a.txt': Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(long('日本語', 5_000), 'utf16le')]) },
      { memoryBytes },
    )
    expect(await expectSame(some, ask(['語 4321']))).toBe(true)
    some.write({ 'b.txt': `${long('filler filler filler filler', count)}\nneedle\n`, 'c.txt': 'needle\n' })
    await expect
      .poll(async () => lines(await some.index.grep({ options: ask(['needle']) })), { timeout: 60_000 })
      .toEqual([`b.txt:${count + 1}:needle`, 'c.txt:1:needle'])
  })

  it('reads candidates from disk where memory does not suffice', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`d${at % 7}/${at}.txt`, `${long('filler', 900)}\nneedle ${at}\r\nlast`]),
    )
    const some = await indexed(files, { memoryBytes: 1 })
    expect(some.index.status()).toMatchObject({ textBytes: 0, files: 60 })
    for (const question of [
      ask(['needle 1']),
      ask(['needle'], { before: 2, after: 1 }),
      ask(['LAST$'], { regex: true, ignoreCase: true }),
      ask(['filler 899'], { only: 'counts' }),
    ])
      expect(await expectSame(some, question)).toBe(true)
    some.write({ 'd0/0.txt': 'changed needle 1\n' })
    expect(await expectSame(some, ask(['needle 1']))).toBe(true)
  })

  it('reads parts of large files where memory does not suffice, whatever their encoding and the length of their lines', async () => {
    const numbered = (count: number, end = '\n') =>
      Array.from(
        { length: count },
        (_, at) => `${at % 97 === 0 ? `needle ${at} tail` : `filler ${at} of a line`}${end}`,
      ).join('')
    const ascii = numbered(400)
    // As many bytes in UTF-16 with its mark as in UTF-8.
    const wide = Buffer.from(`\uFEFF${ascii}${'語'.repeat(ascii.length + 2)}`, 'utf16le')
    expect(wide.length).toBe(Buffer.byteLength(`${ascii}${'語'.repeat(ascii.length + 2)}`))
    const some = await indexed(
      {
        'crlf.txt': numbered(3_000, '\r\n'),
        'cut.txt': [
          `${'x'.repeat(9_000)} needle 1 ${'y'.repeat(30_000)} tail`,
          numbered(900),
          'z'.repeat(50_000),
          'needle',
        ].join('\n'),
        'empty.txt': '',
        'first.txt': `needle first\n${numbered(2_000)}`,
        'last.txt': `${numbered(2_000)}needle last`,
        'odd.txt': `${numbered(2_000)}needle odd\r`,
        'short/a.txt': 'needle a\n',
        'short/b.txt': 'needle b',
        'wide.txt': wide,
        'with-mark.txt': Buffer.from(`\uFEFFneedle ${numbered(2_000)}`),
      },
      { memoryBytes: 1 },
    )
    expect(some.index.status()).toMatchObject({ textBytes: 0, files: 10 })
    for (const question of [
      ...[
        'needle',
        'needle 97 tail',
        'needle 1940',
        'needle first',
        'needle last',
        '語語語',
        'x needle 1 y',
        'absent',
      ].map(one => ask([one])),
      ...['^needle', 'tail$', 'needle.*tail', 'needle \\d+ t', 'last$|odd', '[xy] needle'].map(one =>
        ask([one], { regex: true }),
      ),
      ask(['NEEDLE 9'], { ignoreCase: true }),
      ask(['needle', 'filler 1999']),
      ask(['needle'], { only: 'files' }),
      ask(['needle'], { only: 'counts' }),
      ask(['needle 19'], { before: 2, after: 3 }),
      ask(['needle'], { maxResults: 7 }),
    ])
      expect(await expectSame(some, question)).toBe(true)
    some.write({ 'first.txt': numbered(1_000) })
    expect(await expectSame(some, ask(['needle']))).toBe(true)
  })

  it('leaves an expression to ripgrep that would have to read too much', async () => {
    const some = await indexed({ 'a.txt': long('function someError', 1_400_000) }, { memoryBytes: 1 })
    expect(some.index.status()).toMatchObject({ textBytes: 0, files: 1 })
    expect(await some.index.grep({ options: ask(['function\\s+\\w+Error'], { regex: true }) })).toEqual({
      scan: 'slow',
    })
    expect(await some.index.grep({ options: ask(['someError 77'], { maxResults: 1 }) })).toMatchObject({
      total: 11_111,
    })
  })

  it('holds no more than it may, after a build, after changes and after a restart', async () => {
    const [most, count, rounds] = isLong ? [4 * 2 ** 20, 1_500, 6] : [2 * 2 ** 20, 750, 3]
    const words = (seed: number) => long(`line ${seed} of ${'some text '.repeat(20)}`, count)
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`d${at % 7}/${at}.txt`, words(at)]))
    const plain = await indexed(files, { memoryBytes: most })
    const within = async (one: Indexed) => {
      await expect.poll(() => one.index.status().bytes, { timeout: 90_000 }).toBeLessThan(most)
    }
    await within(plain)
    const some = await plain.again({ cache: plain.cache })
    const { textBytes, files: known } = some.index.status()
    expect([known, textBytes > 0]).toEqual([30, true])
    expect(await expectSame(some, ask(['line 7 of']))).toBe(true)
    for (let round = 0; round < rounds; round++) {
      some.write(Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`new/${round}-${at}.txt`, words(100 + at)])))
      expect(await expectSame(some, ask(['line 103 of'], { only: 'counts' }))).toBe(true)
      await within(some)
    }
    const again = await some.again({ cache: plain.cache })
    await within(again)
    expect(again.index.status()).toMatchObject({ files: 30 + rounds * 5 })
    expect(await expectSame(again, ask(['line 103 of'], { only: 'counts' }))).toBe(true)
  })

  it('ends a search that takes longer than a scan, and goes on', async () => {
    const some = await indexed(
      {
        'a.txt': 'needle\n',
        'b.txt': `${long(`x ${'ab'.repeat(500)}`, isLong ? 40_000 : 4_000)}\n`,
        'c.txt': 'needle\n',
      },
      { matchMs: 300 },
    )
    const hostile = ask(['needle|x (a|b|ab)+$'], { regex: true })
    const since = performance.now()
    const answer = await some.index.grep({ options: hostile })
    expect(performance.now() - since).toBeLessThan(10_000)
    expect(answer).toEqual({ scan: 'slow' })
    expect(lines(await some.index.grep({ options: ask(['needle']) }))).toEqual(['a.txt:1:needle', 'c.txt:1:needle'])
  })

  it('ends with its caller', async () => {
    const some = await indexed({ 'a.txt': long('needle', isLong ? 200_000 : 80_000) })
    const answer = await some.index.grep({ options: ask(['e'], { maxResults: 100_000 }) }, AbortSignal.abort())
    expect(answer).toMatchObject({ timedOut: false })
    expect(lines(await some.index.grep({ options: ask(['needle 77777']) }))).toEqual(['a.txt:77778:needle 77777'])
  })

  it('never keeps the thread that opened it from other work for long', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`${at}.txt`, long('import something', 200)]),
    )
    // Its own time on a processor: what others do on a busy machine is no stall of ours.
    let last = processorMs()
    let longest = 0
    const heart = setInterval(() => {
      longest = Math.max(longest, processorMs() - last)
      last = processorMs()
    }, 5)
    ends.push(() => clearInterval(heart))
    const some = await indexed({}, {})
    some.write(files)
    await some.tree.caughtUp()
    await expect.poll(() => some.index.status().files, { timeout: 60_000 }).toBe(300)
    longest = 0
    const answer = await some.index.grep({ options: ask(['import'], { maxResults: 100_000 }) })
    expect(answer).toMatchObject({ total: 60_000 })
    expect(longest).toBeLessThan(100)
  })
})

describe('the stored segments', () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`d/${at}.txt`, `${long('filler', 50)}\nneedle ${at}\n`]),
  )
  /** What changed a moment ago could change again without another stamp, and is read again. */
  const settle = () => new Promise(resolve => setTimeout(resolve, 120))
  const stored = async (): Promise<Indexed> => {
    const some = await indexed(files)
    await settle()
    const first = await some.again({ cache: some.cache })
    expect(first.index.status()).toMatchObject({ filesRead: 40 })
    return first
  }

  it('are taken over at the next start, and only what changed since is read', async () => {
    const some = await stored()
    const same = await some.again()
    expect(same.index.status()).toMatchObject({ files: 40, filesRead: 0 })
    expect(await expectSame(same, ask(['needle 3']))).toBe(true)
    same.write({ 'd/3.txt': 'changed needle 3\n' })
    rmSync(join(same.path, 'd/4.txt'))
    await settle()
    const segments = () => readdirSync(same.cacheDirectory).filter(name => name.endsWith('.segment'))
    const before = segments()
    const changed = await same.again()
    expect(changed.index.status()).toMatchObject({ files: 39, filesRead: 1 })
    expect(await expectSame(changed, ask(['needle 3']))).toBe(true)
    const last = await changed.again()
    expect(last.index.status()).toMatchObject({ files: 39, filesRead: 0 })
    expect(segments()).toEqual(expect.arrayContaining(before))
    expect(await expectSame(last, ask(['needle']))).toBe(true)
  })

  it('of one program are neither read nor removed by another; what none adds to for a week is', async () => {
    const some = await stored()
    const before = readdirSync(some.cacheDirectory)
    expect(before.length).toBeGreaterThan(0)
    const other = await some.again({ cache: { ...some.cache, key: () => 'other' } })
    expect(other.index.status()).toMatchObject({ files: 40, filesRead: 40 })
    const both = await other.again({ cache: some.cache })
    expect(both.index.status()).toMatchObject({ files: 40, filesRead: 0 })
    expect(await expectSame(both, ask(['needle 3']))).toBe(true)
    const others = readdirSync(some.cacheDirectory).filter(name => !before.includes(name))
    expect(others.length).toBeGreaterThan(0)
    const age = (names: readonly string[], days: number) => {
      const then = Date.now() / 1000 - days * 24 * 3600
      for (const name of names) utimesSync(join(some.cacheDirectory, name), then, then)
    }
    writeFileSync(join(some.cacheDirectory, '0000000001.segment'), 'of an earlier version')
    age([...before, ...others, '0000000001.segment'], 6)
    const early = await both.again()
    expect(readdirSync(some.cacheDirectory)).toEqual(expect.arrayContaining([...others, '0000000001.segment']))
    age([...before, ...others, '0000000001.segment'], 8)
    const late = await early.again()
    expect(late.index.status()).toMatchObject({ files: 40, filesRead: 0 })
    expect(readdirSync(some.cacheDirectory)).toEqual(before)
  })

  it('hold their texts, which are not in memory', async () => {
    const open = await stored()
    const status = open.index.status()
    const held = await open.again({ isDenied: () => true })
    expect(held.index.status()).toEqual({ ...status, bytes: status.bytes + status.textBytes })
    expect(await expectSame(held, ask(['needle 3']))).toBe(true)
  })

  it('take the texts of changed files once there are enough of them', async () => {
    const open = await stored()
    const names = (): readonly string[] => readdirSync(open.cacheDirectory)
    const before = names()
    const large = long(`some ${'text '.repeat(30)}`, 2_000)
    for (let round = 0; names().length === before.length && round < 60; round++) {
      open.write(
        Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`e/${round}-${at}.txt`, `${large}new ${round}\n`])),
      )
      expect(await open.index.grep({ options: ask([`new ${round}`], { strict: true }) })).toMatchObject({ total: 4 })
    }
    await expect.poll(() => open.index.status().bytes < open.index.status().textBytes).toBe(true)
    expect(await expectSame(open, ask(['new 2']))).toBe(true)
    expect(await expectSame(open, ask(['needle 3']))).toBe(true)
  })

  it('answer when their files are gone, and never from files that were cut short', async () => {
    const open = await stored()
    const questions = [ask(['needle 3']), ask(['filler'])]
    const segments = readdirSync(open.cacheDirectory).map(name => join(open.cacheDirectory, name))
    for (const file of segments) renameSync(file, `${file}.kept`)
    for (const question of questions) expect(await expectSame(open, question)).toBe(true)
    const again = await open.again()
    for (const name of readdirSync(again.cacheDirectory)) truncateSync(join(again.cacheDirectory, name), 4_096)
    for (const question of questions) expect(await again.index.grep({ options: question })).toEqual({ scan: 'behind' })
  })

  it('are stored again where a file took the place of their directory', async () => {
    const some = await stored()
    await some.index.close()
    rmSync(some.cacheDirectory, { recursive: true })
    writeFileSync(some.cacheDirectory, 'in the way')
    const open = await some.again()
    expect(open.index.status()).toMatchObject({ files: 40, filesRead: 40 })
    expect(await expectSame(open, ask(['needle 3']))).toBe(true)
    expect((await open.again()).index.status()).toMatchObject({ files: 40, filesRead: 0 })
  })

  it('are read anew where they are damaged, cut short or of another version', async () => {
    const some = await stored()
    let open = await some.again()
    const damage: ((bytes: Buffer) => Buffer)[] = [
      bytes => bytes.fill(bytes[bytes.length >> 1] === 7 ? 8 : 7, bytes.length >> 1, (bytes.length >> 1) + 1),
      bytes => bytes.subarray(0, bytes.length - 1),
      bytes => Buffer.concat([bytes, Buffer.of(0)]),
      bytes => Buffer.concat([Buffer.from('toolwright-segment-0\n'), bytes.subarray(21)]),
      () => Buffer.alloc(0),
    ]
    for (const harm of damage) {
      await open.index.close()
      const file = readdirSync(open.cacheDirectory).find(name => name.endsWith('.segment')) ?? ''
      const at = join(open.cacheDirectory, file)
      writeFileSync(at, harm(readFileSync(at)))
      open = await open.again()
      expect(open.index.status()).toMatchObject({ files: 40, filesRead: 40 })
      expect(await expectSame(open, ask(['needle']))).toBe(true)
    }
  })
})
