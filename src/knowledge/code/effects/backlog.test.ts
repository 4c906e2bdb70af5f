import { describe, expect, it } from 'vitest'
import { createBacklog, upToNow } from './backlog.ts'

const change = (path: string, before: string | null, after: string | null) => ({
  before: { [path]: before },
  after: { [path]: after },
  changed: [path],
})

const onDisk = (files: Record<string, string>) => (path: string) => files[path] ?? null

describe('how long judging took', () => {
  it('decides whether the next change of such files waits for it', () => {
    const backlog = createBacklog()
    expect(backlog.isQuick(['a.py'], 50)).toBe(true)
    backlog.took(['a.py'], Infinity)
    expect(backlog.isQuick(['b.py'], 50)).toBe(false)
    expect(backlog.isQuick(['a.ts'], 50)).toBe(true)
    backlog.took(['c.py'], 20)
    expect(backlog.isQuick(['a.py'], 50)).toBe(true)
  })
})

describe('changes that are not judged yet', () => {
  it('are judged from before the first to after the last', () => {
    const backlog = createBacklog()
    backlog.add('one', change('a.ts', '1', '2'), onDisk({ 'a.ts': '2' }))
    const both = backlog.add('two', change('a.ts', '2', '3'), onDisk({ 'a.ts': '3' }))
    expect(both).toEqual({ ...change('a.ts', '1', '3'), ids: ['one', 'two'] })
  })

  it('use the current files if another program changed them since', () => {
    const backlog = createBacklog()
    backlog.add('one', change('a.ts', '1', '2'), onDisk({ 'a.ts': '2' }))
    const both = backlog.add('two', change('b.ts', null, 'b'), onDisk({ 'a.ts': 'other', 'b.ts': 'b' }))
    expect(both.after).toEqual({ 'a.ts': 'other', 'b.ts': 'b' })
    expect(both.before).toEqual({ 'a.ts': '1', 'b.ts': null })
    expect(both.changed.toSorted()).toEqual(['a.ts', 'b.ts'])
  })

  it('are no change where the last one took the first back', () => {
    const backlog = createBacklog()
    backlog.add('one', change('a.ts', '1', '2'), onDisk({ 'a.ts': '2' }))
    expect(backlog.add('two', change('a.ts', '2', '1'), onDisk({ 'a.ts': '1' })).changed).toEqual([])
  })

  it('are forgotten once they are judged, unless another came meanwhile', () => {
    const backlog = createBacklog()
    const first = backlog.add('one', change('a.ts', '1', '2'), onDisk({}))
    const second = backlog.add('two', change('b.ts', '1', '2'), onDisk({}))
    backlog.settle(first)
    expect([backlog.isNewest(first), backlog.isNewest(second), backlog.isEmpty()]).toEqual([false, true, false])
    backlog.settle(second)
    expect(backlog.isEmpty()).toBe(true)
  })

  it('are dropped for the newest where they are too many', () => {
    const backlog = createBacklog()
    const many = Array.from({ length: 201 }, (_, at) => `f${at}.ts`)
    const texts = (text: string) => Object.fromEntries(many.map(path => [path, text]))
    backlog.add('many', { before: texts('1'), after: texts('2'), changed: many }, onDisk(texts('2')))
    expect(backlog.add('one', change('a.ts', '1', '2'), onDisk({}))).toMatchObject({ ids: ['one'], changed: ['a.ts'] })
  })
})

describe('a question about changes that wait', () => {
  it('finds them by each of their ids, and keeps their report back until it is answered', async () => {
    const backlog = createBacklog()
    backlog.add('one', change('a.ts', '1', '2'), onDisk({ 'a.ts': '2' }))
    const both = backlog.add('two', change('b.ts', '1', '2'), onDisk({ 'a.ts': '2' }))
    expect([backlog.holding('one'), backlog.holding('two'), backlog.holding('three')]).toEqual([both, both, undefined])
    const answer = Promise.withResolvers<string>()
    const asked = backlog.ask(both, () => answer.promise)
    let isAsked = true
    const over = backlog.asked(both).then(() => (isAsked = false))
    await new Promise(setImmediate)
    expect(isAsked).toBe(true)
    answer.reject(new Error('cancelled'))
    await expect(asked).rejects.toThrow('cancelled')
    await over
    await backlog.asked(backlog.add('three', change('c.ts', '1', '2'), onDisk({})))
  })

  it('is about the current texts', () => {
    const changes = change('a.ts', '1', '2')
    expect(upToNow(changes, onDisk({ 'a.ts': '2' }))).toBe(changes)
    expect(upToNow(changes, onDisk({ 'a.ts': '3' }))).toEqual(change('a.ts', '1', '3'))
    expect(upToNow(changes, onDisk({ 'a.ts': '1' })).changed).toEqual([])
  })
})
