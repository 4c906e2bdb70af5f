import { describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '../../src/index.ts'
import { runAgent } from '../../src/index.ts'
import type { Step } from '../clients/script.ts'
import { openPayloads } from '../../src/machine/journal/payloads.ts'
import { agentWorld, modelAt } from './rig.ts'

const write = (path: string) => ({ tool: 'write', input: { path, content: 'two\n', expect: 'absent' } })

describe('a run that was stopped', () => {
  it('goes on where it was: what was made is not made again, and a pending approval is still pending', async () => {
    await using world = await agentWorld({ 'Do it.': [[write('b.txt'), write('c.txt')], 'Done.'] })
    const stop = new AbortController()
    const asked: string[] = []
    const session = { permissions: ['fs:write:b.txt'] }
    const first = await world.run('Do it.', {
      session,
      signal: stop.signal,
      approve: ({ card }) => {
        asked.push(card.tool)
        void vi.waitFor(() => world.workspace.read('b.txt'), 60_000).then(() => stop.abort())
        return new Promise(() => {})
      },
    })
    expect(first).toMatchObject({ status: 'cancelled', changed: [{ path: 'b.txt', kind: 'created' }] })
    const calls: string[] = []
    const again = await world.run(undefined, {
      resume: first.id,
      session,
      onEvent: event => event.type === 'call' && calls.push(String(event.call.input?.['path'])),
      approve: ({ card }) => {
        asked.push(card.tool)
        return { answer: 'yes', by: 'ada' }
      },
    })
    expect(again).toMatchObject({ id: first.id, status: 'completed', output: 'Done.', usage: { turns: 2 } })
    expect(again.changed.map(({ path }) => path)).toEqual(['b.txt', 'c.txt'])
    expect(calls).toEqual(['c.txt'])
    expect(asked).toEqual(['toolwright/write', 'toolwright/write'])
  })

  it('takes a new task after its end, and counts what it used before', async () => {
    await using world = await agentWorld({ 'First.': ['One.'], 'Second.': ['Two.'] })
    const { id } = await world.run('First.')
    await expect(world.run(undefined, { resume: id })).rejects.toThrow(`The run '${id}' is complete`)
    const result = await world.run('Second.', { resume: id })
    expect(result).toMatchObject({ id, output: 'Two.', usage: { turns: 2, totalTokens: 2020 } })
    expect(world.model.heard()).toContain('One.')
  })

  it('is named where there is none', async () => {
    await using world = await agentWorld({})
    await expect(world.run(undefined, { resume: 'abc' })).rejects.toThrow("There is no run 'abc' here")
  })
})

describe('a history that grows', () => {
  it('lets old outputs give way to references, and loses none', async () => {
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`f${at}.txt`, `${at} `.repeat(4_000)]))
    const model = (request: string): Step => {
      // A context of so many bytes.
      if (request.length > 60_000) return { failures: [{ status: 400, message: 'prompt is too long' }] }
      const turn = request.split('"role":"assistant"').length - 1
      return turn < 6 ? [{ tool: 'read', input: { path: `f${turn}.txt` } }] : 'Done.'
    }
    await using world = await agentWorld(model, { files })
    const events: RunEvent[] = []
    const result = await world.run('Read all.', { onEvent: event => events.push(event) })
    expect(result.status).toBe('completed')
    expect(events).toContainEqual({ type: 'compacted', outputs: expect.any(Number) })
    const [, id = ''] = /ref:([0-9a-f]{16,64})/.exec(world.model.heard()) ?? []
    const kept = String(openPayloads(world.kit.state.payloads).get(id))
    expect(kept).toContain('0 '.repeat(4_000))
  })

  it('ends as failed where nothing can give way', async () => {
    const overflow = { failures: Array.from({ length: 3 }, () => ({ status: 400, message: 'prompt is too long' })) }
    await using world = await agentWorld({ 'Say.': [overflow] })
    expect(await runAgent(world.kit, 'Say.', { ...modelAt(world.model.url), env: {} })).toMatchObject({
      status: 'failed',
    })
  })
})
