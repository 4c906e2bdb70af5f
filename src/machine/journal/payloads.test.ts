import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPayloads } from './payloads.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolwright-payloads-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const stored = (payloads: ReturnType<typeof openPayloads>, id: string): string =>
  payloads.path(id) ?? expect.fail('not stored')

describe('payloads', () => {
  it('AA-11: come back by their id, whatever their size and content', () => {
    const payloads = openPayloads(dir)
    for (const content of [Buffer.alloc(0), Buffer.from('short'), Buffer.alloc(100_000, 'a'), randomBytes(50_000)]) {
      const id = payloads.put(content, { durable: true })
      expect(id).toMatch(/^[0-9a-f]{16}$/)
      expect(payloads.get(id)).toEqual(content)
      expect(payloads.put(content)).toBe(id)
    }
    expect(payloads.get(payloads.put('täxt'))?.toString()).toBe('täxt')
  })

  it.each(['é', '日本', '😀', '\ufeff', '\ud83d', 'a\udc00€'])('hold long texts with %j as UTF-8', character => {
    const payloads = openPayloads(dir)
    const text = `${character}${'a line of text\n'.repeat(1_000)}${character}`
    expect(payloads.get(payloads.put(text))).toEqual(Buffer.from(text))
  })

  it('are compressed where that saves room, and leave nothing else behind', () => {
    const payloads = openPayloads(dir)
    const id = payloads.put('line of text\n'.repeat(10_000))
    const file = stored(payloads, id)
    expect(statSync(file).size).toBeLessThan(5000)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(dir, id.slice(0, 2)))).toHaveLength(1)
  })

  it('are told apart when the short ids are the same', () => {
    const payloads = openPayloads(dir, { hash: bytes => 'a'.repeat(20) + bytes.toString('hex').padEnd(44, '0') })
    const ids = ['one', 'two', 'six'].map(content => payloads.put(content))
    expect(ids.map(id => id.length)).toEqual([16, 24, 24])
    expect(ids.map(id => payloads.get(id)?.toString())).toEqual(['one', 'two', 'six'])
  })

  it('that are damaged are an error, and whole again when put again', () => {
    const payloads = openPayloads(dir)
    for (const content of ['small', 'large '.repeat(5000)]) {
      const id = payloads.put(content)
      writeFileSync(stored(payloads, id), 'something else')
      expect(() => payloads.get(id)).toThrow(expect.objectContaining({ code: 'io' }))
      expect(payloads.put(content)).toBe(id)
      expect(payloads.get(id)?.toString()).toBe(content)
    }
  })

  it('that are damaged between two puts of the same content are whole again', async () => {
    const payloads = openPayloads(dir)
    const content = 'line of text\n'.repeat(10_000)
    const id = payloads.put(content)
    const file = stored(payloads, id)
    for (let round = 0; round < 3; round++) {
      await pause(round * 120)
      expect([1, 2, 3].map(() => payloads.put(content))).toEqual([id, id, id])
      writeFileSync(file, Buffer.alloc(statSync(file).size))
      expect(payloads.put(content)).toBe(id)
      expect(payloads.get(id)?.toString()).toBe(content)
    }
    rmSync(file)
    expect(payloads.get(payloads.put(content))?.toString()).toBe(content)
  })

  it('that are put again are young again', () => {
    const payloads = openPayloads(dir)
    const file = stored(payloads, payloads.put('again'))
    utimesSync(file, 1, 1)
    payloads.put('again')
    expect(statSync(file).mtimeMs).toBeGreaterThan(Date.now() - 60_000)
  })

  it('are found by an id only, never by a path', () => {
    const payloads = openPayloads(join(dir, 'inner'))
    writeFileSync(join(dir, 'secret'), 'secret')
    for (const id of [
      '../secret',
      '..',
      '',
      'abc',
      'A'.repeat(16),
      `${'a'.repeat(16)}/../../secret`,
      '0123456789abcdef',
    ])
      expect(payloads.get(id)).toBeUndefined()
  })
})
