import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { GrepOptions } from '../../src/knowledge/search/types.ts'
import { besideScan, startBuilt, type BesideScan } from './beside-scan.ts'
import { useWorlds } from './rig.ts'

type Asked = Partial<GrepOptions> & Pick<GrepOptions, 'patterns'>

const worlds = useWorlds(afterAll)
let beside: BesideScan

beforeAll(async () => {
  const world = worlds.make({
    'one.txt': 'alpha\nbeta\ngamma\n',
    'two.txt': 'beta only\n',
    'none.txt': 'delta\n',
    'empty.txt': '',
    '.hidden/file.txt': 'alpha hidden\n',
    'dir/.env.txt': 'beta hidden\n',
    'lines.txt': 'begin\nmiddle\nend\n\nbegin end\n',
    'crlf.txt': 'alpha\r\nalpha beta\r\nbeta\r\n',
    'folds.txt': 'Straße STRASSE ſtraße\nΣίσυφος ΣΊΣΥΦΟΣ σίσυφος\nİstanbul ıstanbul istanbul\nК k K\nÉCOLE école\n',
    'bundle.min.js': `${'foo=bar(1);'.repeat(30_000)}bazX;\n`,
    'long.txt': `${'x'.repeat(100_000)}needle${'y'.repeat(100_000)}\n`,
  })
  beside = besideScan(world)
  const put = (path: string, bytes: Buffer): void => writeFileSync(join(world.workspace.path, path), bytes)
  put('utf16le.txt', Buffer.from('\ufeffalpha in sixteen\r\nbeta\r\n', 'utf16le'))
  put('utf16be.txt', Buffer.from('\ufeffalpha the other way\nécole\n', 'utf16le').swap16())
  put('utf8bom.txt', Buffer.from('\ufeffalpha with a mark\n'))
  put('latin1.txt', Buffer.from('alpha caf\u00e9\nbeta \u00c9COLE\n', 'latin1'))
  put('binary.bin', Buffer.from('alpha\0beta\n'))
  put('late.bin', Buffer.concat([Buffer.from('alpha\n'.repeat(20_000)), Buffer.of(0), Buffer.from('beta\n')]))
  await startBuilt(world)
})
afterAll(() => beside.close())

const cases: readonly (readonly [what: string, asked: readonly Asked[]])[] = [
  ['several patterns', [{ patterns: ['alpha', 'beta'] }, { patterns: ['nowhere', 'delta', 'gamma'] }]],
  [
    'inverted, in files without a hit too',
    [
      { patterns: ['alpha'], invert: true },
      { patterns: ['nowhere'], invert: true },
    ],
  ],
  [
    'over line ends',
    [
      { patterns: ['begin\\nmiddle'], regex: true, multiline: true },
      { patterns: ['begin[\\s\\S]*?end'], regex: true, multiline: true },
      { patterns: ['middle\nend'], multiline: true },
    ],
  ],
  [
    'hidden or not',
    [{ patterns: ['hidden'], hidden: true }, { patterns: ['hidden'], hidden: false }, { patterns: ['hidden'] }],
  ],
  [
    'case folds outside ASCII',
    [
      ...['straße', 'STRASSE', 'σίσυφος', 'ΣΊΣΥΦΟΣ', 'istanbul', 'ISTANBUL', 'k', 'école', 'ſ'].map(text => ({
        patterns: [text],
        ignoreCase: true,
      })),
      { patterns: ['(?i)éCOLE|[Σ]ίσ'], regex: true },
    ],
  ],
  [
    'UTF-16, a byte order mark and Latin-1',
    [
      { patterns: ['alpha'] },
      { patterns: ['école'] },
      { patterns: ['café'] },
      { patterns: ['caf.'], regex: true },
      { patterns: ['beta \\W'], regex: true },
    ],
  ],
  [
    'CRLF and the end of a line',
    [
      { patterns: ['alpha$'], regex: true },
      { patterns: ['^beta$'], regex: true },
      { patterns: ['a.?$'], regex: true },
      { patterns: ['\\s$'], regex: true },
      { patterns: ['^$'], regex: true },
    ],
  ],
  ['a long line', [{ patterns: ['needle'] }, { patterns: ['xn\\w+y'], regex: true }]],
  [
    'no literal at all',
    [
      { patterns: ['[a-z]{6,}\\s\\w{2}'], regex: true },
      { patterns: ['.'], regex: true, only: 'counts' },
    ],
  ],
  [
    'words, context and counts',
    [
      { patterns: ['alpha'], word: true, before: 1, after: 2 },
      { patterns: ['beta'], only: 'files' },
    ],
  ],
]

describe('a search by the process finds what ripgrep finds', () => {
  it.each(cases)('%s', async (_what, asked) => {
    for (const one of asked) {
      expect((await beside.grepSame(one)).source).toMatch(/^(index|scan)$/)
      // Also of a file that has just changed, which is searched by another way.
      writeFileSync(join(beside.world.workspace.path, 'one.txt'), `alpha\r\nbeta ${Math.random()}\nÉcole\n`)
      await beside.grepSame(one)
    }
  })

  it.each(['foo=.*baz\\d', '\\w+=.*baz\\d', 'foo.*bar.*baz\\d'])(
    'and at once, where what stands beside a text decides: %s',
    async pattern => {
      // A pattern gets 300 ms by the clock at most, and others slow a machine down at times. One that tries ever more
      // ways needs far longer, and is left to a scan each time.
      await vi.waitFor(
        async () =>
          expect(await beside.grepSame({ patterns: [pattern], regex: true })).toMatchObject({ source: 'index' }),
        120_000,
      )
    },
    180_000,
  )

  it.each(['foo=.*baz(\\d|YZ)', '\\w+=.*baz(\\d|YZ)', 'foo.*bar.*baz(\\d|YZ)', '(x|xx)+$', 'alpha|(x+x+)+z'])(
    'and whole, whatever time JavaScript would take for %s',
    async pattern => {
      expect(await beside.grepSame({ patterns: [pattern], regex: true })).toEqual({ source: 'scan' })
      // The threads that were ended are there again, or a scan answers meanwhile.
      await beside.grepSame({ patterns: ['alpha|beta'], regex: true })
    },
  )

  it('and says of a pattern that goes over line ends that the files were scanned', async () => {
    for (const strict of [false, true])
      for (const patterns of [['begin\\nmiddle'], ['begin[\\s\\S]*?end'], ['alpha', 'begin\\nmiddle']])
        expect(await beside.grepSame({ patterns, regex: true, multiline: true, strict })).toEqual({ source: 'scan' })
    writeFileSync(join(beside.world.workspace.path, 'fresh.txt'), 'begin\nmiddle\n')
    const { matches, freshness } = await beside.search.grep({
      patterns: ['begin\\nmiddle'],
      regex: true,
      multiline: true,
      maxResults: 10,
      timeoutMs: 30_000,
    })
    expect([matches.map(({ path }) => path), freshness]).toEqual([['fresh.txt', 'lines.txt'], { source: 'scan' }])
  })

  it('and most of it without a scan', async () => {
    const sources: string[] = []
    for (const [, asked] of cases) for (const one of asked) sources.push((await beside.grepSame(one)).source)
    expect(sources.filter(source => source === 'index').length).toBeGreaterThan(sources.length / 2)
  })
})
