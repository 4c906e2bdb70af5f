// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { generatedPackage } from '../../bench/generated-package.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { configuration } from './configuration.ts'

const it = needs('bubblewrap')

const PYTHON = {
  'pyproject.toml': '[project]\nname = "shop"\n',
  'shop/__init__.py': '',
  'shop/price.py': 'def price(net: float) -> float:\n    return net * 1.2\n',
  'shop/cart.py':
    'from .price import price as cost\n\n\ndef total(items: list[float]) -> float:\n    return sum(cost(each) for each in items)\n',
  'tests/test_cart.py': 'from shop.cart import total\n\n\ndef test_total() -> None:\n    assert total([1.0]) == 1.2\n',
}

const SMALL = {
  'tsconfig.json':
    '{ "compilerOptions": { "module": "esnext", "target": "esnext", "lib": ["es5"], "strict": true, "types": [] } }',
  'src/a.ts': 'export function f(x: number): number {\n  return x\n}\n',
  'src/b.ts': `import { f } from './a'\nexport const b = () => f(1)\n`,
  'secret/c.ts': `import { f } from '../src/a'\nexport const c = () => f(2)\n`,
}

/** Without the DOM, which each server would read first. */
const GENERATED = {
  ...generatedPackage(60),
  'tsconfig.json': configuration({ lib: ['es5'] }),
}

const WRITE = { permissions: ['fs:write'] }
const BREAK = { path: 'src/a.ts', edits: [{ old: 'x: number', new: 'x: string, y: string' }] }

function configure({ env }: TemporaryWorkspace, config: object): void {
  const home = env['TOOLWRIGHT_CONFIG_HOME'] ?? ''
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.json'), JSON.stringify(config))
}

describe('effects of edits in Python', () => {
  it('come from pyright, under the other name of an import too, with the tests that import them', async () => {
    await using workspace = temporaryWorkspace(PYTHON)
    const kit = await workspace.open({ ...WRITE, effects: 'complete' })
    const wider = { path: 'shop/price.py', edits: [{ old: 'net: float', new: 'net: float, rate: float' }] }
    const { outcome } = await kit.run('edit', wider)
    expect(outcome.meta.effects).toMatchObject({
      complete: true,
      introduced: { total: 1, first: [{ path: 'shop/cart.py', line: 5, code: 'reportCallIssue' }] },
      callers: { total: 1, first: [{ name: 'total', path: 'shop/cart.py', line: 5, calls: 'price' }] },
      tests: { total: 1, first: ['tests/test_cart.py'] },
    })
    const back = await kit.run('undo', {})
    expect(back.outcome.meta.effects).toMatchObject({ introduced: { total: 0 }, cured: { total: 1 } })
  })
  it('are not "no new errors" if a refactoring leaves undecided places', async () => {
    await using workspace = temporaryWorkspace({
      'pyproject.toml': '[project]\nname = "shop"\n',
      'a.py': 'class Box:\n    def pick(self) -> int:\n        return 1\n\n\ndef untyped(q):\n    return q.pick()\n',
    })
    const kit = await workspace.open({ ...WRITE, effects: 'complete' })
    const rename = { kind: 'rename', symbol: 'Box.pick', path: 'a.py', to: 'take', strict: false }
    const { outcome } = await kit.run('refactor', rename)
    expect(outcome).toMatchObject({
      ok: true,
      data: { occurrences: { undecided: 1 } },
      meta: { effects: { summary: '1 place not decided', complete: true, introduced: { total: 0 } } },
    })
  })
})

describe('effects at a deadline', () => {
  it('are told as far as they are known, and can be asked for', async () => {
    await using workspace = temporaryWorkspace(GENERATED)
    configure(workspace, { effects: { deadlineMs: 0 } })
    const kit = await workspace.open({ ...WRITE, effects: 'quick' })
    const { outcome } = await kit.run('edit', {
      path: 'src/base.ts',
      edits: [{ old: 'value: number', new: 'value: Date' }],
    })
    expect(outcome.meta.effects).toMatchObject({ complete: false, introduced: { total: 0 } })
    expect(outcome.meta.effects?.left).toBeGreaterThan(0)
    const asked = await kit.run('effects', {})
    expect(asked.outcome).toMatchObject({
      ok: true,
      data: { changed: ['src/base.ts'], effects: { complete: true, left: 0, introduced: { total: 10 } } },
    })
    // By its id, after another edit has landed elsewhere.
    await kit.run('write', { path: 'src/new.ts', content: 'export const one: string = 1\n', expect: 'absent' })
    const first = await kit.run('effects', { id: outcome.meta.undo })
    expect(first.outcome).toMatchObject({ data: { effects: { complete: true, introduced: { total: 10 } } } })
    const last = await kit.run('effects', {})
    expect(last.outcome).toMatchObject({ data: { changed: ['src/new.ts'], effects: { introduced: { total: 1 } } } })
    workspace.write('src/base.ts', 'export {}\n')
    const changed = await kit.run('effects', { id: outcome.meta.undo })
    expect(changed.outcome).toMatchObject({
      data: { changed: ['src/base.ts'], note: 'Includes later changes of the same files: src/base.ts' },
    })
  })

  it('are not called free of errors, and the next answer of the session tells what came of it', async () => {
    await using workspace = temporaryWorkspace(GENERATED)
    configure(workspace, { effects: { deadlineMs: 0 } })
    const kit = await workspace.open({ ...WRITE, effects: 'quick' })
    const { outcome } = await kit.run('edit', {
      path: 'src/base.ts',
      edits: [{ old: 'value: number', new: 'value: Date' }],
    })
    expect(outcome.meta.effects).toMatchObject({
      complete: false,
      summary: expect.stringMatching(/^not judged yet: \d/),
    })
    expect(outcome.meta.lateEffects).toBeUndefined()
    await vi.waitFor(
      async () => {
        const next = await kit.run('read', { path: 'src/base.ts', from: 1, to: 1 })
        expect(next.answer).toMatchObject({
          meta: {
            lateEffects: [
              {
                id: outcome.meta.undo,
                effects: { complete: true, summary: '10 new errors', introduced: { total: 10 } },
              },
            ],
          },
        })
      },
      { timeout: 60_000, interval: 200 },
    )
    // Once is enough.
    const after = await kit.run('read', { path: 'src/base.ts', from: 1, to: 1 })
    expect(after.outcome.meta.lateEffects).toBeUndefined()
  })

  it('wait for an answer that tells them, where a call fails meanwhile', async () => {
    await using workspace = temporaryWorkspace(SMALL)
    configure(workspace, { effects: { deadlineMs: 0 } })
    const kit = await workspace.open({ ...WRITE, effects: 'quick' })
    const { outcome } = await kit.run('edit', BREAK)
    await vi.waitFor(
      async () => {
        const failed = await kit.run('read', { path: 'absent' })
        expect([failed.outcome.ok, failed.outcome.meta.lateEffects]).toEqual([false, undefined])
        const next = await kit.run('read', { path: 'src/a.ts' })
        expect(next.outcome.meta.lateEffects).toMatchObject([{ id: outcome.meta.undo, effects: { complete: true } }])
      },
      { timeout: 60_000, interval: 1_000 },
    )
  })

  it('of edits that come faster than they are judged are told together, with the ids of all', async () => {
    await using workspace = temporaryWorkspace(GENERATED)
    configure(workspace, { effects: { deadlineMs: 0 } })
    const kit = await workspace.open({ ...WRITE, effects: 'quick' })
    const first = await kit.run('edit', {
      path: 'src/base.ts',
      edits: [{ old: 'value: number', new: 'value: Date' }],
    })
    const second = await kit.run('write', {
      path: 'src/new.ts',
      content: 'export const one: string = 1\n',
      expect: 'absent',
    })
    expect(second.outcome.meta.effects).toMatchObject({ complete: false })
    const [{ undo: firstId }, { undo: secondId }] = [first.outcome.meta, second.outcome.meta]
    await vi.waitFor(
      async () => {
        const next = await kit.run('read', { path: 'src/new.ts' })
        expect(next.outcome.meta.lateEffects).toMatchObject([
          { id: secondId, earlier: [firstId], effects: { complete: true, introduced: { total: 11 } } },
        ])
      },
      { timeout: 60_000, interval: 200 },
    )
  })

  it('are told as far as they are known when the time of a question for all of them is over, and how to wait longer', async () => {
    await using workspace = temporaryWorkspace(GENERATED)
    const kit = await workspace.open({ ...WRITE, effects: 'off' })
    const edit = { path: 'src/base.ts', edits: [{ old: 'value: number', new: 'value: Date' }] }
    const { outcome } = await kit.run('edit', edit)
    const id = outcome.meta.undo
    const short = await kit.run('effects', { id, waitMs: 1 })
    expect(short.outcome).toMatchObject({
      ok: true,
      data: {
        effects: { complete: false, summary: expect.stringMatching(/^not judged yet/) },
        next: { id, waitMs: 20_000 },
      },
    })
    const whole = await kit.run('effects', Object(short.outcome).data.next)
    expect(whole.outcome).toMatchObject({ data: { effects: { complete: true, introduced: { total: 10 } } } })
    expect(Object(whole.outcome).data.next).toBeUndefined()
  })

  it('of an edit that the next one overtakes are given up, and those of the next one are whole', async () => {
    await using workspace = temporaryWorkspace(GENERATED)
    configure(workspace, { effects: { deadlineMs: 0 } })
    const kit = await workspace.open({ ...WRITE, effects: 'quick' })
    await kit.run('edit', { path: 'src/base.ts', edits: [{ old: 'value: number', new: 'value: Date' }] })
    const cure = { path: 'src/base.ts', edits: [{ old: 'value: Date', new: 'value: number' }], effects: 'complete' }
    const { outcome } = await kit.run('edit', cure)
    expect(outcome.meta.effects).toMatchObject({ complete: true, introduced: { total: 0 }, cured: { total: 10 } })
  })
})

describe('effects are told', () => {
  it('whole to everybody who waits, also where edits come at the same time', async () => {
    await using workspace = temporaryWorkspace(SMALL)
    const kit = await workspace.open({ ...WRITE, effects: 'complete' })
    const made = (name: string) =>
      kit.run('write', { path: `src/${name}.ts`, content: `export const ${name}: string = 1\n`, expect: 'absent' })
    const all = await Promise.all(['one', 'two', 'three'].map(made))
    for (const { outcome } of all)
      expect(outcome.meta.effects).toMatchObject({ complete: true, introduced: { total: 1 } })
  })

  it('as not judged if a server does not support diagnostics', async () => {
    const fake = readFileSync(join(import.meta.dirname, 'fakes', 'server.mjs'), 'utf8')
    await using workspace = temporaryWorkspace({ 'server.mjs': fake, 'mode.txt': 'good', 'a.fake': 'fn main\n' })
    const args = [join(workspace.path, 'server.mjs')]
    configure(workspace, {
      effects: { refuse: 'new-errors' },
      languageServers: [{ language: 'fake', command: process.execPath, args, extensions: ['fake'] }],
    })
    const kit = await workspace.open({ ...WRITE, effects: 'complete' })
    const { outcome } = await kit.run('edit', { path: 'a.fake', edits: [{ old: 'main', new: 'other' }] })
    expect(outcome).toMatchObject({ ok: true, meta: { effects: { complete: false, left: 0, unjudged: ['fake'] } } })
  })

  it('of a dry run, and not without a server or without a request for them', async () => {
    await using workspace = temporaryWorkspace(SMALL)
    const kit = await workspace.open({ ...WRITE, effects: 'complete' })
    const dry = await kit.run('edit', BREAK, { dryRun: true })
    expect(dry.outcome.meta.effects).toMatchObject({ complete: true, introduced: { total: 3 } })
    expect(workspace.read('src/a.ts')).toBe(SMALL['src/a.ts'])
    const note = await kit.run('write', { path: 'note.md', content: 'x\n', expect: 'absent' })
    expect(note.outcome.meta.effects).toBeUndefined()
    const off = await kit.run('edit', { ...BREAK, effects: 'off' })
    expect(off.outcome).toMatchObject({ ok: true })
    expect(off.outcome.meta.effects).toBeUndefined()
    const later = await kit.run('effects', {})
    expect(later.outcome).toMatchObject({ data: { effects: { introduced: { total: 3 } } } })
  })

  it('without what lies in files that may not be read', async () => {
    await using workspace = temporaryWorkspace(SMALL)
    configure(workspace, { policy: { rules: [{ action: 'read', path: 'secret/**', verdict: 'deny' }] } })
    const kit = await workspace.open({ ...WRITE, effects: 'complete' })
    const { outcome } = await kit.run('edit', BREAK)
    expect(outcome.meta.effects).toMatchObject({ complete: true, introduced: { total: 2 } })
    expect(JSON.stringify(outcome)).not.toContain('secret')
  })

  it('in deterministic mode only where they are waited for, and then the same again', async () => {
    const told = async (effects: 'quick' | 'complete') => {
      await using workspace = temporaryWorkspace(SMALL)
      const kit = await workspace.open({ ...WRITE, effects, deterministic: true })
      const { outcome } = await kit.run('edit', BREAK)
      return outcome.meta.effects
    }
    expect(await told('quick')).toBeUndefined()
    const complete = await told('complete')
    expect(complete).toMatchObject({ complete: true, introduced: { total: 3 } })
    expect(await told('complete')).toEqual(complete)
  })
})

describe('changes that add errors', () => {
  it('do not land where that is refused, by one call or by a transaction, in any contract', async () => {
    await using workspace = temporaryWorkspace(SMALL)
    configure(workspace, { effects: { refuse: 'new-errors' } })
    const kit = await workspace.open(WRITE)
    const before = workspace.snapshot()
    const { outcome } = await kit.run('edit', BREAK)
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    const message = outcome.ok ? '' : outcome.error.message
    expect(message).toMatch(
      /^Nothing was committed: it would add 3 errors: src\/a\.ts:2 TS2322 .*src\/b\.ts:2 TS2554 /s,
    )
    const sage = await kit.run('Write', { file: 'src/a.ts', content: 'export const f = 1\n' }, { contract: 'sage' })
    expect(sage.outcome.ok).toBe(false)
    expect(workspace.snapshot()).toEqual(before)
    await kit.run('stage', { action: 'begin' })
    expect((await kit.run('edit', BREAK)).outcome.ok).toBe(true)
    const refused = await kit.run('stage', { action: 'commit' })
    expect(refused.outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(workspace.snapshot()).toEqual(before)
    await kit.run('edit', { path: 'src/a.ts', edits: [{ old: 'x: string, y: string', new: 'x: number, y = 1' }] })
    expect((await kit.run('stage', { action: 'commit' })).outcome).toMatchObject({
      ok: true,
      meta: { changed: ['src/a.ts'] },
    })
  })

  it('do not land either if they cannot be judged', async () => {
    await using workspace = temporaryWorkspace({ ...SMALL, 'main.toy': 'x\n' })
    const broken = { language: 'toy', command: '/bin/false', extensions: ['toy'] }
    configure(workspace, { effects: { refuse: 'new-errors' }, languageServers: [broken] })
    const kit = await workspace.open(WRITE)
    const { outcome } = await kit.run('edit', { path: 'main.toy', edits: [{ old: 'x', new: 'y' }] })
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('it is unknown whether it adds errors') },
    })
    expect(workspace.read('main.toy')).toBe('x\n')
  })
})
