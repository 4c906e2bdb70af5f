import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLock } from '../state/lock.ts'
import { openJournal, type Journal, type JournalOptions } from './journal.ts'
import { verifyJournal } from './verify.ts'

let base = ''
let dir = ''
const opened: Journal[] = []

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-journal-'))
  dir = join(base, 'journal')
})
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close()
  rmSync(base, { recursive: true })
})

const open = (options: Partial<JournalOptions> = {}): Journal => {
  const journal = openJournal(dir, { lock: join(base, 'journal.lock'), ...options })
  opened.push(journal)
  return journal
}
const file = () => join(dir, 'journal.jsonl')
const lines = (): string[] => readFileSync(file(), 'utf8').split('\n').slice(0, -1)

describe('a journal', () => {
  it('is JSON lines, each linked to the one before, and read back as written', () => {
    const journal = open({ now: () => Date.UTC(2026, 0, 2) })
    const first = journal.append({ type: 'call', text: 'ünïcode\n\u2028 "quoted"' })
    const second = journal.append({ type: 'call', id: 2 })

    const records = [...journal.read()]
    expect(records.map(({ seq, hash }) => ({ seq, hash }))).toEqual([first, second])
    expect(records[0]).toMatchObject({
      time: '2026-01-02T00:00:00.000Z',
      prev: '0'.repeat(64),
      text: 'ünïcode\n\u2028 "quoted"',
    })
    expect(records[1]?.prev).toBe(first.hash)
    expect(journal.head()).toEqual(second)
    expect(lines()).toHaveLength(2)
  })

  it('closes in silence where its directory was removed meanwhile', () => {
    const journal = open()
    journal.append({ type: 'call' })
    rmSync(base, { recursive: true })
    expect(() => journal.close()).not.toThrow()
    expect(existsSync(base)).toBe(false)
    mkdirSync(base)
  })

  it('closes soon while another part holds its lock, and has all of its records', () => {
    const journal = open()
    const [first] = [journal.append({ type: 'call', i: 1 }), journal.append({ type: 'call', i: 2 })]
    const lock = openLock(join(base, 'journal.lock'))
    lock.acquire(1_000)
    const since = performance.now()
    expect(() => journal.close()).not.toThrow()
    expect(performance.now() - since).toBeLessThan(15_000)
    lock.close()
    const again = open()
    expect([...again.read()].map(({ seq }) => seq)).toEqual([1, 2])
    expect(again.append({ type: 'call', i: 3 }).seq).toBe(first.seq + 2)
    expect(verifyJournal(dir)).toMatchObject({ ok: true })
  })

  it('is handed to the operating system before append returns', () => {
    const journal = open()
    for (let i = 1; i <= 20; i++) {
      journal.append({ type: 'call', i })
      expect(lines()).toHaveLength(i)
    }
  })

  it('goes on where it was left', () => {
    const before = open()
    before.appendAll([{ i: 1 }, { i: 2 }])
    before.close()
    expect(open().append({ i: 3 }).seq).toBe(3)
    expect(verifyJournal(dir)).toMatchObject({ ok: true, records: 3, first: 1, last: 3 })
  })

  it('is one chain when opened twice in one process', () => {
    const [a, b] = [open(), open()]
    for (let i = 0; i < 10; i++) (i % 2 ? a : b).append({ i })
    a.close()
    expect(b.append({ i: 10 }).seq).toBe(11)
    expect(verifyJournal(dir)).toMatchObject({ ok: true, records: 11 })
    expect(() => a.append({ i: 11 })).toThrow('closed')
  })

  it('is for this user alone', () => {
    open().append({ i: 1 })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(statSync(dir).mode & 0o777).toBe(0o700)
  })

  it('refuses an entry that would pose as a link of the chain', () => {
    const journal = open()
    for (const entry of [{ seq: 1 }, { hash: 'x' }, { prev: 'x' }, { time: 'x' }, {}, [1]])
      expect(() => journal.append(entry)).toThrow(TypeError)
    expect(journal.append({ ok: true }).seq).toBe(1)
  })

  it('reads a range, and the newest', () => {
    const journal = open({ segmentBytes: 1000 })
    for (let i = 1; i <= 50; i++) journal.append({ i })
    expect([...journal.read({ from: 7, to: 9 })].map(record => record['i'])).toEqual([7, 8, 9])
    expect([...journal.read({ last: 12 })].map(record => record['i'])).toEqual(
      Array.from({ length: 12 }, (_, i) => 39 + i),
    )
    expect([...journal.read({ last: 99 })]).toHaveLength(50)
  })

  it('begins a new file at a size, and the chain goes on', () => {
    const journal = open({ segmentBytes: 600 })
    for (let i = 1; i <= 12; i++) journal.append({ i })
    const names = readdirSync(dir).toSorted()
    expect(names).toContain('journal-1.jsonl')
    expect(names.length).toBeGreaterThan(2)
    expect([...journal.read()].map(record => record['i'])).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    journal.close()
    expect(verifyJournal(dir)).toMatchObject({ ok: true, records: 12 })
    expect(open({ segmentBytes: 600 }).append({ i: 13 }).seq).toBe(13)
  })

  it('goes on after a crash between closing one file and beginning the next', () => {
    const journal = open({ segmentBytes: 600 })
    for (let i = 1; i <= 4; i++) journal.append({ i })
    journal.close()
    rmSync(file())
    const last = verifyJournal(dir, { headFile: join(base, 'none') }).last
    const again = open()
    expect(again.append({ i: 5 }).seq).toBeGreaterThan(last)
  })
})

describe('a torn tail', () => {
  const fill = (): Buffer => {
    const journal = open()
    for (let i = 1; i <= 4; i++) journal.append({ i, text: 'é'.repeat(i) })
    journal.close()
    return readFileSync(file())
  }
  const forgetHead = () => writeFileSync(`${dir}.head.json`, `${`{"seq":0,"hash":"${'0'.repeat(64)}"}`.padEnd(127)}\n`)

  it('is put aside at whatever byte it was torn, losing no whole record', () => {
    const whole = fill()
    const starts = [0, ...[...whole.keys()].filter(at => whole[at] === 0x0a).map(at => at + 1)]
    const lastTwo = starts[2] ?? 0
    for (let cut = lastTwo; cut < whole.length; cut += 7) {
      rmSync(dir, { recursive: true })
      open().close()
      writeFileSync(file(), whole.subarray(0, cut))
      forgetHead()
      const journal = open()
      journal.append({ next: true })
      journal.close()
      const kept = starts.filter((_, index) => (starts[index + 1] ?? Infinity) - 1 <= cut).length
      const records = [...journal.read()]
      expect(records.filter(record => 'i' in record).map(record => record['i'])).toEqual([1, 2, 3, 4].slice(0, kept))
      expect(verifyJournal(dir).problems).toEqual([])
      const torn = readdirSync(dir).filter(name => name.startsWith('journal.torn-'))
      const pieces = torn.map(name => readFileSync(join(dir, name)))
      expect(Buffer.concat([whole.subarray(0, starts[kept]), ...pieces]).subarray(0, cut)).toEqual(
        whole.subarray(0, cut),
      )
      expect(records.some(record => record.type === 'torn')).toBe(torn.length > 0)
    }
  })

  it('that lacks only its line end is a whole record', () => {
    const whole = fill()
    truncateSync(file(), whole.length - 1)
    expect(verifyJournal(dir).ok).toBe(false)
    expect(open().append({ next: true }).seq).toBe(5)
    expect(readdirSync(dir)).toEqual(['journal.jsonl'])
    expect(verifyJournal(dir).problems).toEqual([])
  })

  it('of zeros, as a power cut leaves them, is put aside', () => {
    const whole = fill()
    appendFileSync(file(), Buffer.alloc(5000))
    expect(open().append({ next: true }).seq).toBe(6)
    expect(statSync(join(dir, 'journal.torn-1')).size).toBe(5000)
    expect(readFileSync(file()).subarray(0, whole.length)).toEqual(whole)
    expect(verifyJournal(dir).problems).toEqual([])
  })
})

describe('a head kept elsewhere', () => {
  it('makes a journal that was cut say so for ever after', () => {
    const journal = open()
    for (let i = 1; i <= 5; i++) journal.append({ i })
    journal.close()
    writeFileSync(file(), `${lines().slice(0, 3).join('\n')}\n`)

    const again = open()
    again.append({ i: 6 })
    for (let i = 0; i < 9; i++) again.append({ i }, { durable: true })
    again.close()
    const { ok, problems } = verifyJournal(dir)
    expect(ok).toBe(false)
    expect(problems).toEqual([expect.objectContaining({ seq: 4, what: expect.stringContaining('record 5') })])
  })

  it('is noticed when it is taken away', () => {
    const journal = open()
    journal.append({ i: 1 })
    journal.close()
    rmSync(`${dir}.head.json`)
    expect(verifyJournal(dir).problems[0]?.what).toContain('missing')
    open().append({ i: 2 })
    expect(verifyJournal(dir).problems[0]?.what).toContain('missing')
  })

  it('notices a cut made while the journal is open', async () => {
    const journal = open()
    for (let i = 1; i <= 5; i++) journal.append({ i })
    await new Promise(done => setTimeout(done, 20))
    writeFileSync(file(), `${lines().slice(0, 3).join('\n')}\n`)
    journal.append({ i: 6 })
    journal.close()
    expect(verifyJournal(dir).ok).toBe(false)
  })

  it('follows a durable record at once, and others with their group', async () => {
    const headFile = join(base, 'heads', 'one.json')
    const kept = (): number => JSON.parse(readFileSync(headFile, 'utf8')).seq
    const journal = open({ headFile, syncEveryMs: 20 })
    journal.append({ i: 1 }, { durable: true })
    expect(kept()).toBe(1)
    journal.append({ i: 2 })
    expect(kept()).toBe(1)
    await expect.poll(kept).toBe(2)
    journal.append({ i: 3 })
    journal.sync()
    expect(kept()).toBe(3)
  })

  it('follows a flush with the next record, or with its group', async () => {
    const headFile = join(base, 'heads', 'one.json')
    const kept = (): number => JSON.parse(readFileSync(headFile, 'utf8')).seq
    const journal = open({ headFile, syncEveryMs: 20 })
    journal.append({ i: 1 }, { durable: true })
    journal.append({ i: 2 })
    journal.flush()
    expect(kept()).toBe(1)
    journal.append({ i: 3 })
    expect(kept()).toBe(2)
    journal.flush()
    await expect.poll(kept).toBe(3)
    journal.close()
    expect(verifyJournal(dir, { headFile })).toMatchObject({ ok: true, records: 3 })
  })

  it('is not moved to a flushed record that was cut off since', () => {
    const headFile = join(base, 'heads', 'one.json')
    const journal = open({ headFile })
    for (let i = 1; i <= 3; i++) journal.append({ i })
    journal.flush()
    writeFileSync(file(), `${lines().slice(0, 1).join('\n')}\n`)
    const { seq } = journal.append({ i: 4 })
    expect(JSON.parse(readFileSync(headFile, 'utf8')).seq).toBeLessThan(seq)
    expect([...journal.read()].filter(({ type }) => type === 'gap')).toHaveLength(1)
    journal.close()
  })

  it.each([
    ['sync', (journal: Journal) => journal.sync()],
    ['close', (journal: Journal) => journal.close()],
  ])('follows the last record at a %s while a group is on its way to disk', async (_, end) => {
    const headFile = join(base, 'heads', 'one.json')
    const journal = open({ headFile, syncEveryMs: 1 })
    journal.append({ i: 1 }, { durable: true })
    const last = journal.append({ i: 2 })
    // Runs right after the timer of the group, in the same turn: its sync has begun and cannot have ended.
    await new Promise(done => setTimeout(done, 1))
    end(journal)
    expect(JSON.parse(readFileSync(headFile, 'utf8'))).toEqual(last)
  })
})
