import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Budget } from '../../kernel/tool.ts'
import { accountOf, COMMAND_LINE_ACCOUNT, openLedger, type Lease, type Ledger } from './ledger.ts'
import { isRunning, thisProcess } from './process-identity.ts'

const LONG = Boolean(process.env['TOOLWRIGHT_LONG'])
const scope = { task: 'task-1', tool: 'superconnect/readFile' }
const limited = (limits: Budget) => [{ tool: scope.tool, ...limits }]
const one = (bytes = 0) => ({ calls: 1, bytes })
const exceeded = expect.objectContaining({ code: 'budget_exceeded' })

let dir = ''
let file = ''
const opened: Ledger[] = []
const open = (): Ledger => {
  const ledger = openLedger(file)
  opened.push(ledger)
  return ledger
}
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolwright-ledger-'))
  file = join(dir, 'state', 'ledger.sqlite')
})
afterEach(() => {
  for (const ledger of opened.splice(0)) ledger.close()
  rmSync(dir, { recursive: true })
})

describe('a ledger', () => {
  it('makes no file until a budget is used', () => {
    const ledger = open()
    expect(existsSync(file)).toBe(false)
    ledger.reserve(scope, one(), limited({ calls: 1 }))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('SC-12: allows so many calls and no more', () => {
    const ledger = open()
    for (let i = 0; i < 10; i++) ledger.settle(ledger.reserve(scope, one(), limited({ calls: 10 })))
    expect(() => ledger.reserve(scope, one(), limited({ calls: 10 }))).toThrow(
      expect.objectContaining({
        code: 'budget_exceeded',
        details: expect.objectContaining({ budget: 'calls', used: 10, limit: 10, calls: 10 }),
      }),
    )
    expect(ledger.reserve({ ...scope, task: 'another' }, one(), limited({ calls: 10 })).calls).toBe(1)
  })

  it('SC-10, SC-12: lets single calls begin anew an hour after the last, and forgets idle sessions after a week', () => {
    let now = 1_000_000
    const ledger = openLedger(
      file,
      () => [],
      () => now,
    )
    opened.push(ledger)
    const [single, session] = [COMMAND_LINE_ACCOUNT, accountOf('s1')].map(task => ({ ...scope, task }))
    const spend = (on: typeof scope = scope) => ledger.settle(ledger.reserve(on, one(7), limited({ calls: 2 })))
    const HOUR = 3_600_000
    for (const on of [single, session, scope]) for (const _ of [1, 2]) spend(on)
    now += HOUR
    for (const on of [single, session, scope]) expect(() => spend(on)).toThrow(exceeded)
    now += 1
    expect(ledger.usage(single ?? scope)).toMatchObject({ calls: 0, bytes: 0 })
    spend(single)
    now += HOUR - 1
    spend(single)
    now += HOUR
    expect(() => spend(single)).toThrow(exceeded)
    expect(() => spend(session)).toThrow(exceeded)
    now += 7 * 24 * HOUR
    spend(single)
    expect(ledger.all().map(({ task, calls }) => [task, calls])).toEqual([
      [COMMAND_LINE_ACCOUNT, 1],
      [scope.task, 2],
    ])
  })

  it('SC-10: counts bytes over all calls, and says how many', () => {
    const ledger = open()
    const limits = { bytes: 5_000_000 }
    ledger.settle(ledger.reserve(scope, one(100_000), limited(limits)), { bytes: 4_900_000 })
    expect(() => ledger.reserve(scope, one(100_001), limited(limits))).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ used: 4_900_000, limit: 5_000_000, calls: 1 }) }),
    )
    ledger.settle(ledger.reserve(scope, one(100_000), limited(limits)))
    expect(ledger.usage(scope)).toEqual({ calls: 2, bytes: 5_000_000, concurrent: 0 })
    expect(() => ledger.reserve(scope, one(1), limited(limits))).toThrow(exceeded)
    expect(ledger.reserve(scope, one(0), limited(limits)).bytes).toBe(0)
  })

  it('SC-09: allows so many at the same time', () => {
    const ledger = open()
    const leases = Array.from({ length: 20 }, () => ledger.reserve(scope, one(), limited({ concurrent: 20 })))
    expect(() => ledger.reserve(scope, one(), limited({ concurrent: 20 }))).toThrow(exceeded)
    for (const lease of leases.slice(0, 1)) ledger.settle(lease)
    expect(ledger.reserve(scope, one(), limited({ concurrent: 20 })).calls).toBe(1)
    expect(ledger.usage(scope)).toEqual({ calls: 21, bytes: 0, concurrent: 20 })
  })

  it('takes bytes as they become known, and refuses the ones that are too many', () => {
    const ledger = open()
    const lease = ledger.take(ledger.reserve(scope, one(), limited({ bytes: 100 })), 60)
    expect(() => ledger.take(lease, 41)).toThrow(exceeded)
    ledger.take(lease, 40)
    ledger.settle(lease)
    expect(ledger.usage(scope).bytes).toBe(100)
  })

  it('SC-10: charges remembered bytes once for each task, name and content, in any process', () => {
    const [ledger, other] = [open(), open()]
    const take = (by: Ledger, bytes: number, content: string, isRemembered: boolean, more = {}) => {
      const lease = by.reserve({ ...scope, ...more }, one(), limited({ bytes: 1000 }))
      const { bytes: charged } = by.take(lease, bytes, 'a.txt', { content, isRemembered })
      by.settle(lease)
      return charged
    }
    expect(take(ledger, 100, 'first', false)).toBe(100)
    expect([take(other, 300, 'first', true), take(ledger, 300, 'first', true)]).toEqual([200, 0])
    // A file that is read again, and not remembered, costs its bytes again.
    expect([take(ledger, 50, 'first', false), take(ledger, 300, 'first', true)]).toEqual([50, 0])
    expect([take(other, 10, 'second', false), take(other, 200, 'second', true)]).toEqual([10, 190])
    expect(take(other, 200, 'second', true, { task: 'another' })).toBe(200)
    expect(() => take(ledger, 651, 'second', true)).toThrow(exceeded)
    expect(take(ledger, 650, 'second', true)).toBe(450)
    expect(ledger.usage(scope)).toMatchObject({ bytes: 1000, given: 1 })
  })

  it('gives back what was reserved and not used, once', () => {
    const ledger = open()
    const lease = ledger.reserve(scope, one(80), limited({ bytes: 100 }))
    ledger.settle(lease, { bytes: 10, calls: 0 })
    ledger.settle(lease, { bytes: 10 })
    expect(ledger.usage(scope)).toEqual({ calls: 0, bytes: 10, concurrent: 0 })
  })

  it('counts together what a budget names together, and refuses by whichever is spent first', () => {
    const ledger = open()
    const [read, write] = [
      { task: 'K', tool: 'a/read' },
      { task: 'K', tool: 'a/write' },
    ]
    const other = { task: 'K', tool: 'b/read' }
    const all = [{ tool: '*', calls: 4 }]
    ledger.settle(ledger.reserve(read, one(), [...all, { tool: 'a/*', calls: 2 }]))
    ledger.reserve(write, one(), [...all, { tool: 'a/*', calls: 2 }])
    expect(() => ledger.reserve(read, one(), [...all, { tool: 'a/*', calls: 2 }])).toThrow(
      /budget of 'a\/\*' in task 'K'/,
    )
    ledger.settle(ledger.reserve(other, one(), [...all, { tool: 'read', calls: 2 }]))
    expect(() => ledger.reserve(other, one(), [...all, { tool: 'read', calls: 2 }])).toThrow(/budget of 'read'/)
    ledger.reserve(other, one(), all)
    expect(() => ledger.reserve(write, one(), all)).toThrow(
      /budget of all tools in task 'K' is spent: 4 of 4 calls used/,
    )
    expect(ledger.usage({ task: 'K', tool: '*' })).toEqual({ calls: 4, bytes: 0, concurrent: 2 })
    expect(ledger.reserve({ ...read, task: 'L' }, one(), all).calls).toBe(1)
  })

  it('remembers over a restart', () => {
    const first = openLedger(file)
    first.settle(first.reserve(scope, one(30), limited({})))
    first.close()
    expect(open().usage(scope)).toEqual({ calls: 1, bytes: 30, concurrent: 0 })
  })

  it('gives a task its budgets back, alone and told, but for the calls that run', () => {
    const ledger = open()
    const limits = limited({ calls: 3 })
    const other = { ...scope, task: 'another' }
    for (let at = 0; at < 2; at++) ledger.settle(ledger.reserve(scope, one(5), limits))
    ledger.settle(ledger.reserve(other, one(7), limits))
    const running = ledger.reserve(scope, one(1), limits)
    expect(() => ledger.reserve(scope, one(), limits)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('toolwright budget reset task-1') }),
    )
    expect(() =>
      ledger.giveBack('task-1', () => {
        throw new Error('cannot be told')
      }),
    ).toThrow('cannot be told')
    expect(ledger.usage(scope)).toEqual({ calls: 3, bytes: 11, concurrent: 1 })
    const told: unknown[] = []
    open().giveBack('task-1', spent => told.push(...spent))
    expect(told).toEqual([{ ...scope, calls: 2, bytes: 10, concurrent: 0 }])
    expect(ledger.all()).toEqual([
      { ...other, calls: 1, bytes: 7, concurrent: 0 },
      { ...scope, calls: 1, bytes: 1, concurrent: 1 },
    ])
    ledger.settle(running)
    expect(ledger.usage(scope)).toEqual({ calls: 1, bytes: 1, concurrent: 0 })
  })

  it('names the task in a hint as a shell reads it', () => {
    const ledger = open()
    expect(() => ledger.reserve({ ...scope, task: "it's $(x)" }, one(1), limited({ bytes: 0 }))).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`budget reset 'it'\\''s $(x)'`) }),
    )
  })

  it('agrees with a simple model of itself', () => {
    const step = fc.record({ what: fc.constantFrom('reserve', 'take', 'settle'), bytes: fc.nat(40), pick: fc.nat(9) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const ledger = open()
        const own = { ...scope, task: `task-${opened.length}` }
        const limits = { calls: 8, bytes: 150, concurrent: 4 }
        const held: { lease: Lease; bytes: number }[] = []
        let [calls, spent] = [0, 0]
        const bytes = () => spent + held.reduce((sum, entry) => sum + entry.bytes, 0)
        for (const { what, bytes: amount, pick } of steps) {
          const entry = held[pick % Math.max(1, held.length)]
          const fits = amount === 0 || bytes() + amount <= limits.bytes
          if (what === 'reserve') {
            const allowed = calls < limits.calls && held.length < limits.concurrent && fits
            const attempt = () => ledger.reserve(own, one(amount), limited(limits))
            if (!allowed) expect(attempt).toThrow(exceeded)
            else calls = held.push({ lease: attempt(), bytes: amount }) && calls + 1
          } else if (entry && what === 'take') {
            const attempt = () => ledger.take(entry.lease, amount)
            if (!fits) expect(attempt).toThrow(exceeded)
            else entry.bytes += attempt() && amount
          } else if (entry) {
            ledger.settle(entry.lease, { bytes: amount })
            held.splice(held.indexOf(entry), 1)
            spent += amount
          }
          expect(ledger.usage(own)).toEqual({ calls, bytes: bytes(), concurrent: held.length })
        }
      }),
      { numRuns: LONG ? 500 : 25 },
    )
  })
})

describe('several processes', () => {
  const start = (body: string) => {
    const code = `
      import { openLedger } from ${JSON.stringify(new URL('./ledger.ts', import.meta.url).href)}
      const ledger = openLedger(process.argv[1]); const scope = ${JSON.stringify(scope)}
      ${body}`
    return spawn(process.execPath, ['--input-type=module-typescript', '-e', code, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  it('never exceed a limit together, and the sum is exact', async () => {
    const tries = LONG ? 500 : 60
    const limits = { calls: tries * 2, bytes: tries * 15 }
    const body = `
      let won = 0
      for (let i = 0; i < ${tries}; i++) {
        try { ledger.settle(ledger.reserve(scope, { calls: 1, bytes: 10 }, ${JSON.stringify(limited(limits))})); won++ }
        catch (error) { if (error.code !== 'budget_exceeded') throw error }
      }
      console.log(won)`
    const results = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const child = start(body)
        const [[text], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')])
        expect(code).toBe(0)
        return Number(text)
      }),
    )
    const won = results.reduce((sum, count) => sum + count, 0)
    expect(won).toBe(Math.floor((tries * 15) / 10))
    expect(open().usage(scope)).toEqual({ calls: won, bytes: won * 10, concurrent: 0 })
  })

  it('that are killed leave what they had reserved as spent', async () => {
    const child = start(`
      for (let i = 0; i < 3; i++) ledger.reserve(scope, { calls: 1, bytes: 10 }, [])
      console.log('ready'); setInterval(() => {}, 1000)`)
    await once(child.stdout, 'data')
    const ledger = open()
    expect(() => ledger.reserve(scope, one(), limited({ concurrent: 3 }))).toThrow(exceeded)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const lease = ledger.reserve(scope, one(5), limited({ concurrent: 1, calls: 4, bytes: 35 }))
    expect(ledger.usage(scope)).toEqual({ calls: 4, bytes: 35, concurrent: 1 })
    ledger.settle(lease)
    expect(() => ledger.reserve(scope, one(), limited({ calls: 4 }))).toThrow(exceeded)
  })
})

describe('isRunning', () => {
  it('knows a process from another that has the same pid', () => {
    expect(isRunning(thisProcess())).toBe(true)
    expect(isRunning({ ...thisProcess(), start: 'other:1' })).toBe(false)
    expect(isRunning({ pid: 2 ** 22 + 1, start: '' })).toBe(false)
  })
})

describe('a ledger that is damaged', () => {
  const spend = (calls: number): void => {
    const ledger = open()
    for (let i = 0; i < calls; i++) ledger.settle(ledger.reserve(scope, one(), limited({ calls: 100 })))
    ledger.close()
  }
  const change = (work: (bytes: Buffer) => Buffer): void => {
    rmSync(`${file}-wal`, { force: true })
    writeFileSync(file, work(readFileSync(file)))
  }
  const exec = (sql: string): void => {
    const db = new DatabaseSync(file)
    db.exec(sql)
    db.close()
  }

  it.each<[string, () => void]>([
    [
      'text',
      () => change(() => Buffer.from('not a database, though it is long enough to be taken for one\n'.repeat(99))),
    ],
    ['no header', () => change(bytes => Buffer.concat([Buffer.alloc(16, 7), bytes.subarray(16)]))],
    ['a torn first page', () => change(bytes => Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(3996, 255)]))],
    ['torn pages', () => change(bytes => Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(16_384, 255)]))],
    ['cut short', () => change(bytes => bytes.subarray(0, 5000))],
    ['another table', () => exec('DROP TABLE spent; CREATE TABLE spent (other TEXT)')],
  ])('(%s) counts nothing, and says what to do', (_, damage) => {
    spend(3)
    damage()
    const ledger = open()
    const said = expect.objectContaining({ code: 'io', hint: expect.stringMatching(/^Remove it: rm .*journal/) })
    expect(() => ledger.reserve(scope, one(), limited({ calls: 100 }))).toThrow(said)
    expect(() => ledger.usage(scope)).toThrow(said)
  })

  it('begins with what the journal tells when it is removed, also while it is open', () => {
    spend(3)
    change(() => Buffer.from('damaged'))
    const ledger = openLedger(file, () => [{ ...scope, calls: 3, bytes: 70 }])
    opened.push(ledger)
    expect(() => ledger.usage(scope)).toThrow(expect.objectContaining({ code: 'io' }))
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
    expect(ledger.usage(scope)).toEqual({ calls: 3, bytes: 70, concurrent: 0 })
    expect(() => ledger.reserve(scope, one(), limited({ calls: 3 }))).toThrow(exceeded)
    // Counted once, not with every opening.
    const again = openLedger(file, () => [{ ...scope, calls: 3, bytes: 70 }])
    opened.push(again)
    expect(again.usage(scope).calls).toBe(3)
  })

  it('that is empty begins with what the journal tells', () => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    const ledger = openLedger(file, () => [{ ...scope, calls: 2, bytes: 0 }])
    opened.push(ledger)
    expect(ledger.usage(scope).calls).toBe(2)
  })
})
