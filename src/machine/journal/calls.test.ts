import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callFiles, leftCalls, openCalls, type Calls } from './calls.ts'
import { endInterrupted } from './interrupted.ts'
import { openJournal, type Journal } from './journal.ts'
import type { CallRecord, IntentRecord } from './record.ts'
import { verifyJournal } from './verify.ts'

let base: string
let directory: string
let journal: Journal
let calls: Calls
const AT = { at: 0 }

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-calls-'))
  directory = join(base, 'calls')
  journal = openJournal(join(base, 'journal'), { lock: join(base, 'lock') })
  calls = openCalls(directory, journal)
})
afterEach(() => {
  calls.close()
  journal.close()
  rmSync(base, { recursive: true, force: true })
})

const intent = (id: string, more: Partial<IntentRecord> = {}): IntentRecord => ({
  type: 'intent',
  id,
  session: 'S',
  tool: 'toolwright/write',
  version: '1.0.0',
  input: { path: 'a' },
  claims: [{ action: 'write', resource: 'a' }],
  startedAt: '2026-01-01T00:00:00.000Z',
  ...more,
})
const record = (id: string): Pick<CallRecord, 'id' | 'type'> => ({ type: 'call', id })
const typesOf = () => Array.from(journal.read(), ({ type, id }) => `${type} ${String(id)}`)

/** As another process finds it when this one is gone. */
function dead(): string[] {
  const [name = ''] = readdirSync(directory)
  const left = name.replace(/^\d+-[0-9a-f]+-\d+/, '0-')
  writeFileSync(join(directory, left), readFileSync(join(directory, name)))
  return [left]
}

const last = () => [...journal.read()].at(-1)
const unfinished = () => verifyJournal(join(base, 'journal')).unfinished

describe('the records of calls', () => {
  it('begin with an intent, and leave nothing open', () => {
    calls.begin(intent('c1'), AT)
    expect(unfinished()).toEqual([{ seq: 1, id: 'c1', tool: 'toolwright/write' }])
    calls.end(record('c1'), AT)
    calls.end(record('c2'), AT)
    expect(typesOf()).toEqual(['intent c1', 'call c1', 'call c2'])
    expect(unfinished()).toEqual([])
    calls.close()
    expect(callFiles(directory)).toEqual([])
  })

  it('cost a call that changes nothing no file', () => {
    calls.end(record('c1'), AT)
    expect(callFiles(directory)).toEqual([])
  })

  it('that could not be written come with the next one', () => {
    calls.begin(intent('c1'), AT)
    const append = journal.appendAll.bind(journal)
    Object.assign(journal, {
      appendAll: () => {
        throw new Error('the disk is full')
      },
    })
    expect(() => calls.end(record('c1'), AT)).toThrow('full')
    expect(() => calls.end(record('read'), AT)).toThrow('full')
    Object.assign(journal, { appendAll: append })
    calls.end(record('c2'), AT)
    expect(typesOf()).toEqual(['intent c1', 'call c1', 'call c2'])
  })

  it('of a process that runs are its own', () => {
    calls.begin(intent('c1'), AT)
    expect(leftCalls(directory, callFiles(directory))).toEqual([])
  })

  it('that a closed workspace left unfinished can be ended while its process lives on', () => {
    calls.begin(intent('c1', { changed: ['a'] }), AT)
    calls.close()
    endInterrupted(directory, callFiles(directory), journal, () => false)
    expect(last()).toMatchObject({ type: 'call', id: 'c1', ok: false, code: 'interrupted', changed: [] })
    expect(callFiles(directory)).toEqual([])
  })
})

describe('a call whose process is gone', () => {
  it.each<[string, Partial<IntentRecord>, boolean, Partial<CallRecord>, RegExp]>([
    ['before anything landed', {}, false, { changed: [] }, /nothing of it has landed/],
    ['as it landed', { changed: ['a', 'b'] }, true, { changed: ['a', 'b'], undo: 'c1' }, /staged changes have landed/],
    ['before its changes landed', { changed: ['a'] }, false, { changed: [] }, /none of its staged changes/],
    ['as ignored paths changed', { changed: [], unstaged: true }, false, {}, /ignored paths .* may have changed/],
    ['while it wrote by itself', { direct: true }, false, { direct: true }, /are unknown/],
  ])('%s is recorded with what it changed', (_, more, landed, expected, message) => {
    calls.begin(intent('c1', more), AT)
    endInterrupted(directory, dead(), journal, () => landed)
    expect(last()).toMatchObject({ id: 'c1', tool: 'toolwright/write', input: { path: 'a' }, ok: false, ...expected })
    expect(last()?.['message']).toMatch(message)
    expect(unfinished()).toEqual([])
  })

  it('is recorded once, however many look', () => {
    calls.begin(intent('c1'), AT)
    const names = dead()
    endInterrupted(directory, names, journal, () => false)
    writeFileSync(join(directory, names[0] ?? ''), '+c1\n')
    endInterrupted(directory, names, journal, () => false)
    expect(typesOf()).toEqual(['intent c1', 'call c1'])
  })

  it('is told from those that ended, and from one that only its file knows', () => {
    calls.begin(intent('c1'), AT)
    calls.begin(intent('c2'), AT)
    calls.end(record('c1'), AT)
    const names = dead()
    writeFileSync(join(directory, names[0] ?? ''), '+c1\n+c2\n-c1\n+never\n')
    endInterrupted(directory, names, journal, () => false)
    expect(typesOf()).toEqual(['intent c1', 'intent c2', 'call c1', 'call c2'])
  })

  it('is not looked for in a file that is none of ours', () => {
    expect(leftCalls(directory, ['notes.txt', '1-2-3', 'x-0-abc'])).toEqual([])
  })
})
