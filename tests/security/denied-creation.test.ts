// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { SessionOptions, Toolkit } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

/** Every write is allowed, and nothing may be created below src, in one of its directories, or in what git ignores. */
const RULES = {
  policy: {
    defaults: { read: 'allow', create: 'allow', write: 'allow', exec: 'allow' },
    rules: [
      { action: 'write', path: '**', verdict: 'allow' },
      { action: 'write', path: 'src/asked.ts', verdict: 'ask' },
      { action: 'create', path: 'src/**', verdict: 'deny' },
      { action: 'create', path: 'made', verdict: 'deny' },
      { action: 'create', path: 'dist/locked/**', verdict: 'deny' },
      { action: 'create', path: 'node_modules/*/new.js', verdict: 'deny' },
    ],
  },
}

const FILES = {
  'src/a.ts': 'export const one = 1\n',
  'src/nested/b.ts': 'export const two = 2\n',
  'lib/c.ts': 'export const three = 3\n',
  'link-to.txt': 'text\n',
}

const diff = (path: string): string => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new\n`
const renaming = (kind: 'rename' | 'copy', from: string, to: string): string =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\n${kind} from ${from}\n${kind} to ${to}\n`

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>, contract?: string]
const run = (command: string): Call => ['run', { command }]
const patch = (text: string): Call => ['patch', { diff: text }]

/** Calls that would create a file where that is denied. */
const DENIED: readonly { readonly name: string; readonly call: Call }[] = [
  { name: 'write without expect', call: ['write', { path: 'src/new.ts', content: 'new\n' }] },
  { name: 'write of an absent file', call: ['write', { path: 'src/new.ts', content: 'new\n', expect: 'absent' }] },
  { name: 'write in a new directory', call: ['write', { path: 'src/x/y/new.ts', content: 'new\n' }] },
  { name: 'write by another spelling', call: ['write', { path: 'lib/../src/./new.ts', content: 'new\n' }] },
  { name: 'write through a link to nothing', call: ['write', { path: 'dangling', content: 'new\n' }] },
  { name: 'write through a linked directory', call: ['write', { path: 'linked/new.ts', content: 'new\n' }] },
  { name: 'write in other letters', call: ['write', { path: 'SRC/new.ts', content: 'new\n' }] },
  { name: 'write below a directory that is denied', call: ['write', { path: 'made/new.ts', content: 'new\n' }] },
  { name: 'patch of a new file', call: patch(diff('src/new.ts')) },
  {
    name: 'patch of a file without a header',
    call: patch('--- a/src/new.ts\n+++ b/src/new.ts\n@@ -0,0 +1 @@\n+new\n'),
  },
  { name: 'patch in an envelope', call: patch('*** Begin Patch\n*** Add File: src/new.ts\n+new\n*** End Patch\n') },
  { name: 'patch in blocks', call: patch('src/new.ts\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n') },
  { name: 'patch that renames', call: patch(renaming('rename', 'lib/c.ts', 'src/new.ts')) },
  { name: 'patch that copies', call: patch(renaming('copy', 'lib/c.ts', 'src/new.ts')) },
  {
    name: 'patch that deletes and creates',
    call: patch(`--- a/src/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-export const one = 1\n${diff('src/a.ts/new.ts')}`),
  },
  { name: 'move', call: ['move', { from: 'lib/c.ts', to: 'src/new.ts' }] },
  { name: 'refactor that moves a file', call: ['refactor', { kind: 'move', path: 'lib/c.ts', to: 'src/new.ts' }] },
  {
    name: 'refactor that moves a symbol',
    call: ['refactor', { kind: 'move', symbol: 'three', path: 'lib/c.ts', to: 'src/new.ts' }],
  },
  { name: 'command that writes', call: run('echo new > src/new.ts') },
  { name: 'command that copies', call: run('cp lib/c.ts src/nested/new.ts') },
  { name: 'command that moves', call: run('mv lib/c.ts src/new.ts') },
  { name: 'command that moves a directory', call: run('mv lib src/lib') },
  { name: 'command that renames a file beside it', call: run('mv src/a.ts src/new.ts') },
  { name: 'command that links', call: run('ln -s ../lib/c.ts src/new.ts') },
  { name: 'command that makes a directory', call: run('mkdir src/new') },
  { name: 'command that makes a directory on the way', call: run('mkdir made; echo new > made/new.ts') },
  { name: 'command that puts a file for a directory', call: run('rm -r src/nested; echo new > src/nested') },
  { name: 'command that replaces by a new directory', call: run('rm src/a.ts; mkdir src/a.ts') },
  { name: 'command through a link', call: run('echo new > linked/new.ts') },
  { name: 'command in an ignored directory', call: run('mkdir -p dist/locked; echo new > dist/locked/new.js') },
  { name: 'command in an ignored directory below src', call: run('mkdir src/dist; echo new > src/dist/new.js') },
  { name: 'command in a package', call: run('mkdir -p node_modules/p; echo new > node_modules/p/new.js') },
  { name: 'command that writes an ignored file beside', call: run('echo new > src/new.log') },
  { name: 'command in the background', call: ['run', { command: 'echo new > src/new.ts', background: true }] },
  { name: 'Write', call: ['Write', { file: 'src/new.ts', content: 'new\n' }, 'sage'] },
  { name: 'Edit', call: ['Edit', { file: 'src/new.ts', patch: diff('src/new.ts') }, 'sage'] },
  { name: 'Bash', call: ['Bash', { command: 'echo new > src/new.ts' }, 'sage'] },
  { name: 'create_file', call: ['create_file', { path: 'src/new.ts', content: 'new\n' }, 'cli-agent'] },
  { name: 'create_directory', call: ['create_directory', { path: 'src/new' }, 'cli-agent'] },
  { name: 'create_directory on the way', call: ['create_directory', { path: 'made/new' }, 'cli-agent'] },
  {
    name: 'run_in_terminal',
    call: ['run_in_terminal', { command: 'echo new > src/new.ts' }, 'cli-agent'],
  },
]

/** Calls that change what is there, or create elsewhere: the same rules let them land. */
const ALLOWED: readonly { readonly name: string; readonly call: Call }[] = [
  { name: 'write elsewhere', call: ['write', { path: 'lib/new.ts', content: 'new\n' }] },
  { name: 'edit', call: ['edit', { path: 'src/a.ts', edits: [{ old: 'one', new: 'new' }] }] },
  { name: 'delete', call: ['delete', { path: 'src/a.ts' }] },
  { name: 'move out', call: ['move', { from: 'src/a.ts', to: 'lib/new.ts' }] },
  { name: 'command that changes', call: run('echo new > src/a.ts') },
  { name: 'command that deletes', call: run('rm -r src/nested') },
  { name: 'command that changes an ignored file', call: run('echo new > dist/locked/old.js') },
  { name: 'command that creates an ignored file', call: run('echo new > dist/new.js') },
  { name: 'command that changes in a package', call: run('echo new > node_modules/p/old.js') },
  { name: 'Write', call: ['Write', { file: 'src/a.ts', content: 'new\n' }, 'sage'] },
]

async function opened(workspace: TemporaryWorkspace, options: SessionOptions = {}): Promise<Toolkit> {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(RULES))
  return workspace.open({ approve: () => ({ answer: 'yes', by: 'a person' }), ...options })
}

function world(): TemporaryWorkspace {
  const workspace = repository({ ...FILES, 'dist/locked/old.js': 'old\n', 'node_modules/p/old.js': 'old\n' })
  symlinkSync('src/nothing.ts', join(workspace.path, 'dangling'))
  symlinkSync('src', join(workspace.path, 'linked'))
  return workspace
}

describe('a denied creation', () => {
  it.for(DENIED)('by $name creates nothing', async ({ call: [tool, input, contract] }) => {
    await using workspace = world()
    const before = workspace.snapshot()
    const kit = await opened(workspace)
    const { outcome } = await kit.run(tool, input, contract === undefined ? {} : { contract })
    if ('background' in input) await setTimeout(300)
    expect(workspace.snapshot()).toEqual(before)
    expect(outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
  })

  it.for(DENIED.filter(({ call: [, , contract] }, at) => contract === undefined && at % 3 === 0))(
    'by $name in a transaction creates nothing when it lands',
    async ({ call: [tool, input] }) => {
      await using workspace = world()
      const before = workspace.snapshot()
      const kit = await opened(workspace, { transaction: 't' })
      const { outcome } = await kit.run(tool, input)
      expect(outcome.ok).toBe(false)
      await kit.run('stage', { action: 'commit' })
      expect(workspace.snapshot()).toEqual(before)
    },
  )

  it.for(ALLOWED)('does not refuse $name', async ({ call: [tool, input, contract] }) => {
    await using workspace = world()
    const before = workspace.snapshot()
    const kit = await opened(workspace)
    const { outcome } = await kit.run(tool, input, contract === undefined ? {} : { contract })
    expect(outcome).toMatchObject({ ok: true })
    expect(workspace.snapshot()).not.toEqual(before)
  })

  it('holds for the undo of a deletion', async () => {
    await using workspace = world()
    const kit = await opened(workspace)
    const deleted = await kit.run('run', { command: 'rm -r src/nested; echo two > src/a.ts' })
    expect(deleted.outcome.ok).toBe(true)
    const there = workspace.snapshot()
    const undone = await kit.run('undo', { id: deleted.outcome.meta.undo })
    expect(undone.outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(workspace.snapshot()).toEqual(there)
  })

  it('holds for the undo of an undo', async () => {
    await using workspace = world()
    const free = await workspace.open({ permissions: ['fs:write'] })
    const created = await free.run('write', { path: 'src/new.ts', content: 'new\n' })
    const undone = await free.run('undo', { id: created.outcome.meta.undo })
    await free.close()
    const before = workspace.snapshot()
    const kit = await opened(workspace)
    const { outcome } = await kit.run('undo', { id: undone.outcome.meta.undo })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(workspace.snapshot()).toEqual(before)
  })

  it('holds for a file that went away after the call was judged', async () => {
    await using workspace = world()
    const place = join(workspace.path, 'src/asked.ts')
    writeFileSync(place, 'old\n')
    const asked: string[] = []
    const kit = await opened(workspace, {
      approve({ card }) {
        asked.push(...card.claims.map(({ action }) => action))
        rmSync(place)
        return { answer: 'yes', by: 'a person' }
      },
    })
    const { outcome } = await kit.run('Write', { file: 'src/asked.ts', content: 'new\n' }, { contract: 'sage' })
    expect(asked).toEqual(['write'])
    expect(outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(existsSync(place)).toBe(false)
  })
})
