import { describe, expect, it } from 'vitest'
import { needsPlan, planFirst, workflow, type Demand } from './workflow.ts'
import { ToolError } from '../kernel/error.ts'

describe('workflow', () => {
  const demands = [planFirst(['toolwright/delete', 'sage/*'])]

  it('demands a plan for the tools it was told', () => {
    expect(() => workflow(demands, [], { tool: 'toolwright/delete' })).toThrow(
      /'toolwright\/delete' may only run with a plan/,
    )
    expect(() => workflow(demands, [], { tool: 'sage/Write' })).toThrow(
      expect.objectContaining({ code: 'denied', hint: expect.stringContaining('dry run') }),
    )
    expect(() => workflow(demands, [], { tool: 'toolwright/write' })).not.toThrow()
    expect(() => workflow(demands, [], { tool: 'sage/Write', dryRun: true })).not.toThrow()
    expect(() => workflow(demands, [], { tool: 'sage/Write', plan: 'p1' })).not.toThrow()
  })

  it('knows which tools need one', () => {
    expect([needsPlan(['*'], 'a/b'), needsPlan([], 'a/b'), needsPlan(['a/b'], 'a/b')]).toEqual([true, false, true])
  })

  it('lets a demand look at what was done before', () => {
    const queryFirst: Demand = (step, history) =>
      step.tool === 'x/read' && !history.some(past => past.ok && past.tool === 'x/query')
        ? new ToolError('denied', 'query first')
        : undefined
    expect(() => workflow([queryFirst], [], { tool: 'x/read' })).toThrow('query first')
    expect(() => workflow([queryFirst], [{ tool: 'x/query', ok: false }], { tool: 'x/read' })).toThrow('query first')
    expect(() => workflow([queryFirst], [{ tool: 'x/query', ok: true }], { tool: 'x/read' })).not.toThrow()
  })
})
