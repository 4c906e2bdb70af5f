import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/index.ts'
import { startFakeModel } from '../clients/fake-model.ts'
import { agentWorld, PROVIDERS } from './rig.ts'

const read = { tool: 'read', input: { path: 'a.txt' } }
const write = { tool: 'write', input: { path: 'b.txt', content: 'two\n', expect: 'absent' } }

describe.each(PROVIDERS)('a run with a model of %s', provider => {
  it('streams text, makes calls side by side, and ends with the answer', async () => {
    await using world = await agentWorld({ 'Say it.': [{ text: 'I look.', calls: [read, write] }, 'Done.'] })
    const events: RunEvent[] = []
    const result = await world.run('Say it.', { provider, onEvent: event => events.push(event) })
    expect(result).toMatchObject({
      status: 'completed',
      output: 'Done.',
      usage: { turns: 2, inputTokens: 2000, outputTokens: 20, totalTokens: 2020 },
      changed: [{ path: 'b.txt', kind: 'created' }],
      undo: `toolwright undo --task ${result.id}`,
    })
    expect(world.workspace.read('b.txt')).toBe('two\n')
    expect(world.model.heard()).toContain('one')
    expect(events.map(({ type }) => type)).toEqual('start text turn call call call-end call-end text turn'.split(' '))
  })

  it('runs nothing with arguments that are no JSON object, nor a tool that does not exist', async () => {
    const broken = { tool: 'write', raw: '"{\\"path\\": "' }
    await using world = await agentWorld({
      'Break it.': [{ calls: [broken, { tool: 'erase', input: {} }] }, [write], 'Done.'],
    })
    const result = await world.run('Break it.', { provider })
    expect(result).toMatchObject({ status: 'completed', output: 'Done.', usage: { turns: 3 } })
    const [, second = ''] = world.model.requests()
    expect(second).toContain('are not a JSON object, so nothing was run')
    expect(second).toContain("There is no tool 'erase' here. Tools: ")
    expect(Object.keys(world.workspace.snapshot())).toEqual(['a.txt', 'b.txt'])
  })

  it('SG-28: asks again after 429 and 5xx, as late as it is told, and goes on', async () => {
    const busy = [
      { status: 429, headers: { 'retry-after-ms': '5' } },
      { status: 503, headers: { 'retry-after': '0' } },
    ]
    await using world = await agentWorld({ 'Be busy.': [{ calls: [write], failures: busy }, 'Done.'] })
    const waits: unknown[] = []
    const result = await world.run('Be busy.', {
      provider,
      onEvent: event => event.type === 'retry' && waits.push(event.afterMs),
    })
    expect(result).toMatchObject({ status: 'completed', usage: { turns: 2 } })
    expect(waits).toEqual([5, 0])
    expect(world.model.requests()).toHaveLength(4)
  })

  it('asks again where the connection breaks, and uses nothing of the broken answer', async () => {
    await using world = await agentWorld({
      'Break off.': [{ text: 'I write.', calls: [write, read], breaks: 1 }, 'Done.'],
    })
    const calls: unknown[] = []
    const result = await world.run('Break off.', {
      provider,
      onEvent: event => event.type === 'call' && calls.push(event.call.tool),
    })
    expect(result).toMatchObject({ status: 'completed', output: 'Done.' })
    expect(calls).toEqual(['write', 'read'])
  })

  it('continues an answer that was cut off by its length', async () => {
    await using world = await agentWorld({
      'Be long.': [{ text: 'The first half, ', stop: 'length' }, 'and the second.'],
    })
    const result = await world.run('Be long.', { provider })
    expect(result).toMatchObject({ status: 'completed', output: 'The first half, and the second.' })
  })

  it('ends as refused where the model refuses', async () => {
    await using world = await agentWorld({ 'Be bad.': [{ text: 'I cannot do that.', stop: 'refusal' }] })
    expect(await world.run('Be bad.', { provider })).toMatchObject({ status: 'refused', changed: [], undo: null })
  })

  it('ends as failed with what the provider said, and keeps what was done', async () => {
    await using world = await agentWorld({ 'Fail.': [[write], { failures: [{ status: 401, message: 'bad key' }] }] })
    const result = await world.run('Fail.', { provider })
    expect(result).toMatchObject({ status: 'failed', changed: [{ path: 'b.txt', kind: 'created' }] })
    expect(result.reason).toContain('401')
    expect(result.reason).toContain('bad key')
  })
})

it('makes the same calls with every provider', async () => {
  const made = await Promise.all(
    PROVIDERS.map(async provider => {
      await using world = await agentWorld({ 'Do it.': [[read], [write], 'Done.'] })
      const calls: unknown[] = []
      await world.run('Do it.', {
        provider,
        onEvent: event => event.type === 'call' && calls.push([event.call.tool, event.call.input]),
      })
      return calls
    }),
  )
  expect(made[0]).toEqual([
    ['read', read.input],
    ['write', write.input],
  ])
  for (const calls of made) expect(calls).toEqual(made[0])
})

it('counts a broken answer in full, since the provider may have', async () => {
  await using model = await startFakeModel({ 'Break.': [{ text: 'x', breaks: 9 }] })
  await using world = await agentWorld({})
  const result = await world.run('Break.', { url: model.url, maxTotalTokens: 200_000, maxRetries: 1 })
  expect(result.status).toBe('failed')
  expect(result.usage.totalTokens).toBeGreaterThanOrEqual(model.counted())
})
