// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { readIndex, writeIndex } from '../../src/machine/workspace/git-index.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository, shell } from '../process/git-world.ts'

const it = needs('bubblewrap')

interface Node {
  readonly name?: string
  readonly count: number
  readonly id?: string
  readonly below?: readonly Node[]
}

const bytesOf = ({ name = '', count, id = '', below = [] }: Node): Buffer =>
  Buffer.concat([Buffer.from(`${name}\0${count} ${below.length}\n`), Buffer.from(id, 'hex'), ...below.map(bytesOf)])

const FILES = { 'src/deep/b.txt': 'b\n', 'src/c.txt': 'c\n', 'bücher/d.txt': 'd\n' }
/** Files of the index that the command leaves: `new.txt` is new. */
const COUNT = 6

interface Trees {
  /** Returns the id of a tree: a tree of the repository, after these commands on an index with it. */
  made(commands: string): string
  /** Returns the id of a directory's tree as the index has it. */
  right(path: string): string
}

const HOOK = 'git update-index --add --cacheinfo 100755,$(echo "touch ran" | git hash-object -w --stdin),'
const CONTENT = 'git update-index --cacheinfo 100644,$(echo evil | git hash-object -w --stdin),'

const ROWS: readonly (readonly [string, (trees: Trees) => Buffer])[] = [
  ['a hook', ({ made }) => bytesOf({ count: COUNT, id: made(`${HOOK}.husky/pre-commit`) })],
  ['instructions', ({ made }) => bytesOf({ count: COUNT, id: made(`${HOOK}src/AGENTS.md`) })],
  ['other content', ({ made }) => bytesOf({ count: COUNT, id: made(`${CONTENT}a.txt`) })],
  ['other content in a directory', ({ made }) => bytesOf({ count: COUNT, id: made(`${CONTENT}src/deep/b.txt`) })],
  ['another mode', ({ made }) => bytesOf({ count: COUNT, id: made('git update-index --chmod=+x a.txt') })],
  ['a file less', ({ made }) => bytesOf({ count: COUNT, id: made('git rm -q --cached a.txt') })],
  ['a directory less', ({ made }) => bytesOf({ count: COUNT, id: made('git rm -qr --cached src') })],
  ['nothing', ({ made }) => bytesOf({ count: COUNT, id: made('git read-tree --empty') })],
  ['the tree of HEAD', ({ made }) => bytesOf({ count: COUNT, id: made('git read-tree HEAD') })],
  [
    'another tree of a directory',
    ({ made }) =>
      bytesOf({ count: -1, below: [{ name: 'src', count: 2, id: made(`git read-tree HEAD:src; ${CONTENT}c.txt`) }] }),
  ],
  [
    'a hook in a directory',
    ({ made }) =>
      bytesOf({ count: -1, below: [{ name: 'src', count: 2, id: made(`git read-tree HEAD:src; ${HOOK}.envrc`) }] }),
  ],
  [
    'another tree two directories down',
    ({ made }) =>
      bytesOf({
        count: -1,
        below: [
          {
            name: 'src',
            count: -1,
            below: [{ name: 'deep', count: 1, id: made(`git read-tree HEAD:src/deep; ${HOOK}x`) }],
          },
        ],
      }),
  ],
  [
    'a wrong second directory after a right one',
    ({ made, right }) =>
      bytesOf({
        count: -1,
        below: [
          { name: 'bücher', count: 1, id: right('bücher') },
          { name: 'src', count: 2, id: made(`git read-tree HEAD:src; ${HOOK}x`) },
        ],
      }),
  ],
  [
    'the same directory twice',
    ({ made, right }) =>
      bytesOf({
        count: -1,
        below: [
          { name: 'src', count: 2, id: right('src') },
          { name: 'src', count: 2, id: made(`git read-tree HEAD:src; ${HOOK}x`) },
        ],
      }),
  ],
  ['no object', () => bytesOf({ count: COUNT, id: '1'.repeat(40) })],
  ['half a record', ({ right }) => bytesOf({ count: COUNT, id: right('.') }).subarray(1)],
  ['more directories than bytes', () => Buffer.from('\0-1 4000000000\n')],
]

const treesOf = (workspace: TemporaryWorkspace): Trees => ({
  made: commands =>
    shell(workspace, `export GIT_INDEX_FILE=.git/made; ${NEW}${commands}; git write-tree; rm .git/made`),
  right: path =>
    shell(
      workspace,
      `export GIT_INDEX_FILE=.git/made; ${NEW}t=$(git write-tree); rm .git/made; git rev-parse "$t:${path === '.' ? '' : path}"`,
    ),
})
const NEW = 'git read-tree HEAD; git update-index --add --cacheinfo 100644,$(git rev-parse HEAD:a.txt),new.txt; '

/** Returns the index with `new.txt` and this cache. */
function indexWith(workspace: TemporaryWorkspace, data: Buffer): Buffer {
  shell(workspace, `export GIT_INDEX_FILE=.git/made; ${NEW}`)
  const index = readIndex(readFileSync(join(workspace.path, '.git/made')))
  shell(workspace, 'rm .git/made')
  return writeIndex({ entries: index?.entries ?? [], extensions: [{ name: 'TREE', data }] })
}

/** What the index lists, and the tree that the user's next commit makes of it. */
const listed = (workspace: TemporaryWorkspace): string =>
  git(workspace, 'ls-files', '-s').replaceAll(/ (\w+) 0\t/g, ' blob $1\t')
const committed = (workspace: TemporaryWorkspace): string => {
  shell(workspace, 'git commit -q --allow-empty -m next')
  return git(workspace, 'ls-tree', '-r', 'HEAD')
}

describe('trees that an index has ready for the next commit', () => {
  it.each(ROWS)('cannot give it other files than the index lists: %s', async (_, cache) => {
    await using workspace = repository(FILES)
    const bytes = indexWith(workspace, cache(treesOf(workspace)))
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', { command: 'base64 -d > .git/index', stdin: bytes.toString('base64') })
    expect(outcome.meta.warnings?.join()).toContain('another tree than its entries make')
    expect(listed(workspace)).not.toContain('new.txt')
    expect(committed(workspace)).toBe(listed(workspace))
  })

  it.each([
    ['whole', ({ right }: Trees) => bytesOf({ count: COUNT, id: right('.') })],
    [
      'in part',
      ({ right }: Trees) => bytesOf({ count: -1, below: [{ name: 'bücher', count: 1, id: right('bücher') }] }),
    ],
    ['none', () => bytesOf({ count: -1 })],
  ])('stay as git leaves them: %s', async (_, cache) => {
    await using workspace = repository(FILES)
    const bytes = indexWith(workspace, cache(treesOf(workspace)))
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', { command: 'base64 -d > .git/index', stdin: bytes.toString('base64') })
    expect(outcome.meta.warnings ?? []).toEqual([])
    expect(readFileSync(join(workspace.path, '.git/index'))).toEqual(bytes)
    expect(listed(workspace)).toContain('new.txt')
    expect(committed(workspace)).toBe(listed(workspace))
  })

  it.each([
    ['a reset', 'git reset -q --hard HEAD'],
    ['a split index', 'git update-index --split-index; git write-tree; echo y > src/y; git add src/y'],
    [
      'a split index that is committed',
      'git update-index --split-index; echo y > src/y; git add src; git commit -qm y',
    ],
    ['the fourth version', 'git update-index --index-version 4; git write-tree; git rm -q src/c.txt'],
    ['an emptied directory', 'git write-tree; git rm -qr src/deep; git write-tree'],
    ['an intended addition', 'git write-tree; echo i > src/i; git add -N src/i'],
    ['a link and a program', 'ln -s a.txt l; echo p > p; chmod +x p; git add -A; git write-tree'],
    ['names that sort apart', 'mkdir s; touch s/x s-x s.x s0 "bü"; git add -A; git write-tree'],
    ['a submodule', 'git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub; git write-tree'],
    ['an empty index', 'git rm -qr --cached .; git write-tree'],
  ])('of git itself land: %s', async (_, line) => {
    await using workspace = repository(FILES)
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', { command: `{ ${line}; } >&2; git ls-files -s` })
    expect(outcome.meta.warnings?.join() ?? '').not.toContain('another tree')
    expect(git(workspace, 'ls-files', '-s')).toBe(String(Object(outcome.ok && outcome.data).stdout).trim())
  })
})
