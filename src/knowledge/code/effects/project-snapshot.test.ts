import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { affectedFiles } from './affected-files.ts'
import { snapshotOf, type ProjectSnapshot } from './project-snapshot.ts'

/** Each file with its content and, after a colon, what it imports. */
const snapshot = (files: Readonly<Record<string, string>>, ambient: readonly string[] = []): ProjectSnapshot =>
  snapshotOf(
    new Map(
      Object.entries(files).map(([path, said]) => {
        const [content = '', imports = ''] = said.split(':')
        const facts = { hash: content, requests: [], wholes: [], others: [], isAmbient: ambient.includes(path) }
        return [path, { facts, imports: imports.split(' ').filter(Boolean) }]
      }),
    ),
    '',
  )

const affected = (before: ProjectSnapshot, after: ProjectSnapshot, changed: readonly string[]) =>
  affectedFiles(before, after, changed).map(({ path, distance }) => `${path} ${distance}`)

const FILES = { a: '1', b: '1:a', c: '1:b', d: '1:', e: '1:d' }

describe('a snapshot', () => {
  it('gives the same proof for the same files, and another one to whatever imports a changed file', () => {
    expect(affected(snapshot(FILES), snapshot(FILES), ['a'])).toEqual([])
    expect(affected(snapshot(FILES), snapshot({ ...FILES, a: '2' }), ['a'])).toEqual(['a 0', 'b 1', 'c 2'])
  })

  it('knows circles, and what lies behind them', () => {
    const circle = { a: '1:b', b: '1:c', c: '1:a', user: '1:b', used: '1', other: '1' }
    expect(affected(snapshot(circle), snapshot({ ...circle, c: '2:a' }), ['c'])).toEqual([
      'c 0',
      'b 1',
      'a 2',
      'user 2',
    ])
    const longer = { ...circle, c: '1:a used' }
    expect(affected(snapshot(longer), snapshot({ ...longer, used: '2' }), ['used'])).toHaveLength(5)
  })

  it('follows an import that is new or gone, and files that are made or removed', () => {
    const more = { ...FILES, d: '2:a' }
    expect(affected(snapshot(FILES), snapshot(more), ['d'])).toEqual(['d 0', 'e 1'])
    const { a: _a, ...without } = { ...FILES, b: '1' }
    expect(affected(snapshot(FILES), snapshot(without), ['a'])).toEqual(['a 0', 'b 1', 'c 2'])
  })

  it('counts an ambient declaration for every file', () => {
    const changed = affected(snapshot(FILES, ['d']), snapshot({ ...FILES, d: '2:' }, ['d']), ['d'])
    expect(changed).toEqual(['d 0', 'e 1', 'a Infinity', 'b Infinity', 'c Infinity'])
  })

  it('changed in part is what it would be as a whole', () => {
    const graph = fc.array(fc.array(fc.nat(11), { maxLength: 4 }), { minLength: 12, maxLength: 12 })
    fc.assert(
      fc.property(graph, fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 3 }), (imports, changed) => {
        const said = (isAfter: boolean) =>
          Object.fromEntries(
            imports.map((list, at) => [`${at}`, `${isAfter && changed.includes(at) ? 2 : 1}:${list.join(' ')}`]),
          )
        const [before, whole] = [snapshot(said(false)), snapshot(said(true))]
        const part = before.with(new Map([...whole.files].filter(([path]) => changed.includes(Number(path)))))
        const paths = changed.map(String)
        if (!part) throw new Error('The imports are the same')
        for (const path of whole.files.keys()) expect(part.proofOf(path)).toBe(whole.proofOf(path))
        expect([...part.files]).toEqual([...whole.files])
        expect(affectedFiles(before, part, paths)).toEqual(affectedFiles(before, whole, paths))
        // And back again, one by one.
        let back: ProjectSnapshot | undefined = part
        for (const path of paths) back = back?.with(new Map([...before.files].filter(([each]) => each === path)))
        if (!back) throw new Error('The imports are the same')
        for (const path of before.files.keys()) expect(back.proofOf(path)).toBe(before.proofOf(path))
        expect(affectedFiles(before, back, paths)).toEqual([])
        expect(affectedFiles(back, part, paths)).toEqual(affectedFiles(before, whole, paths))
      }),
    )
  })

  it('is looked at anew where imports or declarations for all are others', () => {
    const changes = (files: ProjectSnapshot) => new Map([...files.files].filter(([path]) => path === 'd'))
    expect(snapshot(FILES).with(changes(snapshot({ ...FILES, d: '1:a' })))).toBeUndefined()
    expect(snapshot(FILES).with(changes(snapshot(FILES, ['d'])))).toBeUndefined()
  })

  it('takes chains of any length', () => {
    const chain = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, `1:f${at + 1}`]))
    const last = { ...chain, f19999: '2' }
    expect(affectedFiles(snapshot(chain), snapshot(last), ['f19999'])).toHaveLength(20_000)
  })
})
