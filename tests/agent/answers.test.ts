import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/index.ts'
import { agentWorld } from './rig.ts'

const outputSchema = {
  type: 'object',
  properties: { count: { type: 'integer' }, names: { type: 'array', items: { type: 'string' } } },
  required: ['count', 'names'],
  additionalProperties: false,
}
const value = { count: 2, names: ['a', 'b'] }
const json = JSON.stringify(value)

describe('AA-13: an answer with text around its JSON is cut down to the valid JSON', () => {
  it.each([
    ['alone', json],
    ['in prose', `Here it is: ${json} Tell me if you need more.`],
    ['in a code fence', `\`\`\`json\n${json}\n\`\`\``],
    ['after a placeholder in braces', `For {each file} I counted:\n${json}`],
    ['with a trailing comma', "{'count': 2, 'names': ['a', 'b',],}"],
  ])('%s', async (_, text) => {
    await using world = await agentWorld({ 'Count.': [text] })
    expect(await world.run('Count.', { outputSchema })).toMatchObject({ status: 'completed', output: value })
  })

  it('is sent back with its errors, and checked by validate_output', async () => {
    await using world = await agentWorld({ 'Count.': ['{"count": "two", "names": []}', json] })
    const events: RunEvent[] = []
    const result = await world.run('Count.', { outputSchema, onEvent: event => events.push(event) })
    expect(result).toMatchObject({ status: 'completed', output: value, usage: { turns: 2 } })
    expect(world.model.heard()).toContain("'count': Invalid input: expected number, received string")
    expect(events).toContainEqual({ type: 'sent-back', errors: [expect.stringContaining("'count'")] })
  })

  it('is sent back only so often, and then the run has failed', async () => {
    await using world = await agentWorld(() => 'I have no idea.')
    const result = await world.run('Count.', { outputSchema, maxSendBacks: 1 })
    expect(result).toMatchObject({ status: 'failed', output: 'I have no idea.', usage: { turns: 2 } })
    expect(result.reason).toContain('holds no complete JSON')
  })

  it('is never completed where a text breaks off', async () => {
    await using world = await agentWorld({ 'Count.': ['{"count": 2, "names": ["a", "b', json] })
    expect(await world.run('Count.', { outputSchema })).toMatchObject({ status: 'completed', usage: { turns: 2 } })
  })
})

describe('a model without calls of its own', () => {
  const call = (tool: string, parameters: object) => JSON.stringify({ tool, parameters })

  it('makes the same calls by the form of the debug assistant', async () => {
    const script = [
      call('read', { path: 'a.txt' }),
      call('write', { path: 'b.txt', content: 'two\n', expect: 'absent' }),
      'Done.',
    ]
    await using world = await agentWorld({ 'Do it.': script })
    const calls: unknown[] = []
    const result = await world.run('Do it.', {
      promptOnly: true,
      onEvent: event => event.type === 'call' && calls.push([event.call.tool, event.call.input]),
    })
    expect(result).toMatchObject({ status: 'completed', output: 'Done.', changed: [{ path: 'b.txt' }] })
    expect(calls).toEqual([
      ['read', { path: 'a.txt' }],
      ['write', { path: 'b.txt', content: 'two\n', expect: 'absent' }],
    ])
    const [first = ''] = world.model.requests()
    expect(JSON.parse(first).tools).toBeUndefined()
    expect(first).toContain('AVAILABLE TOOLS:')
    expect(world.model.heard()).toContain('Result of read:')
  })

  it.each([
    ['with words around it', (text: string) => `I will write.\n${text}`],
    ['in a code fence', (text: string) => `\`\`\`json\n${text}\n\`\`\``],
    ['with another key', (text: string) => text.replace('{', '{"why":"x",')],
    ['twice', (text: string) => `${text}\n${text}`],
  ])('runs nothing that only looks like a call: %s', async (_, change) => {
    const write = call('write', { path: 'b.txt', content: 'two\n', expect: 'absent' })
    await using world = await agentWorld({ 'Do it.': [change(write), 'Done.'] })
    expect(await world.run('Do it.', { promptOnly: true })).toMatchObject({ status: 'completed', changed: [] })
    expect(world.model.heard()).toContain('are not a JSON object, so nothing was run')
  })
})
