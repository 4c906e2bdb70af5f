import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { Toolkit } from '../../src/toolkit.ts'

const HEAD = 'ref: refs/heads/main\n'
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch ran; false\n'

type Step = readonly [tool: string, input: Readonly<Record<string, unknown>>]

const write = (path: string, content: string): Step => ['write', { path, content }]
const move = (from: string, to: string): Step => ['move', { from, to }]
const added = (path: string, content: string): string => {
  const lines = content.trimEnd().split('\n')
  return `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map(line => `+${line}\n`).join('')}`
}

/** What the next user does there; shows whether git follows the files. */
function workIn({ path, base }: TemporaryWorkspace): readonly string[] {
  const directories = readdirSync(path, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name))
  const env = { PATH: process.env['PATH'], HOME: base, GIT_CEILING_DIRECTORIES: base }
  // A shell starts many programs sooner than a test starts one.
  const script = `for cwd; do
    cd "$cwd" || exit 2
    for args in status 'checkout -- .' stash 'submodule update' 'fetch .'; do git $args; done
  done; exit 0`
  expect(spawnSync('sh', ['-c', script, 'sh', path, ...directories], { env }).status).toBe(0)
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => /(^|\/)ran$/.test(name))
}

const REST: readonly Step[] = [write('d/objects/x', 'x'), write('d/refs/x', 'x')]
const ways: readonly (readonly [string, readonly Step[]])[] = [
  ['file by file', [write('d/HEAD', HEAD), write('d/config', CONFIG), ...REST]],
  ['the configuration last', [...REST, write('d/HEAD', HEAD), write('d/config', CONFIG)]],
  ['HEAD last', [...REST, write('d/config', CONFIG), write('d/HEAD', HEAD)]],
  [
    'references last',
    [write('d/config', CONFIG), write('d/objects/x', 'x'), write('d/HEAD', HEAD), write('d/refs/x', '')],
  ],
  [
    'objects last, deep',
    [write('d/config', CONFIG), write('d/HEAD', HEAD), write('d/refs/a/b', ''), write('d/objects/a/b', '')],
  ],
  [
    'an empty configuration, edited',
    [
      write('d/config', '# x\n'),
      write('d/HEAD', HEAD),
      ...REST,
      ['edit', { path: 'd/config', edits: [{ old: '# x\n', new: CONFIG }] }],
    ],
  ],
  [
    'a HEAD that is edited',
    [
      write('d/HEAD', 'x\n'),
      ...REST,
      write('d/config', CONFIG),
      ['edit', { path: 'd/HEAD', edits: [{ old: 'x\n', new: HEAD }] }],
    ],
  ],
  [
    'moved to their names',
    [write('d/a', HEAD), write('d/b', CONFIG), ...REST, move('d/a', 'd/HEAD'), move('d/b', 'd/config')],
  ],
  [
    'from several directories',
    [write('e/HEAD', HEAD), write('f/config', CONFIG), ...REST, move('e/HEAD', 'd/HEAD'), move('f/config', 'd/config')],
  ],
  [
    'in the workspace itself',
    [write('HEAD', HEAD), write('objects/x', ''), write('refs/x', ''), write('config', CONFIG)],
  ],
  [
    'a patch',
    [
      [
        'patch',
        {
          diff: [
            added('d/HEAD', HEAD),
            added('d/config', CONFIG),
            added('d/objects/x', 'x'),
            added('d/refs/x', 'x'),
          ].join(''),
        },
      ],
    ],
  ],
  [
    'patches',
    [
      ['patch', { diff: added('d/config', CONFIG) }],
      ['patch', { diff: added('d/objects/x', 'x') + added('d/refs/x', 'x') }],
      ['patch', { diff: added('d/HEAD', HEAD) }],
    ],
  ],
  [
    'a transaction',
    [
      ['stage', { action: 'begin' }],
      write('d/HEAD', HEAD),
      write('d/config', CONFIG),
      ...REST,
      ['stage', { action: 'commit' }],
    ],
  ],
  [
    'a transaction over the half of it',
    [
      write('d/HEAD', HEAD),
      write('d/objects/x', ''),
      ['stage', { action: 'begin' }],
      write('d/refs/x', ''),
      write('d/config', CONFIG),
      ['stage', { action: 'commit' }],
    ],
  ],
  [
    'objects elsewhere',
    [
      ...REST.map(([tool, input]): Step => [tool, { ...input, path: String(input['path']).replace('d/', 'e/') }]),
      write('e/config', CONFIG),
      write('d/commondir', '../e\n'),
      write('d/HEAD', HEAD),
    ],
  ],
  [
    'what was deleted, undone',
    [
      ...REST,
      write('d/config', CONFIG),
      ['delete', { path: 'd/objects/x' }],
      write('d/HEAD', HEAD),
      ['undo', {}],
      write('d/objects/x', 'x'),
    ],
  ],
  [
    'names in other case',
    [write('d/Head', HEAD), write('d/OBJECTS/x', ''), write('d/Refs/x', ''), write('d/CONFIG', CONFIG)],
  ],
  [
    'names with trailing dots',
    [write('d/HEAD.', HEAD), write('d/objects./x', ''), write('d/refs/x', ''), write('d/config', CONFIG)],
  ],
  [
    'names with invisible characters',
    [write('d/HE\u200cAD', HEAD), write('d/objects/x', ''), write('d/refs/x', ''), write('d/config', CONFIG)],
  ],
]

const attempt = async (kit: Toolkit, steps: readonly Step[]) => {
  const outcomes = []
  for (const [tool, input] of steps) outcomes.push((await kit.run(tool, input)).outcome)
  return outcomes.flatMap(outcome => (outcome.ok ? [] : [outcome.error]))
}

describe('a repository among ordinary files', () => {
  it.each(ways)('is built by no tool: %s', async (_how, steps) => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'a\n' })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write', 'exec'] })
    const errors = await attempt(kit, steps)
    expect(errors[0]).toMatchObject({ code: 'denied', hint: expect.stringContaining('other names') })
    expect(errors[0]?.message).toContain('in the shape of a bare git repository')
    expect(workIn(workspace)).toEqual([])
  })

  it('is built by no calls that run at the same time', async () => {
    await using workspace = temporaryWorkspace({ 'd/objects/x': '', 'd/config': CONFIG })
    const kits = await Promise.all([1, 2].map(() => workspace.open({ permissions: ['fs:read', 'fs:write'] })))
    await Promise.all([
      kits[0]?.run('write', { path: 'd/HEAD', content: HEAD }),
      kits[1]?.run('write', { path: 'd/refs/x', content: '' }),
    ])
    expect(existsSync(join(workspace.path, 'd/HEAD')) && existsSync(join(workspace.path, 'd/refs'))).toBe(false)
    expect(workIn(workspace)).toEqual([])
  })

  it('is told by a dry run as well', async () => {
    await using workspace = temporaryWorkspace({ 'd/objects/x': '', 'd/refs/x': '', 'd/config': CONFIG })
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const { outcome } = await kit.run('write', { path: 'd/HEAD', content: HEAD }, { dryRun: true })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(existsSync(join(workspace.path, 'd/HEAD'))).toBe(false)
  })
})

const FIXTURE = {
  'fix/HEAD': HEAD,
  'fix/config': '[core]\n\tbare = true\n',
  'fix/objects/info/packs': '',
  'fix/refs/heads/main': `${'0'.repeat(40)}\n`,
  'fix/hooks/update.sample': '#!/bin/sh\n',
  'fix/description': 'a fixture\n',
}

describe('a repository that a project carries as a fixture', () => {
  // Nothing of what is tried changes it: one is enough for all.
  let kept: TemporaryWorkspace
  let keeping: Toolkit
  beforeAll(async () => {
    kept = temporaryWorkspace(FIXTURE)
    keeping = await kept.open({ permissions: ['fs:read', 'fs:write'] })
  })
  afterAll(() => kept.remove())

  it.each([
    ['its configuration', write('fix/config', CONFIG)],
    [
      'its configuration, edited',
      ['edit', { path: 'fix/config', edits: [{ old: 'bare = true', new: 'fsmonitor = x' }] }],
    ],
    ['its configuration in other case', write('fix/CONFIG', CONFIG)],
    ['a hook', write('fix/hooks/post-checkout', '#!/bin/sh\ntouch ran\n')],
    ['a hook, moved in', move('fix/description', 'fix/hooks/post-update')],
    ['attributes', write('fix/info/attributes', '* filter=x\n')],
    ['objects elsewhere', write('fix/objects/info/alternates', '/tmp/x\n')],
    ['a directory in common', write('fix/commondir', '../other\n')],
    ['the configuration of a work tree', write('fix/config.worktree', CONFIG)],
    ['a submodule', write('fix/modules/x/config', CONFIG)],
  ] as const satisfies readonly (readonly [string, Step])[])('keeps %s', async (_what, step) => {
    const before = kept.snapshot()
    const [error] = await attempt(keeping, [['read', { path: 'fix/config' }], step])
    expect(error).toMatchObject({ code: 'denied', hint: expect.stringContaining('have a person change this one') })
    expect(kept.snapshot()).toEqual(before)
  })

  it('is read and changed otherwise, and deleted, and all of it undone', async () => {
    await using workspace = temporaryWorkspace(FIXTURE)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const before = workspace.snapshot()
    const remote = '[core]\n\tbare = true\n[remote "origin"]\n\turl = https://example.com/x.git\n'
    const reads = ['config', 'HEAD', 'description'].map((name): Step => ['read', { path: `fix/${name}` }])
    const changes: readonly Step[] = [
      write('fix/HEAD', 'ref: refs/heads/other\n'),
      write('fix/refs/heads/other', `${'1'.repeat(40)}\n`),
      write('fix/description', 'another\n'),
      write('fix/config', remote),
      ...Object.keys(FIXTURE).map((path): Step => ['delete', { path }]),
    ]
    expect(await attempt(kit, [...reads, ...changes])).toEqual([])
    expect(
      await attempt(
        kit,
        changes.map((): Step => ['undo', {}]),
      ),
    ).toEqual([])
    expect(workspace.snapshot()).toEqual(before)
  })

  it('does not come back by undo with another configuration', async () => {
    await using workspace = temporaryWorkspace(FIXTURE)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const { outcome } = await kit.run('delete', { path: 'fix/HEAD' })
    const errors = await attempt(kit, [
      ['read', { path: 'fix/config' }],
      write('fix/config', CONFIG),
      ['undo', { id: outcome.meta.undo }],
    ])
    expect(errors).toMatchObject([{ code: 'denied' }])
    expect(workIn(workspace)).toEqual([])
  })
})

describe('names that only look alike', () => {
  it('stay silent', async () => {
    await using workspace = temporaryWorkspace()
    mkdirSync(join(workspace.path, 'linked'))
    symlinkSync('linked', join(workspace.path, 'alias'))
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const paths = [
      'src/hooks/use-x.ts',
      'src/config',
      'src/refs/a.ts',
      'src/objects/b.ts',
      'objects/x',
      'HEAD',
      'docs/head/x.md',
    ]
    const more = ['docs/objects/x', 'docs/refs/x', 'docs/config', 'index', 'info/x', 'alias/config', 'linked/HEAD']
    expect(
      await attempt(
        kit,
        [...paths, ...more].map(path => write(path, 'text\n')),
      ),
    ).toEqual([])
  })
})
