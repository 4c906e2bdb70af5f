import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
  existsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJournal } from '../journal/journal.ts'
import { openPayloads } from '../journal/payloads.ts'
import { verifyJournal } from '../journal/verify.ts'
import { workspaceState, type WorkspaceState } from '../state/directory.ts'
import { collectGarbage } from './gc.ts'
import { stateSize } from './state-size.ts'

const DAY = 24 * 3600 * 1000
const now = Date.now()
let base = ''
let home = ''
const make = (name: string): WorkspaceState => {
  mkdirSync(join(base, name))
  return workspaceState(join(base, name), { TOOLWRIGHT_STATE: home })
}
const age = (file: string, days: number) => utimesSync(file, new Date(now - days * DAY), new Date(now - days * DAY))
const payload = (state: WorkspaceState, text: string, days: number): string => {
  const payloads = openPayloads(state.payloads)
  const id = payloads.put(text)
  age(payloads.path(id) ?? '', days)
  return id
}
const has = (state: WorkspaceState, id: string): boolean => openPayloads(state.payloads).get(id) !== undefined
const fillJournal = (state: WorkspaceState, records: number) => {
  const journal = openJournal(state.journal, { lock: state.journalLock, headFile: state.head, segmentBytes: 2000 })
  for (let i = 0; i < records; i++) journal.append({ type: 'call', i })
  journal.close()
}
const verify = (state: WorkspaceState) => verifyJournal(state.journal, { headFile: state.head })

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-gc-')))
  home = join(base, 'state')
})
afterEach(() => rmSync(base, { recursive: true }))

describe('collectGarbage', () => {
  it('does nothing where there is nothing', () => {
    expect(collectGarbage(home, { now })).toEqual({ before: 0, after: 0, removed: [], problems: [] })
    expect(existsSync(home)).toBe(false)
  })

  it('removes what is too old, and keeps the rest', () => {
    const state = make('one')
    const [old, young] = [payload(state, 'old', 100), payload(state, 'young', 1)]
    const { removed } = collectGarbage(home, { now })
    expect(removed).toEqual([{ what: `payloads of ${state.root}`, bytes: 3 }])
    expect([has(state, old), has(state, young)]).toEqual([false, true])
  })

  it('removes the oldest of all workspaces until the rest fits', () => {
    const [one, two] = [make('one'), make('two')]
    const text = (letter: string) => letter.repeat(4000)
    const ids = [
      payload(one, text('a'), 3),
      payload(two, text('b'), 4),
      payload(one, text('c'), 1),
      payload(two, text('d'), 2),
    ]
    const { bytes } = stateSize(home)
    const { after } = collectGarbage(home, { now, maxBytes: bytes - 5000 })
    expect(after).toBeLessThanOrEqual(bytes - 5000)
    expect([has(one, ids[0] ?? ''), has(two, ids[1] ?? ''), has(one, ids[2] ?? ''), has(two, ids[3] ?? '')]).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('removes old files of the journal, which then begins later and is still whole', () => {
    const state = make('one')
    fillJournal(state, 60)
    const segments = readdirSync(state.journal).filter(name => /^journal-\d+/.test(name))
    expect(segments.length).toBeGreaterThan(3)
    age(join(state.journal, 'journal-1.jsonl'), 200)
    collectGarbage(home, { now })
    const later = verify(state)
    expect(later).toMatchObject({ ok: true, problems: [] })
    expect(later.first).toBeGreaterThan(1)

    const { removed } = collectGarbage(home, { now, maxBytes: 0 })
    expect(removed.map(({ what }) => what)).toContain(`old journal of ${state.root}`)
    expect(readdirSync(state.journal)).toEqual(['journal.jsonl'])
    expect(verify(state)).toMatchObject({ ok: true, problems: [] })
    fillJournal(state, 1)
    expect(verify(state).ok).toBe(true)
  })

  it('leaves a journal that reports when another program removes its beginning', () => {
    const state = make('one')
    fillJournal(state, 60)
    rmSync(join(state.journal, 'journal-1.jsonl'))
    expect(verify(state).problems).toEqual([
      expect.objectContaining({ what: expect.stringContaining('no record says why') }),
    ])
  })

  it('removes a transaction only after a long time without use', () => {
    const state = make('one')
    for (const [name, days] of [
      ['old', 100],
      ['young', 1],
    ] as const) {
      mkdirSync(join(state.transactions, name))
      writeFileSync(join(state.transactions, name, 'manifest.json'), '{}')
      age(join(state.transactions, name, 'manifest.json'), days)
      age(join(state.transactions, name), days)
    }
    collectGarbage(home, { now, maxBytes: 0 })
    expect(readdirSync(state.transactions)).toEqual(['young'])
  })

  it('forgets a workspace that is gone, after a while', () => {
    const state = make('one')
    fillJournal(state, 1)
    renameSync(state.root, join(base, 'moved'))
    collectGarbage(home, { now: now + 80 * DAY })
    expect(existsSync(state.path)).toBe(true)
    collectGarbage(home, { now: now + 200 * DAY })
    expect([existsSync(state.path), existsSync(state.head)]).toEqual([false, false])
  })

  it('removes what a process that died left half-written', () => {
    const state = make('one')
    const files = [join(state.path, 'approvals.json.0123456789ab.tmp'), join(state.payloads, '.0123456789ab')]
    for (const file of files) writeFileSync(file, 'half')
    collectGarbage(home, { now })
    expect(files.map(file => existsSync(file))).toEqual([true, true])
    collectGarbage(home, { now: now + DAY })
    expect(files.map(file => existsSync(file))).toEqual([false, false])
    expect(existsSync(join(state.path, 'workspace.json'))).toBe(true)
  })

  it('removes caches before anything else, the least recently used first, and files of one graph together', () => {
    const [one, two] = [make('one'), make('two')]
    const cache = (state: WorkspaceState, name: string, days: number) => {
      const file = join(state.path, name)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, 'x'.repeat(100_000))
      age(file, days)
      return file
    }
    const oldGraph = ['code/graphs/a.lbug', 'code/graphs/a.lbug.unread'].map(name => cache(one, name, 5))
    const segment = cache(two, 'search/0000000001.segment', 4)
    const newGraph = ['code/graphs/b.lbug', 'code/graphs/b.lbug.unread'].map(name => cache(one, name, 2))
    const old = payload(one, 'y'.repeat(1000), 10)
    const { bytes, workspaces } = stateSize(home)
    expect(workspaces.map(({ caches }) => caches)).toEqual([400_000, 100_000])
    const { removed, after } = collectGarbage(home, { now, maxBytes: bytes - 250_000 })
    expect(removed.toSorted((a, b) => b.bytes - a.bytes)).toEqual([
      { what: `caches of ${one.root}`, bytes: 200_000 },
      { what: `caches of ${two.root}`, bytes: 100_000 },
    ])
    expect(after).toBeLessThanOrEqual(bytes - 250_000)
    expect([...oldGraph, segment, ...newGraph].map(file => existsSync(file))).toEqual([false, false, false, true, true])
    expect(has(one, old)).toBe(true)
    collectGarbage(home, { now, maxBytes: 0 })
    expect(stateSize(home).workspaces.map(({ caches }) => caches)).toEqual([0, 0])
  })

  it('has the commit store bring its commits within their share', () => {
    const state = make('one')
    mkdirSync(state.commits)
    for (let i = 0; i < 10; i++) writeFileSync(join(state.commits, `${i}`), 'x'.repeat(1000))
    const { bytes } = stateSize(home)
    const { removed, after } = collectGarbage(home, {
      now,
      maxBytes: bytes / 2,
      pruneCommits({ commits }, { maxBytes }) {
        for (const name of readdirSync(commits).slice(0, Math.max(0, 10 - Math.floor(maxBytes / 1000))))
          rmSync(join(commits, name))
      },
    })
    expect(after).toBeLessThanOrEqual(bytes / 2)
    expect(removed).toEqual([{ what: `commits of ${state.root}`, bytes: 6000 }])
  })
})

describe('stateSize', () => {
  it('says what takes up how much', () => {
    const [one, two] = [make('one'), make('two')]
    payload(two, 'x'.repeat(3000), 0)
    fillJournal(one, 5)
    const { bytes, workspaces } = stateSize(home)
    expect(workspaces.map(({ root, payloads }) => [root, payloads])).toEqual([
      [two.root, 3000],
      [one.root, 0],
    ])
    expect(workspaces[1]?.journal).toBeGreaterThan(500)
    expect(bytes).toBeGreaterThan(3500)
  })
})
