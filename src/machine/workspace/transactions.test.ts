import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLock, type Lock } from '../state/lock.ts'
import { hashOf } from './disk.ts'
import { createStaging, type Staging } from './staging.ts'
import { createTransactions } from './transactions.ts'

let directory: string
let lock: Lock
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-transactions-')))
  lock = openLock(join(directory, 'lock'))
})
afterEach(() => {
  lock.close()
  rmSync(directory, { recursive: true, force: true })
})

const enter = (id = 'T') => createTransactions(join(directory, 'all'), lock).enter(id)
const layerOver = (below: Staging, files: Readonly<Record<string, string>>): Staging => {
  const layer = createStaging(below)
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text)
    layer.set(path, { type: 'absent' }, { type: 'file', bytes, hash: hashOf(bytes), mode: 0o644 })
  }
  return layer
}
const textIn = (staging: Staging, path: string): string | undefined => {
  const state = staging.get(path)?.state
  return state?.type === 'file' && 'bytes' in state ? state.bytes.toString() : state?.type
}

describe('a transaction', () => {
  it('is visible only to sessions that enter it under its id', () => {
    const one = enter()
    expect(one.isBegun()).toBe(false)
    one.add(layerOver(one.staging(), { a: '1' }))
    expect([one.isBegun(), textIn(enter().staging(), 'a'), enter('U').isBegun()]).toEqual([true, '1', false])
  })

  it('takes in what others stage, also those who entered before', () => {
    const [one, two] = [enter(), enter()]
    const ofOne = layerOver(one.staging(), { a: '1' })
    const ofTwo = layerOver(two.staging(), { b: '2' })
    one.add(ofOne)
    two.add(ofTwo)
    for (const each of [one, two, enter()])
      expect([textIn(each.staging(), 'a'), textIn(each.staging(), 'b')]).toEqual(['1', '2'])
  })

  it('refuses the later of two who changed one path at the same time, and keeps the earlier', () => {
    const [one, two] = [enter(), enter()]
    const ofTwo = layerOver(two.staging(), { a: 'two', b: 'two' })
    one.add(layerOver(one.staging(), { a: 'one' }))
    expect(() => two.add(ofTwo)).toThrow(/'a' in transaction 'T' at the same time/)
    expect([textIn(two.staging(), 'a'), textIn(two.staging(), 'b')]).toEqual(['one', undefined])
    two.add(layerOver(two.staging(), { a: 'two' }))
    expect(textIn(one.staging(), 'a')).toBe('two')
  })

  it('takes the same change twice for one', () => {
    const [one, two] = [enter(), enter()]
    const ofTwo = layerOver(two.staging(), { a: 'same' })
    one.add(layerOver(one.staging(), { a: 'same' }))
    two.add(ofTwo)
    expect(textIn(one.staging(), 'a')).toBe('same')
  })

  it('ends with what landed, and keeps what was staged since', () => {
    const [one, two] = [enter(), enter()]
    one.add(layerOver(one.staging(), { a: '1', c: '3' }))
    const landed = one.snapshot()
    two.add(layerOver(two.staging(), { b: '2', c: 'changed' }))
    expect(one.end(landed)).toBe(false)
    const left = enter().staging()
    expect(['a', 'b', 'c'].map(path => textIn(left, path))).toEqual([undefined, '2', 'changed'])
    expect(one.end(one.snapshot())).toBe(true)
    expect(readdirSync(join(directory, 'all'))).toEqual([])
  })

  it('is empty for who is still in it when another ended it', () => {
    const [one, two] = [enter(), enter()]
    one.add(layerOver(one.staging(), { a: '1' }))
    expect(two.staging().isEmpty()).toBe(false)
    one.forget()
    expect([two.staging().isEmpty(), two.isBegun()]).toEqual([true, false])
  })

  it('can be thrown away where it is damaged, and not used', () => {
    const one = enter()
    one.add(layerOver(one.staging(), { a: '1' }))
    writeFileSync(join(directory, 'all/T/manifest.json'), 'no json')
    const again = enter()
    expect(() => again.staging().get('a')).toThrow(/damaged/)
    expect(() => again.add(layerOver(createStaging(), { b: '2' }))).toThrow(/damaged/)
    again.forget()
    expect(enter().staging().isEmpty()).toBe(true)
  })

  it.each(['', '.', '..', '../x', 'a/b', 'x'.repeat(65), '-x', 'ä'])('cannot be called %j', id => {
    expect(() => enter(id)).toThrow(/cannot be the id/)
  })
})

describe('createTransactions', () => {
  it('knows the one that the session is in until it is ended', () => {
    const transactions = createTransactions(join(directory, 'all'), lock)
    expect(transactions.current()).toBeUndefined()
    const entered = transactions.enter('T', { begun: true })
    expect([transactions.current() === entered, entered.isBegun()]).toEqual([true, true])
    entered.begin()
    expect(readdirSync(join(directory, 'all'))).toEqual(['T'])
    entered.forget()
    expect(transactions.current()).toBeUndefined()
  })
})
