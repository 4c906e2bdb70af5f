import { describe, expect, it } from 'vitest'
import { demandJustification, planFirst, workflow, type Demand } from './workflow.ts'
import { ToolError } from '../kernel/error.ts'

const earlier = () => 0

describe('workflow', () => {
  const demands = [planFirst(['toolwright/delete', 'sage/*'])]

  it('demands a plan for the tools it was told', () => {
    expect(() => workflow(demands, [], { tool: 'toolwright/delete', earlier })).toThrow(
      /'toolwright\/delete' may only run with a plan/,
    )
    expect(() => workflow(demands, [], { tool: 'sage/Write', earlier })).toThrow(
      expect.objectContaining({ code: 'denied', hint: expect.stringContaining('dry run') }),
    )
    expect(() => workflow(demands, [], { tool: 'toolwright/write', earlier })).not.toThrow()
    expect(() => workflow(demands, [], { tool: 'sage/Write', dryRun: true, earlier })).not.toThrow()
    expect(() => workflow(demands, [], { tool: 'sage/Write', plan: 'p1', earlier })).not.toThrow()
  })

  it('knows which tools need one', () => {
    const needsPlan = (tools: readonly string[]) => planFirst(tools)({ tool: 'a/b', earlier }, []) !== undefined
    expect([needsPlan(['*']), needsPlan([]), needsPlan(['a/b'])]).toEqual([true, false, true])
  })

  it('lets a demand look at what was done before', () => {
    const queryFirst: Demand = (step, history) =>
      step.tool === 'x/read' && !history.some(past => past.ok && past.tool === 'x/query')
        ? new ToolError('denied', 'query first')
        : undefined
    expect(() => workflow([queryFirst], [], { tool: 'x/read', earlier })).toThrow('query first')
    expect(() => workflow([queryFirst], [{ tool: 'x/query', ok: false }], { tool: 'x/read', earlier })).toThrow(
      'query first',
    )
    expect(() => workflow([queryFirst], [{ tool: 'x/query', ok: true }], { tool: 'x/read', earlier })).not.toThrow()
  })

  it('SC-13: demands a justification of tools that want one, from the call on that they say', () => {
    const step = { tool: 'superconnect/readFile', justifiedAfter: 5 }
    const needed = expect.objectContaining({ code: 'denied', details: { needs: 'justification' } })
    expect(() => workflow([demandJustification], [], { ...step, earlier: () => 4 })).not.toThrow()
    expect(() => workflow([demandJustification], [], { ...step, earlier: () => 5 })).toThrow(needed)
    for (const justification of ['w', '--------------', 'w h y .'])
      expect(() => workflow([demandJustification], [], { ...step, earlier: () => 5, justification })).toThrow(needed)
    const justification = 'the tokens are not in the index'
    expect(() => workflow([demandJustification], [], { ...step, earlier: () => 5, justification })).not.toThrow()
    expect(() => workflow([demandJustification], [], { tool: 'toolwright/read', earlier: () => 99 })).not.toThrow()
  })
})
