import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GENESIS, seal, type Head } from './chain.ts'
import { openJournal } from './journal.ts'
import { verifyJournal } from './verify.ts'

const RUNS = process.env['TOOLWRIGHT_LONG'] ? 20_000 : 120

let base = ''
let dir = ''
let file = ''
let whole = Buffer.alloc(0)
let lines: string[] = []

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-verify-'))
  dir = join(base, 'journal')
  file = join(dir, 'journal.jsonl')
  const journal = openJournal(dir, { lock: join(base, 'lock') })
  for (let i = 0; i < 12; i++) journal.append({ type: 'call', i, text: 'ä€\ufffd'.repeat(i % 4) })
  journal.close()
  whole = readFileSync(file)
  lines = whole.toString().split('\n').slice(0, -1)
})
afterAll(() => rmSync(base, { recursive: true }))

const check = (content: Buffer | string) => {
  writeFileSync(file, content)
  return verifyJournal(dir)
}
const joined = (some: readonly string[]): string => some.map(line => `${line}\n`).join('')
const place = () => fc.nat(lines.length - 1)

describe('verifyJournal', () => {
  it('accepts what was written, and says what there is', () => {
    expect(check(whole)).toEqual({
      ok: true,
      records: 12,
      first: 1,
      last: 12,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
      problems: [],
      unfinished: [],
    })
  })

  it('accepts a journal that was never written to', () => {
    expect(verifyJournal(join(base, 'nothing'))).toMatchObject({ ok: true, records: 0, last: 0 })
  })

  it('finds any changed byte', () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const changed = Buffer.from(whole)
        changed.writeUInt8(changed.readUInt8(at) ^ mask, at)
        expect(check(changed).ok).toBe(false)
      }),
      { numRuns: RUNS },
    )
  })

  it('finds a cut at any byte', () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), at => void expect(check(whole.subarray(0, at)).ok).toBe(false)),
      { numRuns: RUNS },
    )
  })

  it('finds bytes put in anywhere', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.nat(whole.length), bytes, (at, added) => {
        expect(check(Buffer.concat([whole.subarray(0, at), added, whole.subarray(at)])).ok).toBe(false)
      }),
      { numRuns: RUNS },
    )
  })

  it('finds a removed, a repeated and a moved line', () => {
    fc.assert(
      fc.property(place(), place(), (a, b) => {
        expect(check(joined(lines.toSpliced(a, 1))).ok).toBe(false)
        expect(check(joined(lines.toSpliced(b, 0, lines[a] ?? ''))).ok).toBe(false)
        if (a === b) return
        const moved = lines.toSpliced(a, 1).toSpliced(b, 0, lines[a] ?? '')
        expect(check(joined(moved)).ok).toBe(false)
      }),
      { numRuns: RUNS },
    )
  })

  it('finds a past that was rewritten with fitting hashes', () => {
    fc.assert(
      fc.property(place(), at => {
        let head: Head = GENESIS
        const forged = lines.map((line, index) => {
          const { seq: _seq, time, prev: _prev, hash: _hash, ...entry } = JSON.parse(line)
          const sealed = seal(index === at ? { ...entry, i: 'forged' } : entry, head, time)
          head = sealed.head
          return sealed.line
        })
        const { ok, problems } = check(forged.join(''))
        expect(ok).toBe(false)
        expect(problems).toEqual([expect.objectContaining({ seq: 12, what: expect.stringContaining('rewritten') })])
      }),
      { numRuns: 30 },
    )
  })

  it('holds the journal against a head that the caller kept', () => {
    const { hash } = JSON.parse(lines[6] ?? '')
    writeFileSync(file, whole)
    expect(verifyJournal(dir, { head: { seq: 7, hash } }).ok).toBe(true)
    expect(verifyJournal(dir, { head: hash }).ok).toBe(true)
    expect(verifyJournal(dir, { head: { seq: 8, hash } }).ok).toBe(false)
    expect(verifyJournal(dir, { head: 'f'.repeat(64) }).ok).toBe(false)
    expect(verifyJournal(dir, { head: { seq: 13, hash } }).problems[0]?.what).toContain('cut')
  })

  it('names the line and the record of an edit, and only that', () => {
    const edited = lines.with(4, (lines[4] ?? '').replace('"i":4', '"i":5'))
    expect(check(joined(edited)).problems).toEqual([
      { segment: 'journal.jsonl', line: 5, what: 'The content of record 5 does not match its hash.' },
    ])
  })
})
