import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PendingApprovals, PendingQuestion } from '../../kernel/pending-approval.ts'
import { openPendingApprovals } from './pending-approvals.ts'

const MODULE = new URL('pending-approvals.ts', import.meta.url).href

let dir = ''
let file = ''
let now = 0
const opened: PendingApprovals[] = []
const open = (): PendingApprovals => {
  const list = openPendingApprovals(file, () => now)
  opened.push(list)
  return list
}
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolwright-pending-'))
  file = join(dir, 'state', 'pending.sqlite')
  now = Date.now()
})
afterEach(() => {
  for (const list of opened.splice(0)) list.close()
  rmSync(dir, { recursive: true })
})

const asker = { session: 's1', task: 'default', contract: 'toolwright', tool: 'edit', call: 'c1' }
const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n'
const question: PendingQuestion = {
  digest: 'd1',
  asker,
  why: 'no rule covers write a.txt',
  always: 'write a.txt',
  risk: 'dangerous',
  input: { path: 'a.txt' },
  claims: [{ action: 'write', resource: 'a.txt' }],
  changes: [{ path: 'a.txt', kind: 'change', diff, hunks: [1, 2, 3].map(number => ({ number, text: '@@' })) }],
}

/** Runs a program that opens the same list as `list` and prints what the code prints. */
function other(code: string) {
  const script = join(dir, `other-${Math.random()}.ts`)
  writeFileSync(
    script,
    `import { openPendingApprovals } from '${MODULE}'\nconst list = openPendingApprovals(${JSON.stringify(file)})\n` +
      `const question = ${JSON.stringify(question)}\n${code}`,
  )
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  return {
    child,
    printed: () => printed,
    ended: once(child, 'close').then(() => printed.trim()),
    async says(text: string) {
      while (!printed.includes(text)) await new Promise(resolve => setTimeout(resolve, 10))
    },
  }
}

const thrown = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('the list of pending approvals', () => {
  it('makes no file until something is asked, and then one for this user alone', () => {
    const list = open()
    expect(list.list()).toEqual([])
    expect(list.get('none')).toBeUndefined()
    expect(existsSync(file)).toBe(false)
    list.ask(question)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('shows a question to another opening, takes one answer, and tells the second by whom', async () => {
    const [asking, answering] = [open(), open()]
    const { id } = asking.ask(question)
    expect(answering.list()).toMatchObject([{ ...question, id, state: 'open' }])
    const waiting = asking.wait(id)
    const accepted = { answer: 'yes', hunks: [1, 3], reason: 'not the second' } as const
    answering.answer(id, { ...accepted, digest: 'd1' }, 'ann (approve)')
    expect(await waiting).toMatchObject({ state: 'answered', answer: { ...accepted, by: 'ann (approve)' } })
    expect(thrown(() => asking.answer(id, { answer: 'no', digest: 'd1' }, 'bob'))).toMatchObject({
      code: 'conflict',
      details: { state: 'answered', by: 'ann (approve)', answer: 'yes' },
    })
    expect(asking.list()).toEqual([])
    expect(asking.take({ id })).toMatchObject(accepted)
    expect(asking.take({ id })).toBeUndefined()
  })

  it.each([
    ['another digest', { answer: 'yes', digest: 'd2' }, 'conflict'],
    ['a hunk that it does not have', { answer: 'yes', hunks: [4], digest: 'd1' }, 'invalid_input'],
    ['no hunk', { answer: 'yes', hunks: [], digest: 'd1' }, 'invalid_input'],
    ['one hunk twice', { answer: 'yes', hunks: [1, 1], digest: 'd1' }, 'invalid_input'],
    ['hunks and no', { answer: 'no', hunks: [1], digest: 'd1' }, 'invalid_input'],
    ['a reason without end', { answer: 'no', reason: 'x'.repeat(2_001), digest: 'd1' }, 'invalid_input'],
  ] as const)('refuses an answer with %s, and stays open', (_, answer, code) => {
    const list = open()
    const { id } = list.ask(question)
    expect(thrown(() => list.answer(id, answer, 'ann'))).toMatchObject({ code })
    expect(list.get(id)?.state).toBe('open')
  })

  it('refuses always and hunks where they are not offered', () => {
    const list = open()
    const { always: _, ...once_ } = question
    const { id } = list.ask({ ...once_, changes: [] })
    expect(thrown(() => list.answer(id, { answer: 'always', digest: 'd1' }, 'ann'))).toMatchObject({
      message: `The question '${id}' does not offer always`,
    })
    expect(thrown(() => list.answer(id, { answer: 'yes', hunks: [1], digest: 'd1' }, 'ann'))).toMatchObject({
      message: `The question '${id}' is answered as a whole`,
    })
  })

  it('closes a question whose time has ended, and one that is withdrawn', async () => {
    const list = open()
    const { id } = list.ask({ ...question, until: new Date(now + 1_000).toISOString() })
    const withdrawn = list.ask(question)
    list.withdraw(withdrawn.id, 'the call was cancelled')
    now += 1_001
    expect(thrown(() => list.answer(id, { answer: 'yes', digest: 'd1' }, 'ann'))).toMatchObject({
      code: 'conflict',
      details: { state: 'expired' },
    })
    expect(await list.wait(withdrawn.id)).toMatchObject({ state: 'withdrawn', closed: 'the call was cancelled' })
    expect(list.list()).toEqual([])
  })

  it('forgets closed questions after a day', () => {
    const list = open()
    const { id } = list.ask(question)
    list.withdraw(id, 'over')
    now += 86_400_001
    list.ask(question)
    expect(list.get(id)).toBeUndefined()
  })

  it('ends a wait by its signal', async () => {
    const list = open()
    const { id } = list.ask(question)
    expect(await list.wait(id, AbortSignal.timeout(20))).toBeUndefined()
    expect(list.get(id)?.state).toBe('open')
  })

  it('tells of a change by another opening', async () => {
    const [list, another] = [open(), open()]
    list.ask(question)
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = list.watch(resolve)
    const { id } = another.ask(question)
    await promise
    stop()
    expect(list.list().at(-1)?.id).toBe(id)
  })

  it('reports a damaged file, and how to go on', () => {
    open().ask(question)
    for (const list of opened.splice(0)) list.close()
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
    writeFileSync(file, 'no database'.repeat(1_000))
    expect(thrown(() => open().list())).toMatchObject({ code: 'io', hint: expect.stringContaining('Remove it: rm') })
  })

  it('closes a question as abandoned whose process was killed', async () => {
    const asking = other("console.log(list.ask(question).id + ' asked'); setInterval(() => {}, 1000)")
    await asking.says('asked')
    const list = open()
    const [{ id } = { id: '' }] = list.list()
    expect(asking.printed()).toContain(id)
    asking.child.kill('SIGKILL')
    await asking.ended
    expect(thrown(() => list.answer(id, { answer: 'yes', digest: 'd1' }, 'ann'))).toMatchObject({
      code: 'conflict',
      details: { state: 'abandoned' },
    })
    expect(list.list()).toEqual([])
    expect(list.take({ digest: 'd1' })).toBeUndefined()
  })

  it('keeps an accepted answer whose asker was killed for the same call, once and for ten minutes', async () => {
    const list = open()
    for (const wait of [0, 600_001]) {
      const asking = other("console.log(list.ask(question).id + ' asked'); setInterval(() => {}, 1000)")
      await asking.says('asked')
      const [{ id } = { id: '' }] = list.list()
      list.answer(id, { answer: 'yes', digest: 'd1' }, 'ann')
      // While its asker lives, only that may use the answer.
      expect(list.take({ digest: 'd1' })).toBeUndefined()
      asking.child.kill('SIGKILL')
      await asking.ended
      now += wait
      expect(list.take({ digest: 'd2' })).toBeUndefined()
      expect(list.take({ digest: 'd1' })?.by).toBe(wait === 0 ? 'ann' : undefined)
      expect(list.take({ digest: 'd1' })).toBeUndefined()
    }
  })

  it('keeps an answer that a killed process had taken, until it is used', async () => {
    const list = open()
    for (const isUsed of [false, true]) {
      const asking = other(`
        const { id } = list.ask(question)
        console.log(id + ' asked')
        await list.wait(id)
        list.take({ id })
        if (${isUsed}) list.use(id)
        console.log('taken')
        setInterval(() => {}, 1000)`)
      await asking.says('asked')
      const [{ id } = { id: '' }] = list.list()
      list.answer(id, { answer: 'yes', digest: 'd1' }, 'ann')
      await asking.says('taken')
      expect(list.take({ digest: 'd1' })).toBeUndefined()
      asking.child.kill('SIGKILL')
      await asking.ended
      expect(list.take({ digest: 'd1' })?.id).toBe(isUsed ? undefined : id)
      expect(list.take({ digest: 'd1' })).toBeUndefined()
    }
  })

  it('leaves a question open and answerable when who was answering is killed', async () => {
    const list = open()
    const { id } = list.ask(question)
    const answering = other("console.log(list.list().length + ' read'); setInterval(() => {}, 1000)")
    await answering.says('1 read')
    answering.child.kill('SIGKILL')
    await answering.ended
    expect(list.answer(id, { answer: 'no', digest: 'd1' }, 'ann').answer?.by).toBe('ann')
  })

  const RACES = process.env['TOOLWRIGHT_LONG'] ? 200 : 20

  it(`lets one of two processes answer, ${RACES} times, and tells the other by whom`, async () => {
    const racer = (name: string) =>
      other(`
        import { createInterface } from 'node:readline'
        console.log('ready')
        for await (const id of createInterface({ input: process.stdin })) {
          try {
            list.answer(id, { answer: 'yes', digest: 'd1' }, '${name}')
            console.log(id + ' won')
          } catch (error) {
            console.log(id + ' ' + error.code + ' ' + error.details.by)
          }
        }`)
    const list = open()
    const racers = { ann: racer('ann'), bob: racer('bob') }
    const all = Object.values(racers)
    await Promise.all(all.map(one => one.says('ready')))
    const winners: Record<string, string | undefined> = {}
    for (let round = 0; round < RACES; round++) {
      const { id } = list.ask(question)
      for (const { child } of all) child.stdin.write(`${id}\n`)
      winners[id] = (await list.wait(id))?.answer?.by
    }
    for (const { child } of all) child.stdin.end()
    const [ann = '', bob = ''] = await Promise.all(all.map(one => one.ended))
    for (const [id, winner] of Object.entries(winners)) {
      expect(ann).toContain(`${id} ${winner === 'ann' ? 'won' : 'conflict bob'}`)
      expect(bob).toContain(`${id} ${winner === 'bob' ? 'won' : 'conflict ann'}`)
    }
  })
})
