import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { expect, it, onTestFinished } from 'vitest'
import { openSearch } from '../../src/knowledge/search/open-search.ts'
import type { GrepOptions } from '../../src/knowledge/search/types.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { createStaging } from '../../src/machine/workspace/staging.ts'
import { compileGlob } from '../../src/guards/glob.ts'
import { readsBelow } from '../../src/kernel/claim.ts'
import { temporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { createRandom, type Random } from '../patch-differential/random.ts'

const QUESTIONS = process.env['TOOLWRIGHT_LONG'] === '1' ? 1_500 : 30
const FILES = {
  'a.txt': 'foo foo\nfoo\nfoo\nbar\nfoo\nfoo\nxx\nfoo\n',
  'b.txt': 'a\r\nfoo\r\nfoo bar\r\n\r\nx\r\n',
  'c.txt': 'bar foo\n\n\nfoo x foo\nbar',
  'd.txt': 'x\n',
}

it('counts each match that may go over line ends, and shows its lines', async () => {
  const { grep } = opened()
  const asked = { patterns: ['(?s)foo.'], regex: true, directory: 'a.txt' }
  expect(await grep({ ...asked, only: 'counts' })).toMatchObject({ files: [{ path: 'a.txt', count: 7 }], total: 7 })
  const { matches, total } = await grep(asked)
  expect([total, matches.map(({ line }) => line)]).toEqual([7, [1, 1, 2, 3, 5, 6, 8]])
  const around = await grep({ ...asked, patterns: ['o\nf'], regex: false, before: 1, after: 1 })
  expect(around.matches.map(({ line, text, context }) => [line, text, context])).toEqual([
    [1, 'foo foo\nfoo', { before: [], after: ['foo'] }],
    [2, 'foo\nfoo', { before: ['foo foo'], after: ['bar'] }],
    [5, 'foo\nfoo', { before: ['bar'], after: ['xx'] }],
  ])
  expect((await grep({ ...asked, skip: 1, maxResults: 2 })).matches.map(({ line }) => line)).toEqual([1, 2])
})

it('takes no longer for each of many matches in lines that touch', async () => {
  const many = 100_000
  const { path, grep } = opened()
  writeFileSync(join(path, 'many.txt'), 'foo\n'.repeat(many))
  const asked = { patterns: ['foo\n'], directory: 'many.txt', before: 2, after: 1, maxResults: many, timeoutMs: 30_000 }
  const { total, matches, timedOut } = await grep(asked)
  expect([total, matches.length, timedOut]).toEqual([many, many, false])
  expect(matches.at(-1)).toEqual({
    path: 'many.txt',
    line: many,
    text: 'foo',
    context: { before: ['foo', 'foo'], after: [] },
  })
})

it('gives no answer where ripgrep itself breaks down, rather than one that lacks a file', async () => {
  const broken = opened().grep({ patterns: ['\\b[^x]\\n?'], regex: true })
  await expect(broken).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('crashed') })
})

it(`counts and shows what ripgrep does, ${QUESTIONS} times`, { timeout: 3_600_000 }, async () => {
  const { path, grep } = opened()
  const random = createRandom(Number(process.env['TOOLWRIGHT_SEED'] ?? 3))
  for (let round = 0; round < QUESTIONS; round++) {
    const options = {
      patterns: [randomPattern(random)],
      regex: true,
      ignoreCase: random.chance(0.3),
      invert: random.chance(0.2),
    }
    const flags = ['-U', ...(options.ignoreCase ? ['-i'] : []), ...(options.invert ? ['-v'] : [])]
    const rg = (...more: readonly string[]) => ripgrep(path, [...flags, ...more, '-e', options.patterns[0] ?? ''])
    const counted = await grep({ ...options, only: 'counts' })
    expect([options, counted.files?.map(file => `${file.path}:${file.count}`)]).toEqual([options, rg('--count')])
    const { matches, total } = await grep(options)
    expect([options, total, matches.length]).toEqual([options, counted.total, counted.total])
    const lines = matches.flatMap(({ path: file, line, text }) =>
      text.split('\n').map((one, at) => `${file}:${line + at}:${one}`),
    )
    expect([options, [...new Set(lines)]]).toEqual([options, rg('-n')])
  }
})

function opened() {
  const workspace = temporaryWorkspace(FILES)
  const root = openRoot(workspace.path)
  onTestFinished(() => {
    root.close()
    return workspace.remove()
  })
  const search = openSearch({
    root,
    staging: createStaging(),
    claims: readsBelow('.'),
    mayRead: () => true,
    mayList: () => true,
    secretFiles: 'open',
    hides: undefined,
    compileGlob,
    reference: () => Buffer.alloc(0),
  })
  const grep = (options: Partial<GrepOptions>) =>
    search.grep({ patterns: [], multiline: true, maxResults: 1000, timeoutMs: 60_000, ...options })
  return { path: workspace.path, grep }
}

function ripgrep(cwd: string, args: readonly string[]): readonly string[] {
  try {
    const told = execFileSync(rgPath, ['--no-config', '--crlf', '--sort=path', ...args, '.'], { cwd, encoding: 'utf8' })
    return told.replaceAll(/^\.\//gm, '').split(/\r?\n/).slice(0, -1)
  } catch (error) {
    if (Object(error).status === 1) return []
    throw error
  }
}

const PIECES = [
  'foo',
  'bar',
  'x',
  'o',
  '\\n',
  '\\r?\\n',
  '\\s',
  '\\s+',
  '\\w+',
  '.',
  ' ',
  '(?s:.)',
  '[^x]',
  '[a-f]+',
] as const

const randomPattern = (random: Random): string =>
  Array.from({ length: 1 + random.int(4) }, () => random.pick(PIECES) + (random.chance(0.1) ? '?' : '')).join('') +
  (random.chance(0.15) ? `|${random.pick(PIECES)}` : '')
