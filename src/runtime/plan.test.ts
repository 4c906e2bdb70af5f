import { describe, expect, it } from 'vitest'
import type { Change } from '../kernel/change.ts'
import { ToolError } from '../kernel/error.ts'
import { ensureSame, planOf, sincePlan } from './plan.ts'

const change = (path: string, more: Partial<Change> = {}): Change => ({ path, kind: 'change', diff: () => '', ...more })

describe('planOf', () => {
  const plan = planOf('t', { a: 1 }, [change('x', { before: '1', after: '2' })])

  it('is the same for the same call on the same files', () => {
    expect(planOf('t', { a: 1 }, [change('x', { before: '1', after: '2' })])).toBe(plan)
    expect(plan).toMatch(/^plan-[0-9a-f]{32}$/)
  })

  it.each([
    ['another tool', planOf('u', { a: 1 }, [change('x', { before: '1', after: '2' })])],
    ['another input', planOf('t', { a: 2 }, [change('x', { before: '1', after: '2' })])],
    ['another file', planOf('t', { a: 1 }, [change('y', { before: '1', after: '2' })])],
    ['another content before', planOf('t', { a: 1 }, [change('x', { before: '0', after: '2' })])],
    ['another content after', planOf('t', { a: 1 }, [change('x', { before: '1', after: '3' })])],
    ['another mode', planOf('t', { a: 1 }, [change('x', { before: '1', after: '2', mode: 0o755 })])],
    ['another kind', planOf('t', { a: 1 }, [change('x', { kind: 'create', before: '1', after: '2' })])],
    ['another origin', planOf('t', { a: 1 }, [change('x', { from: 'w', before: '1', after: '2' })])],
    ['one change more', planOf('t', { a: 1 }, [change('x', { before: '1', after: '2' }), change('y')])],
    ['no change', planOf('t', { a: 1 }, [])],
  ])('is another for %s', (_what, other) => {
    expect(other).not.toBe(plan)
  })

  it('does not count a directory that only makes way for a file', () => {
    const file = change('new/deep/x', { kind: 'create', after: '1' })
    const ways = [change('new', { kind: 'mkdir' }), change('new/deep', { kind: 'mkdir' })]
    expect(planOf('t', {}, [...ways, file])).toBe(planOf('t', {}, [file]))
    expect(planOf('t', {}, [change('new', { kind: 'mkdir' })])).not.toBe(planOf('t', {}, []))
    expect(planOf('t', {}, [change('ne', { kind: 'mkdir' }), file])).not.toBe(planOf('t', {}, [file]))
  })
})

describe('ensureSame', () => {
  it('lets the same through, and says of another since when and for which files it differs', () => {
    const now = { plan: 'plan-1', changes: [] }
    expect(() => ensureSame('t', now, 'plan-1', 'it was approved')).not.toThrow()
    expect(() => ensureSame('t', now, 'plan-2', 'it was approved')).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: "What 't' would do is not what it was when it was approved",
      }),
    )
    const changes = ['a', 'b', 'c', 'd', 'e'].map(path => change(path))
    expect(() => ensureSame('t', { plan: 'plan-1', changes }, 'plan-2', 'the plan was made')).toThrow(
      expect.objectContaining({
        message: "What 't' would do to a, b, c and 2 more is not what it was when the plan was made",
        details: { paths: ['a', 'b', 'c', 'd', 'e'] },
      }),
    )
  })
})

describe('sincePlan', () => {
  it('names the file that is not as the plan has it, and leaves other errors as they are', () => {
    const other = new ToolError('denied', 'no', { details: { path: 'a' } })
    expect(sincePlan(other, 'plan-1')).toBe(other)
    const nameless = new ToolError('conflict', 'no')
    expect(sincePlan(nameless, 'plan-1')).toBe(nameless)
    const error = new ToolError('conflict', 'a was changed while the command ran', { details: { path: 'a' } })
    expect(sincePlan(error, 'plan-1')).toMatchObject({
      code: 'conflict',
      message: 'a has changed since the plan was made, so nothing has landed',
      details: { path: 'a' },
    })
  })
})
