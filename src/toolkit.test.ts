import { appendFileSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toolwright } from './contracts/toolwright/contract.ts'
import { defineTool, type Engines } from './engines/engines.ts'
import { readJournal } from './machine/journal/read.ts'
import { reads, writes } from './kernel/claim.ts'
import type { AnyTool, Contract } from './kernel/contract.ts'
import type { Outcome } from './kernel/outcome.ts'
import { fakePerson } from './testing/fakes.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from './testing/temporary-workspace.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'src/a.ts': 'one\n', 'src/b.ts': 'two\n' })
})
afterEach(() => workspace.remove())

const WRITE = { permissions: ['fs:read', 'fs:write'] }
const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code)
const dataOf = (outcome: Outcome): Record<string, unknown> => {
  if (!outcome.ok) throw outcome.error
  return Object(outcome.data)
}
const configure = (config: object) => {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(config))
}
const withTools = (...tools: readonly AnyTool<Engines>[]): Contract<Engines> => ({ ...toolwright, tools })

describe('a session', () => {
  it('reads, edits, moves and deletes, and every answer has the promised shape', async () => {
    const kit = await workspace.open(WRITE)
    expect(await kit.call('read', { path: 'src/a.ts' })).toEqual({
      ok: true,
      data: {
        path: 'src/a.ts',
        content: 'one\n',
        from: 1,
        to: 1,
        totalLines: 1,
        bytes: 4,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        encoding: 'utf-8',
        eol: 'lf',
        truncated: false,
      },
      meta: { id: expect.any(String), durationMs: expect.any(Number), changed: [] },
    })
    const edited = await kit.run('edit', { path: 'src/a.ts', edits: [{ old: 'one', new: 'eins' }] })
    expect(edited.answer).toMatchObject({ ok: true, meta: { changed: ['src/a.ts'], undo: edited.outcome.meta.id } })
    await kit.call('move', { from: 'src/a.ts', to: 'lib/a.ts' })
    await kit.call('delete', { path: 'src/b.ts' })
    expect(Object.keys(workspace.snapshot())).toEqual(['lib/', 'lib/a.ts', 'src/'])
    expect(workspace.read('lib/a.ts')).toBe('eins\n')
  })

  it('answers an unknown tool with what there is, and leaves one record of it', async () => {
    const kit = await workspace.open()
    expect(await kit.call('reed', {})).toMatchObject({
      ok: false,
      error: { code: 'unknown_tool', hint: expect.stringContaining('read, list, find, grep') },
    })
    expect([...readJournal(kit.state.journal)]).toHaveLength(1)
  })

  it('answers a call of an unknown contract without breaking the session', async () => {
    const kit = await workspace.open()
    expect(await kit.call('read', { path: 'src/a.ts' }, { contract: 'nope' })).toMatchObject({ ok: false })
    expect(await kit.call('read', { path: 'src/a.ts' })).toMatchObject({ ok: true })
  })

  it('records input that is no JSON', async () => {
    const kit = await workspace.open()
    const cycle: { self?: object } = {}
    cycle.self = cycle
    for (const input of [{ path: 10n }, cycle])
      expect(codeOf((await kit.run('read', input)).outcome)).toBe('invalid_input')
    expect([...readJournal(kit.state.journal)].map(record => record['input'])).toEqual([
      '[not JSON: object]',
      '[not JSON: object]',
    ])
  })

  it('runs calls side by side, and those on one file one after another', async () => {
    const kit = await workspace.open(WRITE)
    const contract = { contract: 'toolwright' }
    workspace.write('list.txt', 'start\n')
    const edits = Array.from({ length: 20 }, (_, at) =>
      kit.run('edit', { path: 'list.txt', edits: [{ old: 'start\n', new: `start\nline ${at}\n` }] }, contract),
    )
    const others = Array.from({ length: 20 }, (_, at) =>
      kit.run('write', { path: `new/${at}.txt`, content: `${at}`, expect: 'absent' }),
    )
    const done = await Promise.all([...edits, ...others])
    expect(done.map(({ outcome }) => codeOf(outcome))).toEqual(Array.from({ length: 40 }, () => 'ok'))
    expect(
      workspace
        .read('list.txt')
        .split('\n')
        .filter(line => line.startsWith('line')),
    ).toHaveLength(20)
    expect(readdirSync(join(workspace.path, 'new'))).toHaveLength(20)
  })

  it('makes missing directories for a new file, and refuses `absent` over a file', async () => {
    const kit = await workspace.open(WRITE)
    const { outcome } = await kit.run('write', { path: 'x/y/z.txt', content: 'new', expect: 'absent' })
    expect(outcome).toMatchObject({ ok: true, meta: { changed: ['x', 'x/y', 'x/y/z.txt'] } })
    expect(codeOf((await kit.run('write', { path: 'x/y/z.txt', content: 'newer', expect: 'absent' })).outcome)).toBe(
      'exists',
    )
    expect(workspace.read('x/y/z.txt')).toBe('new')
    await kit.run('undo', {})
    expect(existsSync(join(workspace.path, 'x'))).toBe(false)
  })
})

describe('the stale-write guard', () => {
  it('refuses to replace what another session changed since this one read it', async () => {
    const mine = await workspace.open(WRITE)
    const other = mine.session(WRITE)
    await mine.call('read', { path: 'src/a.ts' })
    await other.call('edit', { path: 'src/a.ts', edits: [{ old: 'one', new: 'theirs' }] })
    for (const [tool, input] of [
      ['edit', { path: 'src/a.ts', edits: [{ old: 's', new: 'z', all: true }], expect: '0'.repeat(64) }],
      ['write', { path: 'src/a.ts', content: 'mine\n' }],
      ['patch', { diff: '--- a/src/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-theirs\n' }],
      ['delete', { path: 'src/a.ts' }],
      ['move', { from: 'src/a.ts', to: 'src/c.ts' }],
    ] as const) {
      const { outcome } = await mine.run(tool, input)
      expect([tool, codeOf(outcome), outcome.meta.changed]).toEqual([tool, 'conflict', []])
    }
    expect(workspace.read('src/a.ts')).toBe('theirs\n')
    await mine.call('read', { path: 'src/a.ts' })
    expect(await mine.call('edit', { path: 'src/a.ts', edits: [{ old: 'theirs', new: 'mine' }] })).toMatchObject({
      ok: true,
    })
  })

  it('refuses a whole-file write over a file that was never read, and takes its hash instead', async () => {
    const kit = await workspace.open(WRITE)
    const { outcome } = await kit.run('write', { path: 'src/a.ts', content: 'blind\n' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict', hint: expect.stringContaining('Read it') } })
    const { hash } = dataOf((await kit.session(WRITE).run('read', { path: 'src/a.ts' })).outcome)
    expect(codeOf((await kit.run('write', { path: 'src/a.ts', content: 'seen\n', expect: hash })).outcome)).toBe('ok')
    expect(codeOf((await kit.run('write', { path: 'src/a.ts', content: 'late\n', expect: hash })).outcome)).toBe(
      'conflict',
    )
    expect(workspace.read('src/a.ts')).toBe('seen\n')
  })

  it('lets a session go on with what it wrote itself', async () => {
    const kit = await workspace.open(WRITE)
    await kit.call('write', { path: 'n.txt', content: '1' })
    await kit.call('write', { path: 'n.txt', content: '2' })
    expect(await kit.call('write', { path: 'n.txt', content: '3' })).toMatchObject({ ok: true })
    expect(workspace.read('n.txt')).toBe('3')
  })
})

describe('a plan', () => {
  const change = { path: 'src/a.ts', edits: [{ old: 'one', new: 'eins' }] }

  it('does exactly what was shown', async () => {
    const kit = await workspace.open(WRITE)
    const { outcome: dry } = await kit.run('edit', change, { dryRun: true })
    expect(dry.meta).toMatchObject({ dryRun: true, changed: ['src/a.ts'], diff: expect.stringContaining('+eins') })
    expect(workspace.read('src/a.ts')).toBe('one\n')
    expect(codeOf((await kit.run('edit', change, { plan: dry.meta.plan ?? '' })).outcome)).toBe('ok')
    expect(workspace.read('src/a.ts')).toBe('eins\n')
  })

  it('is a conflict where the file, the input or the tool is another', async () => {
    const kit = await workspace.open(WRITE)
    const plan = (await kit.run('edit', change, { dryRun: true })).outcome.meta.plan ?? ''
    const other = { path: 'src/a.ts', edits: [{ old: 'one', new: 'uno' }] }
    expect(codeOf((await kit.run('edit', other, { plan })).outcome)).toBe('conflict')
    expect(codeOf((await kit.run('delete', { path: 'src/a.ts' }, { plan })).outcome)).toBe('conflict')
    appendFileSync(join(workspace.path, 'src/a.ts'), 'somebody else\n')
    const { outcome } = await kit.run('edit', change, { plan })
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'conflict', hint: expect.stringContaining('new dry run') },
      meta: { changed: [] },
    })
    expect(workspace.read('src/a.ts')).toBe('one\nsomebody else\n')
  })

  it('is demanded of the tools that the configuration names', async () => {
    configure({ plans: { require: ['toolwright/delete'] } })
    const kit = await workspace.open(WRITE)
    const { outcome } = await kit.run('delete', { path: 'src/a.ts' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'denied', hint: expect.stringContaining('dry run') } })
    const plan = (await kit.run('delete', { path: 'src/a.ts' }, { dryRun: true })).outcome.meta.plan ?? ''
    expect(codeOf((await kit.run('delete', { path: 'src/a.ts' }, { plan })).outcome)).toBe('ok')
  })

  it('shows nothing of a file that may not be read', async () => {
    workspace.write('.env', 'PASSWORD=hunter2\n')
    configure({ policy: { rules: [{ action: 'read', path: '**/.env*', verdict: 'deny' }] } })
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const { answer: deleted, outcome } = await kit.run('delete', { path: '.env' }, { dryRun: true })
    expect([codeOf(outcome), outcome.meta.changed]).toEqual(['ok', ['.env']])
    expect(JSON.stringify(deleted)).not.toContain('hunter2')
    const moved = await kit.run('move', { from: '.env', to: 'env.txt' }, { dryRun: true })
    expect(codeOf(moved.outcome)).toBe('denied')
    await expect(
      kit.transaction(async session => {
        await session.call('delete', { path: '.env' })
        const { answer } = await session.run('stage', { action: 'diff' })
        expect(answer).toMatchObject({ ok: true, data: { changed: ['.env'] } })
        expect(JSON.stringify(answer)).not.toContain('hunter2')
        throw new Error('enough')
      }),
    ).rejects.toThrow('enough')
  })
})

describe('undo', () => {
  it('takes back any commit by its id, and an undo can be undone', async () => {
    const kit = await workspace.open(WRITE)
    const first = (await kit.run('edit', { path: 'src/a.ts', edits: [{ old: 'one', new: 'eins' }] })).outcome.meta.undo
    await kit.run('edit', { path: 'src/b.ts', edits: [{ old: 'two', new: 'zwei' }] })
    const undone = (await kit.run('undo', { id: first })).outcome
    expect(dataOf(undone)).toEqual({ undone: first, paths: ['src/a.ts'] })
    expect([workspace.read('src/a.ts'), workspace.read('src/b.ts')]).toEqual(['one\n', 'zwei\n'])
    await kit.call('undo', { id: undone.meta.undo })
    expect(workspace.read('src/a.ts')).toBe('eins\n')
  })

  it('goes one further back each time it is said without an id', async () => {
    const kit = await workspace.open(WRITE)
    for (const [old, next] of [
      ['one', '1'],
      ['1', '2'],
      ['2', '3'],
    ] as const)
      await kit.call('edit', { path: 'src/a.ts', edits: [{ old, new: next }] })
    const states: string[] = []
    for (let count = 0; count < 3; count++) {
      await kit.call('undo', {})
      states.push(workspace.read('src/a.ts').trim())
    }
    expect(states).toEqual(['2', '1', 'one'])
    expect(await kit.call('undo', {})).toMatchObject({ error: { code: 'not_found' } })
  })

  it('reports a conflict instead of losing later work', async () => {
    const kit = await workspace.open(WRITE)
    const id = (await kit.run('edit', { path: 'src/a.ts', edits: [{ old: 'one', new: 'eins' }] })).outcome.meta.undo
    appendFileSync(join(workspace.path, 'src/a.ts'), 'later work\n')
    const { outcome } = await kit.run('undo', { id })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict', details: { paths: ['src/a.ts'] } } })
    expect(workspace.read('src/a.ts')).toBe('eins\nlater work\n')
  })

  it('names what can be undone where the id is unknown', async () => {
    const kit = await workspace.open(WRITE)
    const id = (await kit.run('delete', { path: 'src/a.ts' })).outcome.meta.undo ?? ''
    const { outcome } = await kit.run('undo', { id: 'nope' })
    expect(outcome).toMatchObject({ error: { code: 'not_found', hint: expect.stringContaining(id) } })
    expect(kit.commits()).toMatchObject([{ id, paths: ['src/a.ts'] }])
  })
})

describe('limits', () => {
  it('AA-11: keeps the whole of a long answer, gives its size, and read takes the reference', async () => {
    configure({ limits: { answerBytes: 2_000 } })
    const text = Array.from({ length: 500 }, (_, at) => `line number ${at + 1}\n`).join('')
    workspace.write('long.txt', text)
    const kit = await workspace.open()
    const { outcome } = await kit.run('read', { path: 'long.txt' })
    const { ref = '', bytes = 0 } = outcome.meta
    expect(ref).toMatch(/^ref:[0-9a-f]+$/)
    expect(bytes).toBeGreaterThan(text.length)
    expect(JSON.stringify(dataOf(outcome)).length).toBeLessThanOrEqual(2_000)
    expect(dataOf(outcome)['content']).toContain(`more bytes in ${ref}`)
    const part = await kit.run('read', { path: ref, from: 498, to: 500 })
    expect(dataOf(part.outcome)).toMatchObject({
      content: 'line number 498\nline number 499\nline number 500\n',
      totalLines: 500,
      bytes: text.length,
    })
    const [record] = [...readJournal(kit.state.journal)]
    expect(record).toMatchObject({ ok: true, bytes })
  })

  it('AA-11: puts input and output over 10 KB beside the journal', async () => {
    workspace.write('long.txt', 'x'.repeat(20_000))
    const kit = await workspace.open(WRITE)
    await kit.call('read', { path: 'long.txt' })
    await kit.call('write', { path: 'longer.txt', content: 'y'.repeat(20_000), expect: 'absent' })
    const [read, write] = [...readJournal(kit.state.journal)]
    expect(read).toMatchObject({ outputRef: { ref: expect.any(String), bytes: expect.any(Number) } })
    expect(read).not.toHaveProperty('output')
    expect(write).toMatchObject({ inputRef: { ref: expect.any(String) } })
    const { ref } = Object(write?.['inputRef'])
    expect(String(kit.workspace.payloads.get(ref))).toContain('yyyy')
    for (const [size, isBeside] of [
      [9_900, false],
      [10_300, true],
    ] as const) {
      workspace.write('some.txt', 'z'.repeat(size))
      await kit.call('read', { path: 'some.txt' })
      expect([size, 'outputRef' in ([...readJournal(kit.state.journal)].at(-1) ?? {})]).toEqual([size, isBeside])
    }
  })

  it('says that a reference is unknown', async () => {
    const kit = await workspace.open()
    expect(codeOf((await kit.run('read', { path: 'ref:0123456789abcdef' })).outcome)).toBe('not_found')
  })

  it('cuts our own answers where the configuration says, and refuses in sage what its document cannot cut', async () => {
    configure({ limits: { answerBytes: 2_000 } })
    workspace.write('large.txt', 'z'.repeat(50_000))
    workspace.write('huge.txt', 'z'.repeat(2_000_000))
    const kit = await workspace.open()
    expect((await kit.run('read', { path: 'large.txt' })).outcome.meta.ref).toBeDefined()
    const whole = await kit.run('Read', { file: 'large.txt' }, { contract: 'sage' })
    expect(whole.answer).toMatchObject({ ok: true, data: { content: 'z'.repeat(50_000) } })
    expect(await kit.call('Read', { file: 'huge.txt' }, { contract: 'sage' })).toMatchObject({
      ok: false,
      error: { code: 'EQUOTA', message: expect.stringMatching(/\d/) },
    })
  })
})

describe('a call that cannot be begun', () => {
  it('with a contract that there is not is an outcome and a record', async () => {
    const kit = await workspace.open()
    const { outcome, answer } = await kit.run('read', { path: 'src/a.ts' }, { contract: 'nope' })
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: "There is no contract 'nope'", hint: expect.stringContaining('sage') },
    })
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect([...readJournal(kit.state.journal)]).toMatchObject([{ tool: 'nope/read', ok: false, code: 'invalid_input' }])
  })

  it('on a toolkit that is closed says so, whichever session it is made in', async () => {
    const kit = await workspace.open(WRITE)
    const session = kit.session(WRITE)
    await kit.close()
    await kit.close()
    for (const handle of [kit, session]) {
      const { outcome } = await handle.run('write', { path: 'n.txt', content: 'x', expect: 'absent' })
      expect(outcome).toMatchObject({ error: { code: 'unavailable', message: expect.stringContaining('is closed') } })
      expect(await handle.call('read', { path: 'src/a.ts' })).toMatchObject({ ok: false })
      await expect(handle.transaction(async () => {})).rejects.toThrow('is closed')
      expect(handle.check('read', { path: 'src/a.ts' })).toMatchObject({
        verdict: 'ask',
        error: { code: 'unavailable', message: expect.stringContaining('is closed') },
      })
    }
    expect(existsSync(join(workspace.path, 'n.txt'))).toBe(false)
  })
})

describe('budgets', () => {
  it('are exact however many calls run at once, and over sessions and restarts', async () => {
    configure({ budgets: [{ tool: 'toolwright/read', calls: 5 }] })
    const kit = await workspace.open({ task: 'component-1' })
    const codes = await Promise.all(
      Array.from({ length: 12 }, async () => codeOf((await kit.run('read', { path: 'src/a.ts' })).outcome)),
    )
    expect(codes.filter(code => code === 'ok')).toHaveLength(5)
    expect(codes.filter(code => code === 'budget_exceeded')).toHaveLength(7)
    await kit.close()
    const again = await workspace.open({ task: 'component-1' })
    const { outcome } = await again.run('read', { path: 'src/a.ts' })
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'budget_exceeded', details: { used: 5, limit: 5 }, hint: expect.any(String) },
    })
    expect(codeOf((await again.run('read', { path: 'src/a.ts' }, { task: 'component-2' })).outcome)).toBe('ok')
    expect([...readJournal(again.state.journal)].at(-1)).toMatchObject({ task: 'component-2' })
  })

  it('count bytes before they are given away, and nothing lands that is over', async () => {
    configure({ budgets: [{ bytes: 150 }] })
    const kit = await workspace.open(WRITE)
    const { outcome } = await kit.run('write', { path: 'n.txt', content: 'x', expect: 'absent' })
    expect(codeOf(outcome)).toBe('ok')
    const second = (await kit.run('write', { path: 'm.txt', content: 'x', expect: 'absent' })).outcome
    expect([codeOf(second), existsSync(join(workspace.path, 'm.txt'))]).toEqual(['budget_exceeded', false])
  })

  it('without a tool count all tools of all contracts together, whichever session and process calls them', async () => {
    configure({
      budgets: [
        { task: 'K', calls: 4 },
        { tool: 'read', calls: 3 },
      ],
    })
    const kit = await workspace.open({ task: 'K' })
    const call = async (tool: string, contract: string, input: object) =>
      codeOf((await kit.run(tool, input, { contract })).outcome)
    const codes = await Promise.all([
      ...Array.from({ length: 4 }, () => call('read', 'toolwright', { path: 'src/a.ts' })),
      ...Array.from({ length: 4 }, () => call('Read', 'sage', { file: 'src/a.ts' })),
    ])
    expect(codes.filter(code => code === 'ok')).toHaveLength(4)
    expect(codes.slice(0, 4).filter(code => code === 'ok').length).toBeLessThanOrEqual(3)
    await kit.close()
    const again = await workspace.open({ task: 'K' })
    expect((await again.run('stage', { action: 'diff' })).outcome).toMatchObject({
      error: { code: 'budget_exceeded', message: expect.stringContaining("budget of all tools in task 'K'") },
    })
    expect(codeOf((await again.run('read', { path: 'src/a.ts' }, { task: 'L' })).outcome)).toBe('ok')
  })

  it.each([
    [{ plans: { require: ['wriet'] } }, "There is no tool 'wriet', which plans.require names"],
    [{ plans: { require: ['nonsense/*'] } }, "There is no tool 'nonsense/*', which plans.require names"],
    [{ budgets: [{ tool: 'toolwright/raed', calls: 1 }] }, "There is no tool 'toolwright/raed', which budgets names"],
    [{ budgets: [{ tool: 'toolwright/', calls: 1 }] }, "There is no tool 'toolwright/', which budgets names"],
  ])('refuse a configuration whose limits would hold for nothing: %j', async (config, message) => {
    configure(config)
    await expect(workspace.open()).rejects.toMatchObject({
      code: 'invalid_input',
      message,
      hint: expect.stringContaining('toolwright/read, '),
    })
  })

  it('take tools of a program that the configuration lists, and plain names for every contract', async () => {
    const budgets = [
      { tool: 'acme/build', calls: 1 },
      { tool: 'Read', calls: 0 },
    ]
    configure({ tools: ['acme/*'], budgets, plans: { require: ['acme/*', 'write'] } })
    const kit = await workspace.open(WRITE)
    expect(codeOf((await kit.run('Read', { file: 'src/a.ts' }, { contract: 'sage' })).outcome)).toBe('budget_exceeded')
    const { outcome } = await kit.run('write', { path: 'n.txt', content: 'x', expect: 'absent' })
    expect(outcome).toMatchObject({ error: { code: 'denied', message: expect.stringContaining('with a plan') } })
  })

  it('hold back calls until fewer run at the same time, and refuse where none ends in time', async () => {
    configure({ budgets: [{ tool: 'toolwright/slow', concurrent: 1 }] })
    let [running, most] = [0, 0]
    const slow = defineTool({
      name: 'slow',
      version: '1.0.0',
      description: 'Takes a while',
      input: z.strictObject({}),
      output: z.strictObject({}),
      effects: ['read'],
      claims: () => [],
      run: async () => {
        most = Math.max(most, ++running)
        await pause(20)
        running--
        return {}
      },
      examples: [],
    })
    const kit = await workspace.open({ contract: withTools(slow) })
    const codes = await Promise.all([1, 2, 3].map(async () => codeOf((await kit.run('slow', {})).outcome)))
    expect({ codes, most }).toEqual({ codes: ['ok', 'ok', 'ok'], most: 1 })
    const long = await workspace.open({ contract: withTools({ ...slow, run: () => pause(200, {}) }) })
    const hasty = await workspace.open({ contract: withTools({ ...slow, timeoutMs: 10 }) })
    const [first, second] = await Promise.all([long.run('slow', {}), hasty.run('slow', {})])
    expect([codeOf(first.outcome), codeOf(second.outcome)]).toEqual(['ok', 'budget_exceeded'])
  })
})

describe('time and interruption', () => {
  const waiting = (timeoutMs: number) =>
    defineTool({
      name: 'wait',
      version: '1.0.0',
      description: 'Writes, then waits for ever',
      input: z.strictObject({}),
      output: z.strictObject({}),
      effects: ['write', 'create'],
      claims: () => writes('late.txt'),
      timeoutMs,
      async run(_input, { text }, { signal }) {
        text.write('late.txt', 'never')
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
        return {}
      },
      examples: [],
    })

  it('ends a call at its deadline, and nothing of it lands', async () => {
    const kit = await workspace.open({ ...WRITE, contract: withTools(waiting(30)) })
    const { outcome } = await kit.run('wait', {})
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'timeout', details: { timeoutMs: 30 }, hint: expect.any(String) },
      meta: { changed: [] },
    })
    await pause(20)
    expect(existsSync(join(workspace.path, 'late.txt'))).toBe(false)
  })

  it('ends a call that its caller no longer wants, before, during and while somebody is asked', async () => {
    const kit = await workspace.open({ ...WRITE, contract: withTools(waiting(60_000)) })
    const gone = AbortSignal.abort()
    expect(codeOf((await kit.run('wait', {}, { signal: gone })).outcome)).toBe('cancelled')
    expect(codeOf((await kit.run('wait', {}, { signal: AbortSignal.timeout(20) })).outcome)).toBe('cancelled')
    const writing = kit.session({ contract: toolwright, approve: () => new Promise(() => {}) })
    const call = writing.run('delete', { path: 'src/a.ts' }, { signal: AbortSignal.timeout(20) })
    expect(codeOf((await call).outcome)).toBe('cancelled')
    expect(writing.questions.pending()).toEqual([])
    expect(existsSync(join(workspace.path, 'src/a.ts'))).toBe(true)
  })

  it('tells a defect from an expected failure, and keeps where it happened', async () => {
    const broken = defineTool({
      ...waiting(1000),
      name: 'broken',
      run() {
        throw new TypeError('no such thing')
      },
    })
    const kit = await workspace.open({ ...WRITE, contract: withTools(broken) })
    expect((await kit.run('broken', {})).outcome).toMatchObject({
      error: { code: 'internal', message: 'Unexpected failure: no such thing' },
    })
    expect([...readJournal(kit.state.journal)].at(-1)).toMatchObject({
      code: 'internal',
      stack: expect.stringContaining('toolkit.test'),
    })
  })

  it('refuses a tool that claims more than it declares, or answers in another shape', async () => {
    const greedy = defineTool({ ...waiting(1000), name: 'greedy', effects: ['read'], run: () => ({}) })
    const liar = defineTool({
      name: 'liar',
      version: '1.0.0',
      description: 'Promises a number',
      input: z.strictObject({}),
      output: z.strictObject({ count: z.int() }),
      effects: ['read', 'write'],
      claims: () => [...reads('src/a.ts'), ...writes('src/a.ts')],
      run(_input, { files }) {
        files.remove('src/a.ts')
        return JSON.parse('{"count":"many"}')
      },
      examples: [],
    })
    const kit = await workspace.open({ ...WRITE, contract: withTools(greedy, liar) })
    expect(codeOf((await kit.run('greedy', {})).outcome)).toBe('internal')
    expect(codeOf((await kit.run('liar', {})).outcome)).toBe('invalid_result')
    expect(workspace.read('src/a.ts')).toBe('one\n')
  })
})

describe('the journal', () => {
  it('is written before anything changes: where it cannot be, nothing does, and no answer is given', async () => {
    const kit = await workspace.open(WRITE)
    await kit.call('read', { path: 'src/a.ts' })
    kit.workspace.journal.close()
    const { outcome } = await kit.run('edit', { path: 'src/a.ts', edits: [{ old: 'one', new: 'eins' }] })
    const unwritten = (message: string) => ({
      ok: false,
      error: { code: 'io', message: expect.stringContaining(message), hint: expect.stringContaining('doctor') },
    })
    expect(outcome).toMatchObject(unwritten('nothing is run or changed'))
    expect(workspace.read('src/a.ts')).toBe('one\n')
    const read = await kit.run('read', { path: 'src/b.ts' })
    expect(read.outcome).toMatchObject(unwritten('the answer is withheld'))
    expect(read.answer).not.toHaveProperty('data')
  })

  it('is not harmed by a listener that throws', async () => {
    const kit = await workspace.open({
      onRecord: () => {
        throw new Error('a bad logger')
      },
    })
    expect(codeOf((await kit.run('read', { path: 'src/a.ts' })).outcome)).toBe('ok')
  })

  it('tells who asked for what, what was decided, and what came of it', async () => {
    const seen: object[] = []
    const kit = await workspace.open({
      approve: fakePerson('yes'),
      task: 'part 1',
      onRecord: record => seen.push(record),
    })
    await kit.call('edit', { path: 'src/a.ts', edits: [{ old: 'one', new: 'eins' }] })
    const [intent, record] = [...readJournal(kit.state.journal)]
    expect(intent).toMatchObject({ type: 'intent', id: record?.['id'], changed: ['src/a.ts'], task: 'part 1' })
    expect(seen).toHaveLength(1)
    expect(record).toMatchObject({
      type: 'call',
      session: kit.id,
      task: 'part 1',
      tool: 'toolwright/edit',
      version: '1.2.0',
      input: { path: 'src/a.ts' },
      claims: [
        { action: 'read', resource: 'src/a.ts' },
        { action: 'write', resource: 'src/a.ts' },
      ],
      verdict: { verdict: 'ask', why: expect.stringContaining('write src/a.ts') },
      approval: { by: 'a fake person', answer: 'yes' },
      ok: true,
      changed: ['src/a.ts'],
      undo: expect.any(String),
      durationMs: expect.any(Number),
      bytes: expect.any(Number),
    })
    expect(record).toMatchObject(seen[0] ?? {})
  })
})

describe('opening', () => {
  it('names what is wrong with a configuration, its line and what was expected', async () => {
    configure({ polcy: {} })
    await expect(workspace.open()).rejects.toThrow(
      /config\.json:1:\d+: unknown key 'polcy' at the top; expected .*policy/,
    )
  })

  it('refuses a directory that is not there', async () => {
    rmSync(workspace.path, { recursive: true })
    await expect(workspace.open()).rejects.toMatchObject({ code: 'not_found' })
    mkdirSync(workspace.path)
  })

  it('refuses a state directory inside the workspace', async () => {
    const inside = temporaryWorkspace()
    try {
      Object.assign(inside.env, { TOOLWRIGHT_STATE: join(inside.path, 'state') })
      await expect(inside.open()).rejects.toThrow(/state directory/i)
    } finally {
      await inside.remove()
    }
  })

  it('keeps its state for this user alone', async () => {
    const kit = await workspace.open(WRITE)
    await kit.call('write', { path: 'n.txt', content: 'x' })
    const entries = readdirSync(join(workspace.base, 'state'), { recursive: true, encoding: 'utf8' })
    const modes = entries.map(name => lstatSync(join(workspace.base, 'state', name)).mode & 0o077)
    expect(modes.every(mode => mode === 0)).toBe(true)
    expect(modes.length).toBeGreaterThan(3)
  })
})
