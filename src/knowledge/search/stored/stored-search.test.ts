import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { compileGlob } from '../../../guards/glob.ts'
import { openRoot } from '../../../machine/workspace/root.ts'
import { userPlaces } from '../../tree/ignore/user-places.ts'
import { openTree } from '../../tree/open-tree.ts'
import { grep as scanFiles } from '../grep.ts'
import { openSearchIndex } from '../index/open-search-index.ts'
import type { Grepped, GrepOptions } from '../types.ts'
import { wantedBy } from '../wanted-files.ts'
import { saveSearch } from './save-search.ts'
import { storedSearch } from './stored-search.ts'
import { heldDirectory } from '../../../../tests/search/held-directory.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

type Files = Readonly<Record<string, string | Buffer>>

interface How {
  readonly key?: string
  readonly secrets?: true
}

interface Stored {
  readonly path: string
  readonly cache: string
  /** By what is stored; undefined where a scan has to answer. */
  ask(options: GrepOptions, how?: How): Promise<Told | undefined>
  /** By ripgrep, here and now. */
  scan(options: GrepOptions): Promise<Told>
}

/** The parts of an answer that do not say where it came from. */
type Told = Omit<Grepped, 'filesHidden' | 'secretsLeftOut' | 'freshness' | 'unreadable'>
const told = ({ matches, files, total, filesFound, filesSearched, timedOut }: Told): Told => ({
  matches,
  ...(files && { files }),
  total,
  filesFound,
  filesSearched,
  timedOut,
})

/** Longer than a tick of the clock that stamps files: what was written before is known for certain afterwards. */
const SETTLED_MS = 80
const settled = () => pause(SETTLED_MS)

/** Writes files, and stores the search of an index that has read them. */
async function stored(files: Files, { waits = true } = {}): Promise<Stored> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-stored-')))
  ends.push(() => rmSync(base, { recursive: true, force: true }))
  const [path, cache] = [join(base, 'workspace'), join(base, 'cache')]
  mkdirSync(path)
  write(path, files)
  if (waits) await settled()
  await store(path, cache)
  const root = openRoot(path)
  ends.push(() => root.close())
  return {
    path,
    cache,
    async ask(options, { key = 'key', secrets } = {}) {
      const place = { directory: cache, key: () => key }
      const parts = { root, user: userPlaces(), place, compileGlob, isForeign: () => false }
      const answer = await storedSearch(parts, options)?.grep(options, { leaveOut: [], ...(secrets && { secrets }) })
      if (answer) expect(answer.freshness).toEqual({ source: 'index', checked: 'stat' })
      return answer && told(answer)
    },
    async scan(options) {
      const { directory = '.' } = options
      const world = {
        wanted: wantedBy(compileGlob, options),
        mayRead: () => true,
        secretFiles: 'open' as const,
        hides: undefined,
        staged: undefined,
      }
      return told(await scanFiles(heldDirectory(path, directory), { ...options, directory }, world))
    },
  }
}

/** What the process of a workspace does from its start to its end. */
async function store(path: string, directory: string, meanwhile = () => {}): Promise<void> {
  const cache = { directory, key: () => 'key' }
  const root = openRoot(path)
  const tree = openTree(root)
  const index = openSearchIndex({
    directory: `/proc/${process.pid}/fd/${root.fd}`,
    tree,
    compileGlob,
    memoryBytes: 2 ** 30,
    cache,
    async onStored(segments) {
      await tree.settle()
      const image = tree.image(() => false)
      meanwhile()
      if (image) saveSearch(cache, image, segments)
    },
  })
  try {
    await index.ready()
  } finally {
    await index.close()
    tree.close()
    root.close()
  }
}

function write(path: string, files: Files): void {
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
const NEEDLE = ask(['needle'])

const FILES: Files = {
  '.gitignore': 'ignored/\n*.log\n',
  '.git/config': '',
  'a.txt': 'needle one\nother\nneedle two\n',
  'b.txt': 'nothing here\n',
  'src/c.ts': 'const needle = 1\n',
  'src/deep/d.ts': 'export function needle() {}\n// a needle\n',
  'src/deep/e.ts': 'no\n',
  'src/.hidden/f.ts': 'needle in a hidden place\n',
  'ignored/g.txt': 'needle ignored\n',
  'h.log': 'needle in a log\n',
  'lib/i.ts': 'let needle\n',
}

describe('a stored search', () => {
  it('finds the lines of ripgrep, in its order and with its counts', async () => {
    const long = `${'x'.repeat(5_000)} needle ${'y'.repeat(40_000)}needle`
    const search = await stored({
      ...FILES,
      'long.txt': `${long}\nshort needle\n`,
      'many.txt': Array.from({ length: 9_000 }, (_, line) => (line % 7 ? `line ${line}` : `needle ${line}`)).join('\n'),
      'crlf.txt': 'needle\r\nother\r\nneedle again\r\n',
      'odd.txt': 'needle\r',
      'bytes.txt': Buffer.from([0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0xff, 0xfe, 0x0a, 0xe4, 0x0a]),
      'wide.txt': Buffer.from('\ufeffneedle in UTF-16\n', 'utf16le'),
      'binary.bin': Buffer.concat([Buffer.from('needle\n'), Buffer.alloc(4), Buffer.from('needle\n')]),
      'umlaut-ä/ö.txt': 'Nädel needle ÄÖÜ\n',
      'empty.txt': '',
    })
    const questions: readonly GrepOptions[] = [
      NEEDLE,
      ask(['NEEDLE'], { ignoreCase: true }),
      ask(['nädel'], { ignoreCase: true }),
      ask(['needle', 'nothing']),
      ask(['.'], { regex: true }),
      ask(['^'], { regex: true }),
      ask(['needle$'], { regex: true }),
      ask(['n..dle [a-z]{3}'], { regex: true }),
      ask(['needle one|nothing|^$'], { regex: true }),
      ask(['needle'], { invert: true }),
      ask(['needle 7'], { before: 2, after: 3 }),
      ask(['line 8'], { before: 1, maxResults: 5, skip: 3 }),
      ask(['needle'], { only: 'counts' }),
      ask(['needle'], { only: 'files', maxResults: 2, skip: 1 }),
      ask(['needle'], { maxResults: 1 }),
      ask(['needle'], { directory: 'src' }),
      ask(['needle'], { hidden: false }),
      ask(['needle'], { globs: ['*.ts', '!lib/**'] }),
      ask(['needle'], { typeGlobs: ['*.txt'] }),
      ask(['nowhere']),
      ask(['xx']),
      ask(['needle'], { countsText: true }),
      ask(['nowhere'], { countsText: true, globs: ['*.bin', '*.txt'] }),
    ]
    for (const question of questions)
      expect([question, await search.ask(question)]).toEqual([question, await search.scan(question)])
  })

  it('leaves questions to ripgrep that only it can answer', async () => {
    const search = await stored({
      ...FILES,
      'late.txt': Buffer.concat([Buffer.alloc(70_000, 'a\n'), Buffer.alloc(1)]),
      'bytes.txt': Buffer.from('needle\xff\n', 'latin1'),
    })
    expect(await search.ask(ask(['needle\nother'], { multiline: true }))).toBeUndefined()
    expect(await search.ask(ask(['needle'], { directory: 'ignored' }))).toBeUndefined()
    // ripgrep's engines disagree on word boundaries next to bytes that are not text.
    expect(await search.ask(ask(['needle'], { word: true }))).toBeUndefined()
    expect(await search.ask(ask(['(?<'], { regex: true }))).toBeUndefined()
    expect(await search.ask(ask(['(a|aa)+$'], { regex: true }))).toBeUndefined()
    expect(await search.ask(NEEDLE)).toEqual(await search.scan(NEEDLE))
  })

  it('neither finds nor counts what is left out', async () => {
    const search = await stored({ ...FILES, '.env': 'needle=secret\n', 'src/.env': 'needle=secret\n' })
    await settled()
    write(search.path, { 'lib/.env': 'needle=another\n', 'lib/new.ts': 'needle\n' })
    const all = await search.ask(NEEDLE)
    const open = await search.ask(NEEDLE, { secrets: true })
    expect(all).toEqual(await search.scan(NEEDLE))
    expect(open?.matches.map(({ path }) => path)).toEqual(
      all?.matches.map(({ path }) => path).filter(path => !path.endsWith('.env')),
    )
    expect(open?.filesSearched).toBe((all?.filesSearched ?? 0) - 3)
  })
})

const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  'a file that changed': path => appendFileSync(join(path, 'b.txt'), 'a needle at last\n'),
  'a file that lost its line': path => writeFileSync(join(path, 'a.txt'), 'gone\n'),
  'an added file': path => writeFileSync(join(path, 'src/new.ts'), 'needle\n'),
  'an added file that is ignored': path => writeFileSync(join(path, 'src/new.log'), 'needle\n'),
  'a file before all others and one behind them': path => write(path, { '!first': 'needle\n', 'zzz/last': 'needle\n' }),
  'an added directory': path => write(path, { 'new/one/two.ts': 'needle\n', 'new/three.ts': 'needle\n' }),
  'an added directory with ignore rules': path =>
    write(path, { 'new/.ignore': 'no.ts\n', 'new/no.ts': 'needle\n', 'new/yes.ts': 'needle\n' }),
  'a deleted file': path => rmSync(join(path, 'a.txt')),
  'a deleted directory': path => rmSync(join(path, 'src/deep'), { recursive: true }),
  'a renamed file': path => renameSync(join(path, 'a.txt'), join(path, 'src/z.txt')),
  'a renamed directory': path => renameSync(join(path, 'src/deep'), join(path, 'src/other')),
  'two directories in each other’s place': path => {
    renameSync(join(path, 'lib'), join(path, 'swap'))
    renameSync(join(path, 'src/deep'), join(path, 'lib'))
    renameSync(join(path, 'swap'), join(path, 'src/deep'))
  },
  'two files in each other’s place': path => {
    renameSync(join(path, 'a.txt'), join(path, 'swap'))
    renameSync(join(path, 'b.txt'), join(path, 'a.txt'))
    renameSync(join(path, 'swap'), join(path, 'b.txt'))
  },
  'a file of the same size and time': path => {
    const { atime, mtime } = statSync(join(path, 'a.txt'))
    writeFileSync(join(path, 'a.txt'), readFileSync(join(path, 'a.txt'), 'latin1').replace('needle one', 'another un'))
    utimesSync(join(path, 'a.txt'), atime, mtime)
  },
  'a file that another replaced, of the same size and time': path => {
    const { atime, mtime } = statSync(join(path, 'src/c.ts'))
    writeFileSync(join(path, 'src/swap'), 'const noodle = 1\n')
    utimesSync(join(path, 'src/swap'), atime, mtime)
    renameSync(join(path, 'src/swap'), join(path, 'src/c.ts'))
  },
  'a file that a link replaced': path => {
    rmSync(join(path, 'a.txt'))
    symlinkSync('src/c.ts', join(path, 'a.txt'))
  },
  'a directory that a link to it replaced': path => {
    renameSync(join(path, 'src/deep'), join(dirname(path), 'outside'))
    symlinkSync(join(dirname(path), 'outside'), join(path, 'src/deep'))
  },
  'a directory that a link to another replaced': path => {
    rmSync(join(path, 'src/deep'), { recursive: true })
    symlinkSync('../lib', join(path, 'src/deep'))
  },
  'a file that a directory replaced': path => {
    rmSync(join(path, 'b.txt'))
    write(path, { 'b.txt/inside.txt': 'needle\n' })
  },
  'a directory that a file replaced': path => {
    rmSync(join(path, 'lib'), { recursive: true })
    writeFileSync(join(path, 'lib'), 'needle\n')
  },
  'a directory that was made again': path => {
    rmSync(join(path, 'src/deep'), { recursive: true })
    write(path, { 'src/deep/e.ts': 'needle now\n' })
  },
  'a file that changed by another name': path => {
    linkSync(join(path, 'b.txt'), join(dirname(path), 'other-name'))
    appendFileSync(join(dirname(path), 'other-name'), 'needle from outside\n')
  },
  'ignore rules that changed': path => appendFileSync(join(path, '.gitignore'), 'lib/\n'),
  'ignore rules that were added': path => writeFileSync(join(path, 'src/.ignore'), 'deep\n'),
  'ignore rules that were added to one directory': path => writeFileSync(join(path, 'lib/.ignore'), 'i.ts\n'),
  'ignore rules that were added with a change to what they leave out': path =>
    write(path, { 'lib/.ignore': 'i.ts\n', 'lib/i.ts': 'another needle\n' }),
  'ignore rules that are gone': path => rmSync(join(path, '.gitignore')),
  'a file with a mode that is its own': path => chmodSync(join(path, 'a.txt'), 0o600),
  'more of everything': path => {
    for (let at = 0; at < 40; at++) write(path, { [`more/${at}/needle.ts`]: `needle ${at}\n` })
    rmSync(join(path, 'lib'), { recursive: true })
  },
  'too many files': path => {
    for (let at = 0; at < 400; at++) write(path, { [`many/${at}.ts`]: `needle ${at}\n` })
  },
}

/** Where a scan has to answer: too much changed, or rules did. */
const SCANNED = new Set([
  'ignore rules that changed',
  'ignore rules that were added',
  'ignore rules that are gone',
  'too many files',
])

describe('after a change, a stored search', () => {
  it.for(Object.entries(CHANGES))('knows of %s', async ([what, change]) => {
    const search = await stored(FILES)
    change(search.path)
    for (const question of [
      NEEDLE,
      ask(['needle'], { only: 'counts' }),
      ask(['zzqq']),
      ask(['needle'], { directory: 'src', after: 1 }),
    ]) {
      const answer = await search.ask(question)
      if (answer) expect(answer).toEqual(await search.scan(question))
      expect(answer === undefined ? 'scanned' : 'stored').toBe(SCANNED.has(what) ? 'scanned' : 'stored')
    }
  })

  it('knows of it in the same moment in which the file was stored', async () => {
    const search = await stored(FILES, { waits: false })
    for (let round = 0; round < 20; round++) {
      const { atime, mtime } = statSync(join(search.path, 'a.txt'))
      writeFileSync(join(search.path, 'a.txt'), `needle ${'ab'[round % 2]}ne\nother\nneedle two\n`)
      utimesSync(join(search.path, 'a.txt'), atime, mtime)
      expect(await search.ask(NEEDLE)).toEqual(await search.scan(NEEDLE))
      if (round % 5 === 4) await store(search.path, search.cache)
    }
  })

  it('finds the lines of ripgrep, whatever happened', async () => {
    const names = [
      'a.txt',
      'b.txt',
      'src/c.ts',
      'src/deep/d.ts',
      'x/y/z.ts',
      'src',
      'src/deep',
      'lib',
      'x',
      'n.log',
      'k',
    ]
    let seed = 20_261
    const next = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most
    const some = (): string => names[next(names.length)] ?? ''
    let answered = 0
    for (let round = 0; round < 25; round++) {
      const search = await stored(FILES)
      for (let step = next(4); step >= 0; step--) {
        const [one, other] = [join(search.path, some()), join(search.path, some())]
        try {
          if (next(4) === 0) rmSync(one, { recursive: true })
          else if (next(3) === 0) renameSync(one, other)
          else if (next(5) === 0) symlinkSync(one, other)
          else {
            mkdirSync(dirname(one), { recursive: true })
            if (lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink() !== true)
              writeFileSync(one, `${next(2) ? 'needle' : 'noodle'} ${round}\n`)
          }
        } catch {
          // Not every step is possible.
        }
      }
      const answer = await search.ask(NEEDLE)
      if (!answer) continue
      answered++
      expect(answer).toEqual(await search.scan(NEEDLE))
    }
    expect(answered).toBeGreaterThan(20)
  })
})

const segmentsOf = ({ cache }: Stored): string[] =>
  readdirSync(cache)
    .filter(name => name.endsWith('.segment'))
    .map(name => join(cache, name))

describe('where what is stored is not as it was written, a stored search', () => {
  it('has no answer, or the right one', async () => {
    const search = await stored({ ...FILES, 'more.txt': 'line with a needle\n'.repeat(4_000) })
    const questions = [NEEDLE, ask(['.'], { regex: true }), ask(['needle'], { before: 1, maxResults: 3 })]
    const right = await Promise.all(questions.map(search.scan))
    const [file = ''] = segmentsOf(search)
    const bytes = readFileSync(file)
    let refused = 0
    for (let at = 0; at < bytes.length; at += 499) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x04
      writeFileSync(file, damaged)
      for (const [which, question] of questions.entries()) {
        const answer = await search.ask(question)
        if (answer) expect(answer).toEqual(right[which])
        else refused++
      }
    }
    // The text takes the larger part of the file, and the second question reads all of it.
    expect(refused).toBeGreaterThan(bytes.length / 499 / 2)
    writeFileSync(file, bytes)
    expect(await search.ask(NEEDLE)).toEqual(right[0])
  })

  it('has no answer by segments that are cut short, gone, a link or cannot be read', async () => {
    const search = await stored(FILES)
    const [file = ''] = segmentsOf(search)
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, -20))
    expect(await search.ask(NEEDLE)).toBeUndefined()
    rmSync(file)
    expect(await search.ask(NEEDLE)).toBeUndefined()
    writeFileSync(`${file}.away`, bytes)
    symlinkSync(`${file}.away`, file)
    expect(await search.ask(NEEDLE)).toBeUndefined()
    rmSync(file)
    mkdirSync(file)
    expect(await search.ask(NEEDLE)).toBeUndefined()
  })

  it('has no answer by an image that is damaged, of another format or key, or that others may write', async () => {
    const search = await stored(FILES)
    const image = join(search.cache, 'key.image')
    const bytes = readFileSync(image)
    for (let at = 0; at < bytes.length; at += 97) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x01
      writeFileSync(image, damaged)
      const answer = await search.ask(NEEDLE)
      // The head is followed by room that nobody reads.
      if (answer) expect(answer).toEqual(await search.scan(NEEDLE))
      if (at > 4_096) expect(answer).toBeUndefined()
    }
    writeFileSync(
      image,
      Buffer.from(bytes.toString('latin1').replace('toolwright-sections 1', 'toolwright-sections 0'), 'latin1'),
    )
    expect(await search.ask(NEEDLE)).toBeUndefined()
    writeFileSync(image, bytes)
    expect(await search.ask(NEEDLE, { key: 'another' })).toBeUndefined()
    chmodSync(image, 0o666)
    expect(await search.ask(NEEDLE)).toBeUndefined()
    chmodSync(image, 0o600)
    expect(await search.ask(NEEDLE)).toEqual(await search.scan(NEEDLE))
    rmSync(image)
    expect(await search.ask(NEEDLE)).toBeUndefined()
  })

  it('has no answer by a segment that another process put in its place while it was stored', async () => {
    const search = await stored({ 'a.txt': 'needle one\n' })
    const [file = ''] = segmentsOf(search)
    const older = readFileSync(file)
    rmSync(file)
    await settled()
    writeFileSync(join(search.path, 'a.txt'), 'needle two\n')
    await settled()
    await store(search.path, search.cache, () => {
      const [fresh = ''] = segmentsOf(search)
      expect(statSync(fresh).size).toBe(older.length)
      writeFileSync(`${fresh}.other`, older)
      renameSync(`${fresh}.other`, fresh)
    })
    expect(await search.ask(NEEDLE)).toBeUndefined()
  })

  it('leaves out segments of an older format when it is stored', async () => {
    const search = await stored(FILES)
    const [file = ''] = segmentsOf(search)
    const bytes = readFileSync(file)
    bytes.write('toolwright-segment-5\n', 'latin1')
    writeFileSync(file, bytes)
    expect(await search.ask(NEEDLE)).toEqual(await search.scan(NEEDLE))
    await store(search.path, search.cache)
    expect(segmentsOf(search)).not.toContain(file)
    expect(await search.ask(NEEDLE)).toEqual(await search.scan(NEEDLE))
  })
})
