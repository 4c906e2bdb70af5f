import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { agentWorld } from './rig.ts'

const write = (path: string, content: string) => ({ tool: 'write', input: { path, content } })
const edit = (path: string, old: string, text: string) => ({
  tool: 'edit',
  input: { path, edits: [{ old, new: text }] },
})

describe('undoing a run', () => {
  it('takes back exactly what it did, and leaves what others did since', async () => {
    const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' }
    const script = [
      [edit('a.txt', 'one', 'ONE'), write('new/deep.txt', 'x\n')],
      [edit('a.txt', 'ONE', 'One'), { tool: 'move', input: { from: 'b.txt', to: 'moved.txt' } }],
      [{ tool: 'delete', input: { path: 'c.txt' } }],
      'Done.',
    ]
    await using world = await agentWorld({ 'Change it.': script }, { files })
    const before = world.workspace.snapshot()
    const { id, changed } = await world.run('Change it.')
    expect(changed).toEqual([
      { path: 'a.txt', kind: 'modified' },
      { path: 'b.txt', kind: 'deleted' },
      { path: 'c.txt', kind: 'deleted' },
      { path: 'moved.txt', kind: 'created' },
      { path: 'new/deep.txt', kind: 'created' },
    ])
    world.workspace.write('theirs.txt', 'not ours\n')
    const other = world.kit.session({ permissions: ['fs:write'] })
    const { outcome } = await other.run('undo', { task: id })
    expect(outcome.ok).toBe(true)
    const after = world.workspace.snapshot()
    expect(after).toEqual({ ...before, 'theirs.txt': after['theirs.txt'] })
    // And back again, as any undo.
    expect((await other.run('undo', { id: outcome.meta.undo })).outcome.ok).toBe(true)
    expect(world.workspace.read('a.txt')).toBe('One\n')
    expect(world.workspace.read('moved.txt')).toBe('two\n')
  })

  it('names each path that others changed, and changes nothing', async () => {
    const files = { 'a.txt': 'one\n', 'b.txt': 'two\n' }
    const script = [[edit('a.txt', 'one', 'ONE'), edit('b.txt', 'two', 'TWO')], 'Done.']
    await using world = await agentWorld({ 'Change it.': script }, { files })
    const { id } = await world.run('Change it.')
    world.workspace.write('b.txt', 'theirs\n')
    const before = world.workspace.snapshot()
    const { outcome } = await world.kit.session({ permissions: ['fs:write'] }).run('undo', { task: id })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict', details: { paths: ['b.txt'] } } })
    expect(world.workspace.snapshot()).toEqual(before)
  })

  it('says so where a task changed nothing', async () => {
    await using world = await agentWorld({})
    const { outcome } = await world.kit.run('undo', { task: 'nothing' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })

  it('takes back what commands did, untracked files included', async () => {
    await using world = await agentWorld({
      'Run it.': [
        [
          {
            tool: 'run',
            input: {
              command: 'printf made > untracked.txt; printf more >> a.txt; chmod 755 a.txt; mkdir out; echo x > out/x',
            },
          },
        ],
        'Done.',
      ],
    })
    execFileSync('git', ['init', '-q'], { cwd: world.workspace.path })
    world.workspace.write('.gitignore', 'out/\n')
    chmodSync(join(world.workspace.path, 'a.txt'), 0o644)
    const { id, changed } = await world.run('Run it.', { session: { permissions: ['fs:write', 'exec:*'] } })
    expect(changed).toEqual([
      { path: 'a.txt', kind: 'modified' },
      { path: 'untracked.txt', kind: 'created' },
    ])
    const { outcome } = await world.kit.session({ permissions: ['fs:write'] }).run('undo', { task: id })
    expect(outcome.ok).toBe(true)
    // What git ignores is not undone, and each path of it is named.
    expect(outcome.meta.warnings?.join('\n')).toMatch(/^Not undone: \d ignored paths? changed, without undo: .*out/m)
    expect(readFileSync(join(world.workspace.path, 'a.txt'), 'utf8')).toBe('one\n')
    expect(statSync(join(world.workspace.path, 'a.txt')).mode & 0o777).toBe(0o644)
    expect(Object.keys(world.workspace.snapshot())).not.toContain('untracked.txt')
  })

  it('of two interleaved runs restores exactly the effects of one, or names the conflict', async () => {
    const seed = Math.floor(Math.random() * 1e9)
    console.log(`seed ${seed}`)
    const numRuns = process.env['TOOLWRIGHT_LONG'] ? 200 : 15
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async steps => {
        await using workspace = temporaryWorkspace({ 'f0.txt': 'zero\n', 'f1.txt': 'one\n' })
        const kit = await workspace.open()
        const sessions = [0, 1].map(task => kit.session({ task: `run${task}`, permissions: ['fs:write'] }))
        // The model of the tree: each path with what the first run found there, and what it left.
        const effects = new Map<string, { before: string | undefined; after: string | undefined; isMixed: boolean }>()
        for (const { by, file, content } of steps) {
          const path = `f${file}.txt`
          const read = () => (Object.hasOwn(workspace.snapshot(), path) ? workspace.read(path) : undefined)
          const before = read()
          if (content === undefined ? before === undefined : before === `${content}\n`) continue
          const session = sessions[by]
          // A change of what someone else changed since it was read would be a conflict.
          if (before !== undefined) await session?.run('read', { path })
          const call =
            content === undefined
              ? session?.run('delete', { path })
              : session?.run('write', {
                  path,
                  content: `${content}\n`,
                  ...(before === undefined && { expect: 'absent' }),
                })
          expect((await call)?.outcome.ok).toBe(true)
          if (by === 1) continue
          const known = effects.get(path)
          if (!known) effects.set(path, { before, after: read(), isMixed: false })
          else {
            known.isMixed ||= known.after !== before
            known.after = read()
          }
        }
        const now = (path: string) => (Object.hasOwn(workspace.snapshot(), path) ? workspace.read(path) : undefined)
        const touched = [...effects]
        const isClean = touched.every(([path, { after, isMixed }]) => !isMixed && now(path) === after)
        const tree = workspace.snapshot()
        const { outcome } = await kit.session({ permissions: ['fs:write'] }).run('undo', { task: 'run0' })
        if (touched.length === 0) expect(outcome).toMatchObject({ ok: false, error: { code: 'not_found' } })
        else if (isClean) {
          expect(outcome.ok || !touched.some(([, { before, after }]) => before !== after)).toBe(true)
          for (const [path, { before }] of touched) expect(now(path)).toBe(before)
        } else if (!outcome.ok) {
          expect(outcome.error.code).toBe('conflict')
          expect(workspace.snapshot()).toEqual(tree)
        }
        // What the second run alone touched is as it left it.
        for (const path of ['f0.txt', 'f1.txt', 'f2.txt'])
          if (!effects.has(path)) expect(workspace.snapshot()[path]).toBe(tree[path])
      }),
      { numRuns, seed },
    )
  })
})

const step = fc.record({
  by: fc.integer({ min: 0, max: 1 }),
  file: fc.integer({ min: 0, max: 2 }),
  content: fc.option(fc.constantFrom('a', 'b', 'c', 'zero', 'one'), { nil: undefined }),
})
