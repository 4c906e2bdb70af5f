// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { Toolkit } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { git, repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

interface Entry {
  readonly path: string | Buffer
  readonly mode?: number
  readonly flags?: number
}

interface Shape {
  readonly version?: number
  readonly extensions?: readonly (readonly [string, (at: number) => Buffer])[]
}

const [FILE, LINK, MODULE] = [0o100755, 0o120000, 0o160000]

/** An index as an attacker writes it, byte by byte. */
function indexOf(id: string, entries: readonly Entry[], { version = 2, extensions = [] }: Shape = {}): Buffer {
  const head = Buffer.alloc(12)
  head.write('DIRC')
  head.writeUInt32BE(version, 4)
  head.writeUInt32BE(entries.length, 8)
  const parts: Buffer[] = [head]
  let previous = 0
  for (const { path, mode = FILE, flags } of entries) {
    const name = Buffer.from(path)
    const fixed = Buffer.alloc(62)
    fixed.writeUInt32BE(mode, 24)
    fixed.write(id, 40, 'hex')
    fixed.writeUInt16BE(flags ?? Math.min(name.length, 0xfff), 60)
    const size = fixed.length + name.length
    if (version === 4) parts.push(fixed, Buffer.from([previous]), name, Buffer.alloc(1))
    else parts.push(fixed, name, Buffer.alloc(((size + 8) & ~7) - size))
    previous = name.length
  }
  const at = Buffer.concat(parts).length
  for (const [name, make] of extensions) {
    const data = make(at)
    const front = Buffer.alloc(8)
    front.write(name)
    front.writeUInt32BE(data.length, 4)
    parts.push(front, data)
  }
  const body = Buffer.concat(parts)
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

const words = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, at * 4)
  return bytes
}

const HOOK = '.git/hooks/post-checkout'
const bare = (
  place: string,
  names: readonly string[] = ['HEAD', 'config', 'objects/x', 'refs/x'],
  modes: Readonly<Record<string, number>> = {},
): Entry[] => names.map(name => ({ path: `${place}${name}`, mode: modes[name] ?? FILE }))
const last = (path: string): Entry[] => [{ path: 'a.txt' }, { path }]

/** What git of the user does next; nothing of it may run anything of the attacker's or write outside. */
const NEXT = [
  ['status'],
  ['diff'],
  ['checkout', '--', '.'],
  ['checkout', '-f', 'main'],
  ['stash'],
  ['stash', 'pop'],
  ['submodule', 'update'],
  ['fetch', '.'],
  ['bisect', 'reset'],
  ['rebase', '--continue'],
  ['am', '--continue'],
  ['commit', '-qm', 'next'],
]

function workOn({ path, base }: TemporaryWorkspace): void {
  const env = { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' }
  for (const args of NEXT) spawnSync('git', ['-C', path, ...args], { env, timeout: 20_000 })
}

describe('what a command leaves under .git', () => {
  let workspace: TemporaryWorkspace
  let kit: Toolkit
  let id: string
  const before = () => ({ git: listed(join(workspace.path, '.git')), base: readdirSync(workspace.base).toSorted() })

  beforeAll(async () => {
    workspace = repository({ 'dir/b.txt': 'b\n', 'half/objects/x': 'x\n', 'half/refs/x': 'x\n' })
    const script = join(workspace.base, 'script')
    writeFileSync(script, `#!/bin/sh\ntouch '${workspace.base}/ran'\n`)
    id = git(workspace, 'hash-object', '-w', script)
    rmSync(script)
    kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
  })
  afterAll(() => workspace[Symbol.asyncDispose]())

  const leave = async (command: string, stdin?: string) => {
    const { outcome } = await kit.run('run', { command, ...(stdin !== undefined && { stdin }) })
    return outcome
  }

  const CRAFTED: readonly (readonly [string, () => Buffer])[] = [
    ['a hook', () => indexOf(id, [{ path: HOOK }, { path: 'a.txt' }])],
    ['a file outside', () => indexOf(id, [{ path: '../ran' }, { path: 'a.txt' }])],
    ['a file outside, from a directory', () => indexOf(id, last('dir/../../ran'))],
    ['a detour to .git', () => indexOf(id, [{ path: './.git/hooks/post-checkout' }])],
    ['an absolute path', () => indexOf(id, [{ path: '/tmp/toolwright-ran' }])],
    ['a drive', () => indexOf(id, [{ path: 'C:/ran' }])],
    ['an empty name', () => indexOf(id, last('dir//ran'))],
    ['a trailing slash', () => indexOf(id, last('dir/'))],
    ['.GIT', () => indexOf(id, [{ path: '.GIT/hooks/post-checkout' }])],
    ['.Git in a directory', () => indexOf(id, last('dir/.Git/config'))],
    ['git~1', () => indexOf(id, last('git~1/hooks/post-checkout'))],
    ['.git with a stream', () => indexOf(id, [{ path: '.git::$INDEX_ALLOCATION/hooks/post-checkout' }])],
    ['.git with a dot', () => indexOf(id, [{ path: '.git./hooks/post-checkout' }])],
    ['.git with spaces', () => indexOf(id, [{ path: '.git  /hooks/post-checkout' }])],
    ['.git with a backslash', () => indexOf(id, [{ path: '.git\\hooks\\post-checkout' }])],
    ['a backslash out', () => indexOf(id, [{ path: '..\\ran' }])],
    ['.git with an invisible character', () => indexOf(id, [{ path: '.g\u200cit/hooks/post-checkout' }])],
    ['.git with a byte order mark', () => indexOf(id, [{ path: '.git\ufeff/hooks/post-checkout' }])],
    ['.git itself', () => indexOf(id, [{ path: '.git', mode: LINK }])],
    ['.git as a submodule', () => indexOf(id, [{ path: '.git', mode: MODULE }])],
    ['a link on the way', () => indexOf(id, [{ path: 'link', mode: LINK }, { path: 'link/ran' }])],
    [
      'a link on the way, not beside it',
      () => indexOf(id, [{ path: 'link', mode: LINK }, { path: 'link-x' }, { path: 'link/a/ran' }]),
    ],
    ['a submodule on the way', () => indexOf(id, [{ path: 'sub', mode: MODULE }, { path: 'sub/ran' }])],
    ['.gitmodules as a link', () => indexOf(id, [{ path: '.gitmodules', mode: LINK }])],
    ['a device', () => indexOf(id, [{ path: 'device', mode: 0o020644 }])],
    ['entries out of order', () => indexOf(id, [{ path: 'b' }, { path: 'a' }])],
    ['an entry twice', () => indexOf(id, [{ path: 'b' }, { path: 'b' }])],
    ['the fourth version', () => indexOf(id, [{ path: HOOK }, { path: 'a.txt' }], { version: 4 })],
    ['a length that is another', () => indexOf(id, [{ path: 'a.txt\0/../../../ran', flags: 5 }])],
    ['a path that git reads on', () => indexOf(id, [{ path: 'a.txt', flags: 64 }])],
    ['an extended entry in the second version', () => indexOf(id, [{ path: 'xx.git/hooks/x', flags: 0x4000 | 12 }])],
    [
      'blocks for threads that begin elsewhere',
      () => indexOf(id, [{ path: 'a.txt' }], { extensions: [['IEOT', () => words(1, 20, 1)]] }),
    ],
    [
      'extensions that begin elsewhere',
      () => indexOf(id, [{ path: 'a.txt' }], { extensions: [['EOIE', at => words(at - 8, 0, 0, 0, 0, 0)]] }),
    ],
    ['an unknown extension', () => indexOf(id, [{ path: 'a.txt' }], { extensions: [['evil', () => Buffer.alloc(4)]] })],
    ['a sum that is wrong', () => Buffer.concat([indexOf(id, [{ path: 'a.txt' }]).subarray(0, -1), Buffer.from('x')])],
    ['nothing that is an index', () => Buffer.from('not an index')],
    ['a bare repository', () => indexOf(id, bare('b/'))],
    ['a bare repository below', () => indexOf(id, bare('dir/sub/b/'))],
    ['a bare repository in the workspace itself', () => indexOf(id, bare(''))],
    ['a bare repository of another case', () => indexOf(id, bare('b/', ['Head', 'Objects/x', 'config', 'refs/x']))],
    ['a bare repository whose HEAD is a link', () => indexOf(id, bare('b/', undefined, { HEAD: LINK }))],
    [
      'a bare repository of links',
      () => indexOf(id, bare('b/', ['HEAD', 'objects', 'refs'], { objects: LINK, refs: LINK })),
    ],
    [
      'a bare repository of submodules',
      () => indexOf(id, bare('b/', ['HEAD', 'objects', 'refs'], { objects: MODULE, refs: MODULE })),
    ],
    ['a bare repository with a common directory', () => indexOf(id, bare('b/', ['HEAD', 'commondir']))],
    ['a bare repository without objects', () => indexOf(id, bare('b/', ['HEAD', 'config']))],
    ['a bare repository without a configuration', () => indexOf(id, bare('b/', ['HEAD', 'objects/x', 'refs/x']))],
    ['the rest of what the files have of a bare repository', () => indexOf(id, bare('half/', ['HEAD', 'config']))],
    [
      'a bare repository in the fourth version',
      () => indexOf(id, bare('b/').slice(0, 1).concat(bare('c/')), { version: 4 }),
    ],
  ]

  it.each(CRAFTED)('never lands as an index with %s', async (_what, make) => {
    const was = before()
    const bytes = make().toString('base64')
    const outcome = await leave('base64 -d > .git/index; echo kept > kept.txt', bytes)
    expect(outcome).toMatchObject({ ok: true, meta: { changed: ['kept.txt'] } })
    expect(outcome.meta.warnings?.join()).toContain('Not kept: anything the command changed under .git')
    rmSync(join(workspace.path, 'kept.txt'))
    expect(before()).toEqual(was)
  })

  it('never lands as the shared part of a split index either', async () => {
    const was = before()
    const bytes = indexOf(id, [{ path: HOOK }, { path: 'a.txt' }]).toString('base64')
    await leave(
      `base64 -d > .git/shared; n=$(tail -c 20 .git/shared | od -An -tx1 | tr -d ' \\n'); mv .git/shared .git/sharedindex.$n`,
      bytes,
    )
    expect(before()).toEqual(was)
  })

  const ID = '0123456789012345678901234567890123456789'
  it.each([
    ['a reference out of refs', `echo 'ref: ../../evil' > .git/refs/heads/x`],
    ['a reference to the configuration', `echo 'ref: config' > .git/refs/heads/x`],
    ['a reference by dots', `echo 'ref: refs/../config' > .git/refs/heads/x`],
    ['a branch that is an option', `git rev-parse HEAD > '.git/refs/heads/--upload-pack=x'`],
    ['a tag that is an option', `git rev-parse HEAD > .git/refs/tags/-x`],
    ['a name with a control character', `git rev-parse HEAD > $'.git/refs/heads/a\\nb'`],
    ['a name with dots', `git rev-parse HEAD > .git/refs/heads/a..b`],
    ['a name with a space', `git rev-parse HEAD > '.git/refs/heads/a b'`],
    ['a hidden name', `mkdir .git/refs/.x; git rev-parse HEAD > .git/refs/.x/y`],
    ['a reference that is none', `echo 'touch ran' > .git/refs/heads/x`],
    ['packed references out of refs', `echo '${ID} ../evil' > .git/packed-refs`],
    ['packed references without refs', `echo '${ID} config' > .git/packed-refs`],
    ['a packed branch that is an option', `echo '${ID} refs/heads/--exec=x' > .git/packed-refs`],
    ['packed references that are none', `echo 'touch ran' > .git/packed-refs`],
    ['paths of a bisection', `echo "'a' ; touch ran; 'b'" > .git/BISECT_NAMES`],
    ['paths of a bisection, unquoted', 'echo "$(touch ran)\\$(touch ran)" > .git/BISECT_NAMES'],
    ['the start of a bisection', `echo '--orphan' > .git/BISECT_START`],
    ['terms of a bisection', `printf -- '--x\\ny\\n' > .git/BISECT_TERMS`],
    ['a log of a bisection', 'echo "git bisect start; touch ran" > .git/BISECT_LOG'],
    ['an author that a shell reads', `mkdir .git/rebase-apply; echo 'touch ran' > .git/rebase-apply/author-script`],
    [
      'options of git apply',
      `mkdir .git/rebase-apply; echo "'--build-fake-ancestor=ran'" > .git/rebase-apply/apply-opt`,
    ],
    [
      'a rebase that runs a command',
      'mkdir .git/rebase-merge; echo "exec touch ran" > .git/rebase-merge/git-rebase-todo',
    ],
    [
      'steps that run a command',
      `mkdir .git/sequencer; printf '[options]\\n\\tstrategy = x\\n' > .git/sequencer/opts; echo 'exec x' > .git/sequencer/todo`,
    ],
    [
      'half of a rebase that would run a command',
      `git commit -qm x --allow-empty; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -qix true --keep-empty HEAD~1`,
    ],
    ['conflicts outside', `printf '${ID}\\t../ran\\0' > .git/MERGE_RR`],
    ['a merge of something else', `echo '--exec=x' > .git/MERGE_HEAD`],
  ])('never lands as %s', async (_what, command) => {
    const was = before()
    const outcome = await leave(`${command}; rm -f ran; git rev-parse HEAD > .git/ORIG_HEAD`)
    expect(outcome.meta.warnings?.join()).toContain('Not kept: anything the command changed under .git')
    expect(before()).toEqual(was)
  })

  it('never replaces an object that is there', async () => {
    const object = join('.git/objects', id.slice(0, 2), id.slice(2))
    const was = workspace.read(object)
    await leave(`chmod u+w ${object}; echo evil > ${object}; git tag kept`)
    expect(workspace.read(object)).toBe(was)
    expect(git(workspace, 'tag', '-d', 'kept')).toContain('Deleted')
  })

  it('leaves nothing that the user’s own git runs or writes outside', () => {
    const { base } = before()
    workOn(workspace)
    expect(existsSync(join(workspace.base, 'ran'))).toBe(false)
    expect(existsSync('/tmp/toolwright-ran')).toBe(false)
    expect(before().base).toEqual(base)
  })
})

/** The names below a directory, objects left out: those that nothing names do no harm. */
const listed = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => !name.startsWith('objects'))
    .toSorted()

describe('what git itself leaves under .git', () => {
  it.each([
    [
      'commits, tags and branches',
      'git commit -q --allow-empty -m x && git tag v1 && git switch -qc größe/ä-1 && git tag -am t v2',
    ],
    ['a merge with a conflict', MERGE('merge')],
    ['a rebase with a conflict', MERGE('rebase')],
    ['a cherry-pick with a conflict', MERGE('cherry-pick')],
    [
      'patches with a conflict',
      `${MERGE('checkout')}; git switch -q main; git format-patch -q -1 --stdout other | git am -q -3; true`,
    ],
    ['a stash', 'echo x >> a.txt; echo n > n.txt; git stash -qu && git stash apply -q'],
    ['a split index', 'git update-index --split-index && echo y > y.txt && git add y.txt && git commit -qm y'],
    ['the fourth version of an index', 'git update-index --index-version 4 && git add -A'],
    ['an untracked cache', 'git update-index --force-untracked-cache && git status'],
    [
      'a link that became a directory',
      'ln -s dir l && git add l && git commit -qm l && rm l && mkdir l && echo x > l/x && git add -A && git commit -qm d',
    ],
    ['a submodule', 'git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub && git commit -qm sub'],
    ['packs', 'git tag v1; git pack-refs --all; git repack -qad; git gc -q --prune=now; git commit-graph write'],
    [
      'a bisection',
      'git commit -q --allow-empty -m x; git commit -q --allow-empty -m y; git bisect start HEAD HEAD~2 -- "a b" "it\'s"',
    ],
    [
      'notes, replacements and a fetch',
      'git notes add -m n; git commit -q --allow-empty -m x; git replace HEAD HEAD~1; git fetch -q . main:copy',
    ],
    [
      'intended additions and skipped files',
      'echo i > i.txt; git add -N i.txt; git update-index --skip-worktree a.txt; git update-index --assume-unchanged dir/b.txt',
    ],
    [
      'odd names',
      String.raw`mkdir 'a\b' ...; touch 'a\b/x' .gitignore2 .gitx 'c:d' $'n\nl' .../y; git add -A && git commit -qm odd`,
    ],
    [
      'a conflict over a link',
      'git switch -qc o; ln -s x t; git add t; git commit -qm l; git switch -q main; mkdir t; touch t/u; git add t; git commit -qm d; git merge -q o; true',
    ],
  ])('lands: %s', async (_what, command) => {
    await using workspace = repository({ 'dir/b.txt': 'b\n' })
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const state = 'git ls-files -s; git status --short; git for-each-ref; cat .git/HEAD'
    const { outcome } = await kit.run('run', { command: `{ ${command}; } >&2; ${state}` })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(outcome.meta.warnings?.join() ?? '').not.toContain('anything the command changed')
    const outside = spawnSync('bash', ['-c', state], { cwd: workspace.path, env: { PATH: process.env['PATH'] } })
    expect(outside.stdout.toString()).toBe(Object(outcome.ok && outcome.data).stdout)
    expect(git(workspace, 'fsck', '--strict', '--no-dangling')).toBe('')
  })

  it('lands where a bare repository is among the files, committed or not', async () => {
    const fixture = (place: string) => ({
      [`${place}/HEAD`]: 'ref: refs/heads/main\n',
      [`${place}/config`]: '[core]\n\tbare = true\n',
      [`${place}/objects/x`]: 'x\n',
      [`${place}/refs/x`]: 'x\n',
    })
    await using workspace = repository(fixture('tests/old.git'))
    for (const [path, text] of Object.entries(fixture('tests/new.git'))) workspace.write(path, text)
    workspace.write('tests/old.git/config', '[core]\n\tbare = true\n\tpager = less\n')
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', { command: 'git add -A && git commit -qm second && git status --short' })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0, stdout: '' } })
    expect(outcome.meta.warnings ?? []).toEqual([])
    expect(git(workspace, 'ls-files', 'tests/new.git')).toContain('tests/new.git/HEAD')
    expect(git(workspace, 'status', '--short')).toBe('')
  })

  it('lands in a repository of SHA-256 and with a sparse index', async () => {
    await using workspace = repository({ 'dir/b.txt': 'b\n' })
    rmSync(join(workspace.path, '.git'), { recursive: true })
    git(workspace, 'init', '-q', '-b', 'main', '--object-format=sha256')
    for (const [name, value] of [
      ['user.name', 'T'],
      ['user.email', 't@x'],
      ['index.sparse', 'true'],
    ] as const)
      git(workspace, 'config', name, value)
    git(workspace, 'add', '-A')
    git(workspace, 'commit', '-qm', 'first')
    git(workspace, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'other')
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', { command: 'echo c > c.txt; git add c.txt && git commit -qm second' })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(git(workspace, 'log', '--format=%s')).toBe('second\nfirst')
    expect(git(workspace, 'status', '--short')).toBe('')
  })
})

/** Two branches that changed the same line, and what brings them together. */
function MERGE(how: string): string {
  const change = (text: string) => `echo ${text} > a.txt; git commit -qam ${text}`
  return `git switch -qc other; ${change('theirs')}; git switch -q main; ${change('ours')}; git ${how} -q other; true`
}
