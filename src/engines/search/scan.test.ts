import { execFileSync } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'
import { expect, it } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { readsBelow } from '../../kernel/claim.ts'
import { temporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot } from '../workspace/root.ts'
import { createStaging } from '../workspace/staging.ts'
import { openSearch } from './open-search.ts'
import type { GrepOptions } from './types.ts'

/** As a search in a workspace of these files; closed with the test. */
async function searched(files: Readonly<Record<string, string>>, work: (search: Search) => Promise<void>) {
  await using workspace = temporaryWorkspace(files)
  const root = openRoot(workspace.path)
  const engine = openSearch({
    root,
    staging: createStaging(),
    claims: readsBelow('.'),
    mayRead: () => true,
    hides: undefined,
    compileGlob,
    reference: () => Buffer.from('kept\n'),
  })
  const grep = (options: Partial<GrepOptions>) =>
    engine.grep({ patterns: ['.'], regex: true, maxResults: 10, timeoutMs: 60_000, ...options })
  try {
    await work({ path: workspace.path, grep })
  } finally {
    root.close()
  }
}

interface Search {
  readonly path: string
  grep(options: Partial<GrepOptions>): ReturnType<ReturnType<typeof openSearch>['grep']>
}

it(
  'does not look for every match of a line, as ripgrep has to where it tells figures',
  { timeout: 60_000 },
  async () => {
    const files = { 'a.txt': `${'x'.repeat(200)}\n`.repeat(40_000), 'b.txt': 'y\n' }
    await searched(files, async ({ path, grep }) => {
      const figures = () =>
        execFileSync(rgPath, ['--no-config', '--stats', '-n', '.', '.'], { cwd: path, maxBuffer: 1e9 })
      for (const only of [{}, { only: 'counts' as const }]) {
        const ours: number[] = []
        const theirs: number[] = []
        for (let round = 0; round < 3; round++) {
          ours.push(await msOf(() => grep(only)))
          theirs.push(await msOf(async () => figures()))
        }
        expect(Math.min(...ours)).toBeLessThan(Math.min(...theirs) / 2)
      }
      expect(await grep({})).toMatchObject({ total: 40_001, filesFound: 2, filesSearched: 2 })
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

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}
