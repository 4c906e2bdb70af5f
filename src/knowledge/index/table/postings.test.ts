import { expect, test } from 'vitest'
import { createPostings } from './postings.ts'

const named = (at: number) => ({ path: `f${String((at * 7919) % 1000).padStart(4, '0')}` })

test('postings list the files of a name in path order, however many it has and however they come and go', () => {
  const postings = createPostings<{ readonly path: string }>()
  const expected = new Map<string, Map<string, { readonly path: string }>>()
  const sizes = { one: 1, two: 2, few: 17, many: 900 }
  const look = () => {
    for (const [name, files] of expected)
      expect(postings.get(name)).toEqual([...files.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1)))
    const counts = [...expected].map(([name, files]) => [name, files.size])
    expect([...postings.counts()]).toEqual(counts)
    expect([...postings.names()]).toEqual([...expected.keys()])
  }
  for (const [name, size] of Object.entries(sizes)) {
    expected.set(name, new Map())
    for (let at = 0; at < size; at++) {
      const file = named(at)
      expect(postings.add(name, file)).toBe(at === 0)
      expected.get(name)?.set(file.path, file)
      if (size < 20) look()
    }
  }
  look()
  for (const [name, size] of Object.entries(sizes)) {
    // The same file anew stands in place of the one before.
    const again = named(size - 1)
    expect(postings.add(name, again)).toBe(false)
    expected.get(name)?.set(again.path, again)
    expect(postings.get(name)).toContain(again)
    for (let at = 0; at < size; at += 2) {
      postings.remove(name, named(at).path)
      postings.remove(name, 'none')
      expected.get(name)?.delete(named(at).path)
    }
    if (expected.get(name)?.size === 0) expected.delete(name)
  }
  look()
  expect(postings.get('one')).toEqual([])
  expect(postings.add('one', named(1))).toBe(true)
})
