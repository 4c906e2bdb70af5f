import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { affectedTests } from '../scripts/affected-tests.ts'
import { filesOf } from '../scripts/changed-files.ts'
import { changedTests } from '../scripts/changed-tests.ts'
import { suiteOf } from './suites.ts'

const tree: Readonly<Record<string, string>> = {
  'package.json': '',
  'vitest.config.ts': "import { suites } from './tests/suites.ts'",
  'tests/suites.ts': 'export const suites = []',
  'docs/policy.md': '',
  'src/kernel/claim.ts': 'export const claim = 1',
  'src/kernel/claim.test.ts': "import { claim } from './claim.ts'\nexport const x = claim",
  'src/machine/own-program.ts': "export const OWN_PROGRAMS = { resident: 'surfaces/resident/main.ts' }",
  'src/machine/web/html/worker.ts': "import '../../../kernel/claim.ts'",
  'src/machine/web/html/render.ts': "import { x } from '../../own-program.ts'\nexport const y = x('html-worker')",
  'src/machine/web/html/render.test.ts': "import './render.ts'",
  'src/surfaces/resident/main.ts': '',
  'src/surfaces/cli/main.ts': "export const main = () => import('./other.ts')",
  'src/surfaces/cli/other.ts': "import type { claim } from '../../kernel/claim.ts'",
  'src/guards/policy.test.ts': "readFileSync(new URL('../../docs/policy.md', import.meta.url))",
  'tests/rig.ts': "export const main = join(import.meta.dirname, '..', 'src/surfaces/cli/main.ts')",
  'tests/process.test.ts': "import { main } from './rig.ts'",
  'tests/built.test.ts': "const { bin } = join(import.meta.dirname, '../package.json')\nspawn(bin.toolwright)",
  'tests/mocked.test.ts': "vi.mock('../src/kernel/claim.ts')",
  'tests/data.test.ts': "read(join(import.meta.dirname, `data/${'name'}.json`))",
  'tests/data/rows.json': '',
  'tests/made-up.test.ts': "const files = { 'src/kernel/claim.ts': 'docs/policy.md' }",
}
const affected = (changed: readonly string[], files = tree) => affectedTests(new Map(Object.entries(files)), changed)
const all = Object.keys(tree)
  .filter(file => file.endsWith('.test.ts'))
  .toSorted()

describe('the tests that a change can affect', () => {
  it.each<[what: string, changed: string, ...tests: readonly string[]]>([
    ['a test itself', 'src/kernel/claim.test.ts', 'src/kernel/claim.test.ts'],
    [
      'imports, lazy ones and types, in programs that tests and sources start too',
      'src/kernel/claim.ts',
      'src/kernel/claim.test.ts',
      'src/machine/web/html/render.test.ts',
      'tests/built.test.ts',
      'tests/mocked.test.ts',
      'tests/process.test.ts',
    ],
    ['a program that is not started there', 'src/surfaces/resident/main.ts', 'tests/built.test.ts'],
    ['a page that a test reads', 'docs/policy.md', 'src/guards/policy.test.ts'],
    ['data in a folder that a test reads', 'tests/data/rows.json', 'tests/data.test.ts'],
    ['data that is new there', 'tests/data/new.json', 'tests/data.test.ts'],
    ['a page that no test reads', 'docs/other.md'],
    ['a note', 'NOTES.md'],
  ])('follow %s', (_what, changed, ...tests) => {
    expect(affected([changed])).toEqual(tests)
  })

  it('follow a file that is gone', () => {
    const { 'docs/policy.md': _, 'src/kernel/claim.ts': __, ...rest } = tree
    expect(affected(['docs/policy.md'], rest)).toEqual(['src/guards/policy.test.ts'])
    expect(affected(['src/kernel/claim.ts'], rest)).toContain('src/kernel/claim.test.ts')
  })

  it.each([
    'package.json',
    'vitest.config.ts',
    'tests/suites.ts',
    'scripts/run.mjs',
    '.ci/run',
    'tools/node/x',
    'new/x',
  ])('are all tests where %s changed', changed => {
    expect(affected([changed])).toEqual(all)
  })
})

describe('in this repository', () => {
  const root = dirname(import.meta.dirname)
  const files = filesOf(root)

  it('a guard affects its own test and tests of the program, and not what knows no guard', () => {
    const tests = affectedTests(files, ['src/guards/glob.ts'])
    expect(tests).toEqual(
      expect.arrayContaining([
        'src/guards/glob.test.ts',
        'tests/cli/process.test.ts',
        'tests/replay/mcp.test.ts',
        'tests/resident/code.test.ts',
        'tests/architecture.test.ts',
      ]),
    )
    expect(tests.filter(test => test.startsWith('src/kernel/'))).toEqual([])
  })

  it('a page affects the test of the pages, and no source', () => {
    const tests = affectedTests(files, ['docs/search.md'])
    expect(tests).toContain('tests/docs.test.ts')
    expect(tests.filter(test => test.startsWith('src/'))).toEqual([])
  })

  it('the contract whose coverage is judged affects the judge and all that it rests on', () => {
    const tests = affectedTests(files, ['src/contracts/cli-agent/read-file.ts'])
    expect(tests).toContain('tests/measured/contracts.test.ts')
    const covered = [...files.keys()].filter(file => suiteOf(file) === 'contracts')
    expect(covered.length).toBeGreaterThan(20)
    expect(tests).toEqual(expect.arrayContaining(covered))
  })
})

describe('npm test -- --changed', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'toolwright-changed-'))
    git('init', '-q', '-b', 'main')
    write('src/a.ts', '')
    write('src/a.test.ts', "import './a.ts'")
    commit('one')
    write('src/b.test.ts', '')
    commit('two')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: root })
  const commit = (message: string) => [git('add', '-A'), git('commit', '-q', '-m', message)]
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }

  it('is about what is not committed, and in a clean tree about the last commit', () => {
    expect(changedTests(root, ['--changed'])).toEqual({ args: [], tests: ['src/b.test.ts'], all: 2, since: 'HEAD~1' })
    write('src/a.ts', '1')
    expect(changedTests(root, ['--changed'])).toMatchObject({ tests: ['src/a.test.ts'], since: 'HEAD' })
    write('src/c.test.ts', '')
    expect(changedTests(root, ['--changed'])).toMatchObject({ tests: ['src/a.test.ts', 'src/c.test.ts'], all: 3 })
  })

  it('is about everything since a commit', () => {
    write('src/a.ts', '1')
    for (const args of [['--changed', 'HEAD~1'], ['--changed=HEAD~1']])
      expect(changedTests(root, args)).toMatchObject({
        args: [],
        tests: ['src/a.test.ts', 'src/b.test.ts'],
        since: 'HEAD~1',
      })
  })

  it('is about what a branch did, and not what others did meanwhile', () => {
    git('checkout', '-q', '-b', 'mine')
    write('src/c.test.ts', '')
    commit('mine')
    git('checkout', '-q', 'main')
    write('src/d.test.ts', '')
    commit('theirs')
    git('checkout', '-q', 'mine')
    expect(changedTests(root, ['--changed', 'main'])).toMatchObject({ tests: ['src/c.test.ts'] })
  })

  it('keeps to the paths that are named, and hands on what else is said', () => {
    write('src/a.ts', '1')
    write('tests/c.test.ts', '')
    expect(changedTests(root, ['--changed', 'tests', '-t', 'src'])).toMatchObject({
      args: ['-t', 'src'],
      tests: ['tests/c.test.ts'],
    })
  })

  it('is refused for a commit that is not there, and is nothing where it is not said', () => {
    expect(() => changedTests(root, ['--changed', 'no-such'])).toThrow("git knows no commit 'no-such'")
    expect(changedTests(root, ['src'])).toBeUndefined()
  })
})
