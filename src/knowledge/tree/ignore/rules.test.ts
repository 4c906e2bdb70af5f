import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameFromBytes, onDisk } from '../../../machine/workspace/name.ts'
import { openRoot } from '../../../machine/workspace/root.ts'
import { listFiles } from '../../search/list-files.ts'
import { openTree } from '../open-tree.ts'
import { parseRuleFile } from './rule-file.ts'
import { userPlaces } from './user-places.ts'
import { processorMs } from '../../../../tests/processor-time.ts'

const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
let base: string
let current: string
let cases = 0
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-rules-')))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** What is on disk: a text is a file, undefined a directory. */
type Layout = Readonly<Record<string, string | undefined>>
const WORKSPACE = 'up/top/ws'

/** Both lists, of ripgrep as the search engine starts it and of the tree; `home` is that of the user. */
async function bothLists(layout: Layout, home = false): Promise<{ ours: string[]; theirs: string[] }> {
  current = join(base, String(++cases))
  for (const [path, content] of Object.entries({ [WORKSPACE]: undefined, ...layout })) put(path, content)
  const cwd = join(current, WORKSPACE)
  const env = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...(home && { HOME: join(current, 'home') }) }
  const args = ['--no-config', '--no-messages', '--hidden', '--glob=!.git', '--files', '--null']
  const { stdout } = spawnSync(rgPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const theirs = nameFromBytes(stdout).split('\0').slice(0, -1)
  const root = openRoot(cwd)
  const tree = openTree(root, home ? { user: userPlaces(env) } : {})
  try {
    await tree.caughtUp()
    return { ours: [...tree.files().keys()].toSorted(), theirs: theirs.toSorted() }
  } finally {
    tree.close()
    root.close()
  }
}

/** Two parts of a generated layout may want the same place: the first has it. */
function put(path: string, content: string | undefined): void {
  const place = onDisk(join(current, path))
  try {
    if (content === undefined) mkdirSync(place, { recursive: true })
    else {
      mkdirSync(onDisk(dirname(join(current, path))), { recursive: true })
      writeFileSync(place, Buffer.from(content, 'latin1'))
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && /EEXIST|ENOTDIR|EISDIR/.test(String(error.code)))) throw error
  }
}

const NAMES = [
  'a',
  'b',
  'ab',
  'a.c',
  'b.c',
  'a.b.c',
  '.a',
  'x y',
  'a ',
  '#a',
  '!a',
  '[a]',
  '{a,b}',
  'a\\b',
  'é',
  'a.',
  '*',
  '\udcff',
  'A',
  '日.c',
  '-',
  'foo',
  'ws',
]
const name = fc.constantFrom(...NAMES)
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(names => names.join('/'))
const piece = fc.oneof(
  { weight: 6, arbitrary: name.map(text => Buffer.from(text.replace('\udcff', 'z')).toString('latin1')) },
  fc.constantFrom(
    '*',
    '**',
    '?',
    '[ab]',
    '[!a]',
    '[^a-b]',
    '[a-]',
    '[]a]',
    '[',
    '[a',
    ']',
    '{a,b}',
    '{a,{b,c}}',
    '{',
    '}',
    '{,a}',
    ',',
    '\\*',
    '\\a',
    '\\',
    '\\#',
    '\\!',
    '*.c',
    '.*',
    '[b-a]',
    '[\\]]',
    '*a*',
    '\\[',
    '[[:alpha:]]',
    '{a/**,**/b}',
    '[é]',
    '[à-ü]',
  ),
)
const glob = fc
  .array(fc.tuple(piece, fc.constantFrom('', '', '/', '/', '/**/')), { minLength: 1, maxLength: 4 })
  .map(pieces => pieces.flat().join(''))
const rule = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '/', '!/', '**/', '#', '\\', ' '),
    glob,
    fc.constantFrom('', '', '', '/', '/**', '/*', ' ', '\\ ', '\t', '\r', '**', '\xff'),
  )
  .map(parts => parts.join(''))
const ruleFile = fc
  .tuple(
    fc.constantFrom('', '', '', '\xef\xbb\xbf'),
    fc.array(rule, { maxLength: 6 }),
    fc.constantFrom('\n', '\n', '\r\n', '\n\n'),
    fc.constantFrom('', '\n'),
  )
  .map(([mark, rules, between, end]) => mark + rules.join(between) + end)
const ruleName = fc.constantFrom('.gitignore', '.gitignore', '.ignore', '.rgignore', '.git/info/exclude')
/** Rules apply from a directory of the part, sometimes from above the workspace. */
const placeIn = (part: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(`${WORKSPACE}/${part}`) },
    { weight: 2, arbitrary: path.map(text => `${WORKSPACE}/${part}${text}/`) },
    { weight: 1, arbitrary: fc.constantFrom('up/', 'up/top/', `${WORKSPACE}/`) },
  )
const partOf = (part: string): fc.Arbitrary<[string, string | undefined][]> =>
  fc
    .tuple(
      fc.array(fc.tuple(placeIn(part), fc.constantFrom('.git', '.git', '.git', '.jj')), { maxLength: 2 }),
      fc.array(fc.tuple(placeIn(part), ruleName, ruleFile), { minLength: 1, maxLength: 4 }),
      fc.array(path, { minLength: 5, maxLength: 25 }),
    )
    .map(([repositories, rules, files]) => [
      ...repositories.map(([at, kind]): [string, undefined] => [at + kind, undefined]),
      ...rules.map(([at, kind, text]): [string, string] => [at + kind, text]),
      ...files.map((file): [string, string] => [`${WORKSPACE}/${part}${file}`, '']),
    ])
/** Several trees side by side in one workspace, so that one run of ripgrep answers for all. */
const layout = fc
  .tuple(...['', '1/', '2/', '3/', '4/', '5/'].map(partOf))
  .map((parts): Layout => Object.fromEntries(parts.flat()))

describe('ignore rules', () => {
  it('leave out exactly what ripgrep leaves out, in any tree with any rules', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(layout, async files => {
        const { ours, theirs } = await bothLists(files)
        expect(ours).toEqual(theirs)
      }),
      { numRuns: LONG ? 3_000 : 30 },
    )
  })

  it.each<[what: string, layout: Layout, listed: string[]]>([
    [
      'count .gitignore only inside a repository',
      { [`${WORKSPACE}/.gitignore`]: 'a\n', [`${WORKSPACE}/a`]: '' },
      ['.gitignore', 'a'],
    ],
    [
      'rank .rgignore over .ignore over .gitignore over the excludes of the repository',
      {
        [`${WORKSPACE}/.git/info/exclude`]: 'a\nb\nc\nd\n',
        [`${WORKSPACE}/.gitignore`]: '!a\n!b\n!c\n',
        [`${WORKSPACE}/.ignore`]: 'a\nb\n',
        [`${WORKSPACE}/.rgignore`]: '!a\n',
        ...Object.fromEntries([...'abcd'].map(file => [`${WORKSPACE}/${file}`, ''])),
      },
      ['.gitignore', '.ignore', '.rgignore', 'a', 'c'],
    ],
    [
      'end rules of git where a nested repository begins, and no others',
      {
        [`${WORKSPACE}/.git`]: undefined,
        [`${WORKSPACE}/.gitignore`]: 'a\n',
        [`${WORKSPACE}/.ignore`]: 'b\n',
        [`${WORKSPACE}/sub/.git`]: undefined,
        [`${WORKSPACE}/sub/a`]: '',
        [`${WORKSPACE}/sub/b`]: '',
        [`${WORKSPACE}/a`]: '',
      },
      ['.gitignore', '.ignore', 'sub/a'],
    ],
    [
      'come from directories above the workspace too',
      {
        'up/.git': undefined,
        'up/.gitignore': '/top/ws/a\n*.log\n',
        [`${WORKSPACE}/a`]: '',
        [`${WORKSPACE}/b.log`]: '',
      },
      [],
    ],
    [
      'of a worktree come from its main repository',
      {
        'main/.git/worktrees/ws/commondir': '../..\n',
        'main/.git/info/exclude': 'a\n',
        [`${WORKSPACE}/.git`]: 'gitdir: ../../../main/.git/worktrees/ws\n',
        [`${WORKSPACE}/a`]: '',
        [`${WORKSPACE}/b`]: '',
      },
      ['b'],
    ],
    [
      'end at a line that is not UTF-8',
      { [`${WORKSPACE}/.ignore`]: 'a\n\xff\nb\n', [`${WORKSPACE}/a`]: '', [`${WORKSPACE}/b`]: '' },
      ['.ignore', 'b'],
    ],
  ])('%s', async (_, files, listed) => {
    const { ours, theirs } = await bothLists(files)
    expect(ours).toEqual(listed)
    expect(theirs).toEqual(listed)
  })

  it.each<[what: string, layout: Layout, listed: string[]]>([
    ['the usual file', { 'home/.config/git/ignore': 'a\n/b\n' }, ['c/b']],
    [
      'the file that the configuration names',
      { 'home/.gitconfig': '[core]\n\texcludesFile = ~/mine\n', 'home/mine': 'b\n' },
      ['a'],
    ],
    [
      'a name in quotes',
      { 'home/.config/git/config': '[core]\nexcludesfile="~/my"\n', 'home/my': 'a\n' },
      ['b', 'c/b'],
    ],
  ])('of the user hold in repositories: %s', async (_, home, listed) => {
    const files = {
      [`${WORKSPACE}/.git`]: undefined,
      [`${WORKSPACE}/a`]: '',
      [`${WORKSPACE}/b`]: '',
      [`${WORKSPACE}/c/b`]: '',
    }
    const { ours, theirs } = await bothLists({ ...files, ...home }, true)
    expect(ours).toEqual(listed)
    expect(theirs).toEqual(listed)
    const { [`${WORKSPACE}/.git`]: _git, ...plain } = files
    expect((await bothLists({ ...plain, ...home }, true)).ours).toEqual(['a', 'b', 'c/b'])
  })

  it.each([
    ['HOME', { HOME: 'home' }, 'home/.config/git/ignore'],
    ['XDG_CONFIG_HOME', { HOME: 'home', XDG_CONFIG_HOME: 'xdg' }, 'xdg/git/ignore'],
  ])('of the user are found by %s, by the scan and by the tree', async (_, names, file) => {
    const { ours, theirs } = await bothLists({ [`${WORKSPACE}/.git`]: undefined, [file]: 'a\n' }, true)
    expect([ours, theirs]).toEqual([[], []])
    put(`${WORKSPACE}/a`, '')
    put(`${WORKSPACE}/b`, '')
    const cwd = join(current, WORKSPACE)
    const user = userPlaces(Object.fromEntries(Object.entries(names).map(([key, at]) => [key, join(current, at)])))
    const listed: string[] = []
    await listFiles({ cwd, args: [], timeoutMs: 20_000, user, onFile: one => listed.push(one) })
    expect(listed).toEqual(['b'])
    const root = openRoot(cwd)
    const tree = openTree(root, { user })
    try {
      await tree.caughtUp()
      expect([...tree.files().keys()]).toEqual(['b'])
    } finally {
      tree.close()
      root.close()
    }
  })

  it('take no longer for a hostile glob', () => {
    const hostile = parseRuleFile(Buffer.from(`${'*a'.repeat(200)}b\n${'{a,b}*'.repeat(100)}c\n`))
    const long = 'a'.repeat(255)
    const since = processorMs()
    for (let round = 0; round < 100; round++) expect(hostile?.ruling(long, long, false)).toBe(undefined)
    expect(processorMs() - since).toBeLessThan(2_000)
  })
})
