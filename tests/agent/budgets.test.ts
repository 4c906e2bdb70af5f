import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRunBudget, runAgent } from '../../src/index.ts'
import { startFakeModel } from '../clients/fake-model.ts'
import type { Step } from '../clients/script.ts'
import { agentWorld, modelAt } from './rig.ts'

const read = { tool: 'read', input: { path: 'a.txt' } }

describe('AA-12: a run has limits, and passing one would end it', () => {
  it.each<[string, object, string]>([
    ['turns', { maxTurns: 3 }, 'No turns are left'],
    ['tokens', { maxTotalTokens: 60_000 }, 'The tokens that are left are too few for another request'],
    ['time', { maxSeconds: 1.5 }, 'The time is up'],
  ])('of %s, with status budget_exceeded and what was done so far', async (_, limits, reason) => {
    const write = { tool: 'write', input: { path: 'b.txt', content: 'two\n', expect: 'absent' } }
    let turns = 0
    const usage = () => ({ input: 14_000, output: 100 })
    await using world = await agentWorld(() => (turns++ === 0 ? [write] : [read]), { usage })
    const result = await world.run('Read without end.', limits)
    expect(result).toMatchObject({ status: 'budget_exceeded', reason, changed: [{ path: 'b.txt', kind: 'created' }] })
    expect(result.usage.turns).toBeGreaterThan(0)
    expect(result.usage.totalTokens).toBe(result.usage.inputTokens + result.usage.outputTokens)
  })

  it('never by a request that the provider counts above the limit, whatever the model does', async () => {
    const numRuns = process.env['TOOLWRIGHT_LONG'] ? 1_000 : 40
    const seed = Math.floor(Math.random() * 1e9)
    console.log(`seed ${seed}`)
    const files = { 'a.txt': 'one\n'.repeat(200) }
    await using world = await agentWorld([] as never, { files })
    await fc.assert(
      fc.asyncProperty(scripts, fc.integer({ min: 1, max: 90_000 }), fc.boolean(), async (steps, limit, hasSubRuns) => {
        let at = 0
        await using model = await startFakeModel(() => steps[at++ % steps.length] ?? 'Done.', { usage: countedBy })
        const budget = createRunBudget({ maxTotalTokens: limit, maxTurns: 12 })
        const runs = Array.from({ length: hasSubRuns ? 3 : 1 }, () =>
          runAgent(world.kit, 'Go on.', { ...modelAt(model.url), budget, env: {}, maxRetries: 1 }),
        )
        const results = await Promise.all(runs)
        expect(model.counted()).toBeLessThanOrEqual(limit)
        expect(budget.usage().totalTokens).toBeGreaterThanOrEqual(model.counted())
        expect(budget.usage().turns).toBeLessThanOrEqual(12)
        for (const { status } of results)
          expect(['completed', 'budget_exceeded', 'failed', 'refused']).toContain(status)
      }),
      { numRuns, seed },
    )
  })
})

/** A tokenizer of the provider: no token is shorter than a byte, and an answer stops at its limit. */
function countedBy(request: string, step: Step, mostOutput = Number.POSITIVE_INFINITY) {
  const { messages, tools } = JSON.parse(request)
  const input = Buffer.byteLength(JSON.stringify(messages)) + Buffer.byteLength(JSON.stringify(tools ?? []))
  return { input, output: Math.min(mostOutput, Buffer.byteLength(JSON.stringify(step))) }
}

const scripts = fc.array(
  fc.oneof(
    fc.string({ maxLength: 300 }).map((text): Step => ({ text: text || 'x' })),
    fc.constant<Step>([read]),
    fc.constant<Step>([read, read, { tool: 'list', input: {} }]),
    fc.constant<Step>({ calls: [{ tool: 'read', raw: '{' }] }),
    fc.string({ minLength: 1, maxLength: 2_000 }).map((text): Step => ({ text, stop: 'length' })),
    fc.constant<Step>({ text: 'No.', stop: 'refusal' }),
    fc.constant<Step>({ text: 'Half', calls: [read], breaks: 1 }),
  ),
  { minLength: 1, maxLength: 8 },
)

describe('DA-14: no limit is built in', () => {
  it('a run without limits goes on for as long as its model makes calls', async () => {
    let turns = 0
    await using world = await agentWorld(() => (turns++ < 120 ? [read] : 'Done.'))
    const mostOutput: unknown[] = []
    const result = await world.run('Read a lot.')
    for (const request of world.model.requests()) mostOutput.push(JSON.parse(request).max_tokens)
    expect(result).toMatchObject({ status: 'completed', usage: { turns: 121, totalTokens: 121 * 1010 } })
    expect(new Set(mostOutput)).toEqual(new Set([undefined]))
  })

  it('a limit that a person raises lets the run go on', async () => {
    await using world = await agentWorld({ 'Do it.': [[read], [read], 'Done.'] })
    const limits: unknown[] = []
    const result = await world.run('Do it.', {
      maxTurns: 1,
      onLimit: async limit => {
        limits.push(limit)
        return { maxTurns: 3 }
      },
    })
    expect(limits).toEqual(['turns'])
    expect(result).toMatchObject({ status: 'completed', usage: { turns: 3 } })
  })
})
