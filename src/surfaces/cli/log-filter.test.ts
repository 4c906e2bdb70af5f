import { afterEach, describe, expect, it, vi } from 'vitest'
import { logFilter } from './log-filter.ts'
import { logLines } from './log-line.ts'

const call = (fields: object) => ({
  seq: 1,
  prev: '',
  hash: '',
  type: 'call',
  tool: 'toolwright/read',
  time: '2026-11-16T00:00:00Z',
  ...fields,
})

const where = (here = '.') => ({ root: '/shop', here })

afterEach(() => void vi.unstubAllEnvs())

it('takes times as local ones, and a date for the beginning of its day', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata')
  const isWanted = logFilter({ since: '2026-11-16', until: '2026-11-16T14:00' }, 0, where())
  const times = ['2026-11-15T18:29:59Z', '2026-11-15T18:30:00Z', '2026-11-16T08:30:00Z', '2026-11-16T08:30:01Z']
  expect(times.map(time => isWanted?.(call({ time })))).toEqual([false, true, true, false])
})

it('counts a call as asked about when the question came while it ran', () => {
  const verdict = { verdict: 'allow', why: 'every claim is allowed' }
  const approval = { by: 'ada', answer: 'yes', at: '2026-11-16T00:00:00Z' }
  const records = [{ verdict }, { verdict, approval }, { verdict, ok: false, code: 'rejected' }].map(call)
  const found = (word: string) => records.map(record => logFilter({ verdict: word }, 0, where())?.(record))
  expect(found('ask')).toEqual([false, true, true])
  expect(found('allow')).toEqual([true, false, false])
})

it('counts a command with another exit code as failed, whatever its contract calls that and wherever its output is', () => {
  const output = { output: 'Error: …', metadata: { exit_code: 1 } }
  const records = [{ exitCode: 0 }, { exitCode: 1, output }, { exitCode: 1, outputRef: {} }, {}]
  const isFailed = logFilter({ failed: true }, 0, where())
  expect(records.map(record => isFailed?.(call({ ok: true, ...record })))).toEqual([false, true, true, false])
  expect(logLines(call({ ok: true, exitCode: 1, output }), (_colour, text) => text)[0]).toContain('✗')
})

it('takes the name and the short name of a command for its tool, and only what the command does', () => {
  const records = [
    { tool: 'toolwright/refactor', input: { kind: 'rename' } },
    { tool: 'toolwright/refactor', input: { kind: 'move' } },
    { tool: 'toolwright/references', input: { name: 'x' } },
    { tool: 'toolwright/symbols', input: { query: 'x' } },
  ].map(call)
  const found = (tool: string) => records.map(record => logFilter({ tool }, 0, where())?.(record))
  expect(found('rename')).toEqual([true, false, false, false])
  expect(found('refactor')).toEqual([true, true, false, false])
  expect(found('refs')).toEqual([false, false, true, false])
  expect(found('symbols')).toEqual([false, false, false, true])
})

describe('--path', () => {
  const records = ['a.ts', 'src/a.ts', 'src/deep/b.ts', 'app/[id]/c.ts', 'app/i/c.ts'].map(path =>
    call({ changed: [path], claims: [{ action: 'exec', resource: 'make' }] }),
  )
  const fetched = call({ claims: [{ action: 'net', resource: 'https://example.com' }] })

  it.each([
    ['src', 'a.ts', ['src/a.ts']],
    ['src', './deep/', ['src/deep/b.ts']],
    ['src', '*.ts', ['src/a.ts']],
    ['src', '**', ['src/a.ts', 'src/deep/b.ts']],
    ['src', '.', ['src/a.ts', 'src/deep/b.ts']],
    ['src/deep', '../../*.ts', ['a.ts']],
    ['src', '../..', []],
    ['app/[id]', '*.ts', ['app/[id]/c.ts']],
    ['.', 'src/*.ts', ['src/a.ts']],
    ['.', '.', ['a.ts', 'src/a.ts', 'src/deep/b.ts', 'app/[id]/c.ts', 'app/i/c.ts']],
    ['.', 'make', []],
    ['src', '/shop/src/deep', ['src/deep/b.ts']],
    ['src', '/a.ts', []],
  ])('in %s, %s is typed from there', (here, path, expected) => {
    const isWanted = logFilter({ path }, 0, where(here))
    const found = [...records, fetched].filter(record => isWanted?.(record))
    expect(found.map(record => Object(record).changed?.[0])).toEqual(expected)
  })

  it('takes an address as it stands', () => {
    expect(logFilter({ path: 'https://example.com' }, 0, where('src'))?.(fetched)).toBe(true)
  })
})
