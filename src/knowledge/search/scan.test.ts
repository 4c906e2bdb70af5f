import type * as processes from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { readsBelow } from '../../kernel/claim.ts'
import { temporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot } from '../../machine/workspace/root.ts'
import { createStaging } from '../../machine/workspace/staging.ts'
import { openSearch } from './open-search.ts'
import type { GrepOptions } from './types.ts'

/** What ripgrep was started with. */
const runs = vi.hoisted((): (readonly string[])[] => [])
/** Where ripgrep runs instead. */
const elsewhere = vi.hoisted((): { cwd?: string } => ({}))
vi.mock('node:child_process', async original => {
  const real = await original<typeof processes>()
  const spawn = (program: string, args: readonly string[], options: processes.SpawnOptions) => {
    runs.push(args)
    return real.spawn(program, args, { ...options, ...elsewhere })
  }
  return { ...real, spawn }
})

/** As a search in a workspace of these files; closed with the test. */
async function searched(files: Readonly<Record<string, string>>, work: (search: Search) => Promise<void>) {
  await using workspace = temporaryWorkspace(files)
  const root = openRoot(workspace.path)
  const engine = openSearch({
    root,
    staging: createStaging(),
    claims: readsBelow('.'),
    mayRead: () => true,
    mayList: () => true,
    secretFiles: 'open',
    hides: undefined,
    compileGlob,
    reference: () => Buffer.from('kept\n'),
  })
  const grep = (options: Partial<GrepOptions>) =>
    engine.grep({ patterns: ['.'], regex: true, maxResults: 10, timeoutMs: 60_000, ...options })
  try {
    await work({ grep })
  } finally {
    root.close()
  }
}

interface Search {
  grep(options: Partial<GrepOptions>): ReturnType<ReturnType<typeof openSearch>['grep']>
}

it.each<[boolean, Partial<GrepOptions>]>([
  [false, { patterns: ['.'] }],
  [false, { patterns: ['\\w+'] }],
  [false, { patterns: ['[abc]'] }],
  [false, { patterns: ['one|x*'] }],
  [false, { patterns: ['(one)?'] }],
  [false, { patterns: ['.'], only: 'counts' }],
  [false, { patterns: ['o'], regex: false }],
  [false, { patterns: ['one', 'x'], regex: false }],
  [false, { patterns: ['one'], invert: true }],
  [true, { patterns: ['one'], regex: false }],
  [true, { patterns: ['function\\s+\\w+Error'] }],
  [true, { patterns: ['TODO|FIXME'], only: 'counts' }],
])(
  'asks ripgrep for its figures: %j, for %j, because then it looks for every match of a line',
  async (asks, options) => {
    await searched({ 'a.txt': 'one\n', 'b.txt': 'x\n' }, async ({ grep }) => {
      runs.length = 0
      expect(await grep(options)).toMatchObject({ filesSearched: 2 })
      expect(runs.some(args => args.includes('--stats'))).toBe(asks)
    })
  },
)

it.each<[string, Partial<GrepOptions>]>([
  ['an expression', {}],
  ['an expression that spells a text', { patterns: ['o\\w?ne|two'] }],
  ['plain text', { patterns: ['one'], regex: false }],
  ['short text', { patterns: ['o'], regex: false }],
  ['lines without it', { patterns: ['one'], regex: false, invert: true }],
  ['more than one line', { patterns: ['one\\n'], multiline: true }],
])('tells how many files it looked into for %s', async (_what, options) => {
  const files = {
    'a.txt': 'one\n',
    'b/c.txt': 'two\n',
    'b/d.ts': 'one\n',
    '.git/HEAD': 'one',
    '.ignore': 'ignored\n',
    ignored: 'one',
  }
  await searched(files, async ({ grep }) => {
    for (const only of [{}, { only: 'files' as const }, { only: 'counts' as const }]) {
      expect(await grep({ ...options, ...only })).toMatchObject({ filesSearched: 4 })
      expect(await grep({ ...options, ...only, globs: ['*.txt'] })).toMatchObject({ filesSearched: 2 })
      expect(await grep({ ...options, ...only, directory: 'b' })).toMatchObject({ filesSearched: 2 })
      expect(await grep({ ...options, ...only, directory: 'b/d.ts' })).toMatchObject({ filesSearched: 1 })
      expect(await grep({ ...options, ...only, directory: 'ref:0123456789abcdef' })).toMatchObject({ filesSearched: 1 })
    }
  })
})

it('finds nothing in a directory that is removed while ripgrep starts', async () => {
  const before = process.cwd()
  const gone = mkdtempSync(join(tmpdir(), 'toolwright-gone-'))
  await searched({ 'a.txt': 'needle\n' }, async ({ grep }) => {
    process.chdir(gone)
    rmSync(gone, { recursive: true })
    elsewhere.cwd = '/proc/self/cwd'
    try {
      expect(await grep({ patterns: ['needle'] })).toMatchObject({ matches: [], total: 0 })
    } finally {
      delete elsewhere.cwd
      process.chdir(before)
    }
    expect(await grep({ patterns: ['needle'] })).toMatchObject({ total: 1 })
  })
})
