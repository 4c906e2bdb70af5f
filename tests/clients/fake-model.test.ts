import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFakeModel, type FakeModel } from './fake-model.ts'

let model: FakeModel
beforeAll(async () => {
  const edit = (path: string) => ({ tool: 'edit', input: { path } })
  model = await startFakeModel({ 'Do it.': [[edit('a'), edit('b')], 'Done.'], 'Then rest.': ['Resting.'] })
})
afterAll(() => model[Symbol.asyncDispose]())

/** The events that a request is answered with. */
async function stream(path: string, body: object): Promise<readonly { readonly [field: string]: unknown }[]> {
  const response = await fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
}

/** The items of an answer in the Responses protocol, each as it is when it is done. */
const itemsOf = (events: Awaited<ReturnType<typeof stream>>) =>
  events.filter(({ type }) => type === 'response.output_item.done')

describe('the fake model', () => {
  it('plays its script in the Messages protocol', async () => {
    const tools = [{ name: 'mcp__toolwright__edit' }]
    const asked = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<reminder/>' },
          { type: 'text', text: 'Do it.' },
        ],
      },
    ]
    const calls = await stream('/v1/messages?beta=true', { model: 'm', tools, messages: asked })
    expect(calls.filter(({ type }) => type === 'content_block_start')).toMatchObject([
      { index: 0, content_block: { type: 'tool_use', name: 'mcp__toolwright__edit' } },
      { index: 1, content_block: { type: 'tool_use', name: 'mcp__toolwright__edit' } },
    ])
    expect(calls[2]).toMatchObject({ delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' } })
    expect(calls.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })

    const answered = [
      ...asked,
      { role: 'assistant', content: [] },
      { role: 'user', content: [{ type: 'tool_result' }] },
    ]
    const said = await stream('/v1/messages', { model: 'm', tools, messages: answered })
    expect(said[2]).toMatchObject({ delta: { type: 'text_delta', text: 'Done.' } })
    expect(model.heard()).toContain('tool_result')
  })

  it('plays its script in the Responses protocol', async () => {
    const tools = [{ type: 'namespace', name: 'mcp__toolwright' }]
    const asked = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Do it.' }] }]
    const events = await stream('/v1/responses', { tools, input: asked })
    const [first, second] = itemsOf(events)
    const completed = events.at(-1)
    const call = { type: 'function_call', namespace: 'mcp__toolwright', name: 'edit' }
    expect([first, second]).toMatchObject([
      { item: { ...call, arguments: '{"path":"a"}' } },
      { item: { ...call, arguments: '{"path":"b"}' } },
    ])
    expect(completed).toMatchObject({ type: 'response.completed' })

    // Two calls side by side are one answer.
    const items = ['function_call', 'function_call', 'function_call_output', 'function_call_output']
    const input = [...asked, ...items.map(type => ({ type }))]
    const [said] = itemsOf(await stream('/v1/responses', { tools, input }))
    expect(said).toMatchObject({ item: { role: 'assistant', content: [{ text: 'Done.' }] } })
  })

  it('answers the newest prompt, and what is asked on the side without it', async () => {
    const say = (role: string, text: string) => ({ type: 'message', role, content: [{ text }] })
    const input = [say('user', 'Do it.'), say('assistant', 'Done.'), say('user', 'Then rest.')]
    const [next] = itemsOf(await stream('/v1/responses', { tools: [{}], input }))
    expect(next).toMatchObject({ item: { content: [{ text: 'Resting.' }] } })
    const heard = model.heard()
    const side = [say('user', 'A title for: Do it.')]
    const [title] = itemsOf(await stream('/v1/responses', { tools: [], input: side }))
    expect(title).toMatchObject({ item: { content: [{ text: 'A title' }] } })
    expect(model.heard()).toBe(heard)
  })
})
