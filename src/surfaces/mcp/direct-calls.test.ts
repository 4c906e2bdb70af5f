import { setImmediate as turn } from 'node:timers/promises'
import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import type { CallRequest } from './call-request.ts'
import { directCalls } from './direct-calls.ts'

/** Calls that are answered when they are told to be, for a client that has greeted. */
function connection(isGreeted = true) {
  const sent: JSONRPCMessage[] = []
  const errors: string[] = []
  const begun: { readonly name: string; readonly request: CallRequest; end(): void; fail(error: Error): void }[] = []
  const server = { getClientVersion: () => (isGreeted ? { name: 'a client', version: '1' } : undefined), request() {} }
  const calls = directCalls({
    serving: () => ({
      server: server as unknown as Server,
      call: ({ name }, request) =>
        new Promise((resolve, reject) => {
          begun.push({ name, request, end: () => resolve({ content: [] }), fail: reject })
        }),
    }),
    send: async message => void sent.push(JSON.parse(JSON.stringify(message))),
    onError: ({ message }) => errors.push(message),
  })
  return { calls, sent, errors, begun }
}

const call = (id: number | string, params: unknown): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id, method: 'tools/call', params }) as JSONRPCMessage

it('answers a call under its id, and its failure with the code that it has', async () => {
  const { calls, sent, begun } = connection()
  expect(calls.take(call(1, { name: 'read', arguments: { path: 'a' } }))).toBe(true)
  expect(calls.take(call('two', { name: 'list' }))).toBe(true)
  begun[1]?.fail(Object.assign(new Error('There is no tool'), { code: -32_602 }))
  begun[0]?.end()
  await turn()
  expect(sent).toEqual([
    { jsonrpc: '2.0', id: 'two', error: { code: -32_602, message: 'There is no tool' } },
    { jsonrpc: '2.0', id: 1, result: { content: [] } },
  ])
})

it('goes on after an answer that cannot be sent, and reports it', async () => {
  const { calls, errors, begun } = connection()
  calls.take(call(1, { name: 'read' }))
  begun[0]?.fail(Object.assign(new Error('not JSON'), { data: 1n }))
  await turn()
  expect(errors).toEqual([expect.stringContaining('BigInt')])
  expect(calls.take(call(2, { name: 'read' }))).toBe(true)
})

it('cancels its own calls, and leaves them unanswered', async () => {
  const { calls, sent, begun } = connection()
  const cancel = (requestId: number) =>
    calls.take({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
  calls.take(call(1, { name: 'run' }))
  expect(cancel(2)).toBe(false)
  expect(cancel(1)).toBe(true)
  expect(begun[0]?.request.mcpReq.signal.aborted).toBe(true)
  begun[0]?.end()
  await turn()
  expect(sent).toEqual([])
  expect(cancel(1)).toBe(false)
})

it('cancels all when the connection is over, and takes no more', async () => {
  const { calls, sent, begun } = connection()
  calls.take(call(1, { name: 'run' }))
  calls.end()
  expect(begun[0]?.request.mcpReq.signal.aborted).toBe(true)
  begun[0]?.end()
  await turn()
  expect(sent).toEqual([])
  expect(calls.take(call(2, { name: 'read' }))).toBe(false)
})

it.each([
  ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
  ['another request', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ['a notification of this name', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'read' } }],
  ['an id that is none', { jsonrpc: '2.0', id: 1.5, method: 'tools/call', params: { name: 'read' } }],
  ['a member more', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read' }, more: 1 }],
  ['no parameters', call(1, undefined)],
  ['no name', call(1, { arguments: {} })],
  ['arguments that are a list', call(1, { name: 'read', arguments: [] })],
  ['a task', call(1, { name: 'read', task: {} })],
  ['a progress token of another type', call(1, { name: 'read', _meta: { progressToken: {} } })],
  ['a key of the protocol', call(1, { name: 'read', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026' } })],
])('leaves %s to the SDK', (_, message) => {
  const { calls, begun } = connection()
  expect(calls.take(message as JSONRPCMessage)).toBe(false)
  expect(begun).toEqual([])
})

it('takes a key that JavaScript treats specially, which the SDK would drop', () => {
  const { calls } = connection()
  expect(calls.take(call(1, { name: 'read', arguments: JSON.parse('{"__proto__":{}}') }))).toBe(true)
})

it('takes the keys that clients add, and a progress token', () => {
  const { calls } = connection()
  expect(calls.take(call(1, { name: 'read', _meta: { progressToken: 7, 'claudecode/toolUseId': 'x' } }))).toBe(true)
})

it('leaves calls of a client that has not greeted to the SDK', () => {
  const { calls } = connection(false)
  expect(calls.take(call(1, { name: 'read' }))).toBe(false)
})
