import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { lineTransport, type LineTransportOptions } from './line-transport.ts'

async function rig(options: LineTransportOptions = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const onOver = vi.fn<() => void>()
  const transport = lineTransport(input, output, { onOver, ...options })
  const messages: unknown[] = []
  const errors: string[] = []
  Object.assign(transport, {
    onmessage: (message: unknown) => messages.push(message),
    onerror: (error: Error) => errors.push(error.message),
  })
  await transport.start()
  return { input, output, transport, messages, errors, onOver }
}

const ping = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' })
const linesOf = (output: PassThrough): unknown[] =>
  String(output.read() ?? '')
    .split('\n')
    .filter(Boolean)
    .map(text => JSON.parse(text))
const line = (message: object) => `${JSON.stringify(message)}\n`

describe('lineTransport', () => {
  it('takes messages apart at line ends, wherever the chunks are cut', async () => {
    const { input, messages, errors } = await rig()
    const text = Buffer.from(
      line(ping(1)) + `  ${line({ ...ping(2), params: { word: 'grün' } })}`.replace('\n', '\r\n') + line(ping(3)),
    )
    for (const byte of text) input.write(Buffer.of(byte))
    await pause(1)
    expect([messages, errors]).toEqual([[ping(1), { ...ping(2), params: { word: 'grün' } }, ping(3)], []])
  })

  it('refuses what is no message, and what is too long, and goes on', async () => {
    const { input, output, messages, errors } = await rig({ maxLineBytes: 100 })
    input.write(`nonsense\n"text"\nnull\n\n${'x'.repeat(60)}`)
    input.write(`${'x'.repeat(60)}${'x'.repeat(60)}\n${line(ping(1))}`)
    await pause(1)
    expect(messages).toEqual([ping(1)])
    expect(errors).toEqual([
      'A line that is not a message was skipped: "nonsense"',
      String.raw`A line that is not a message was skipped: "\"text\""`,
      'A line that is not a message was skipped: "null"',
      'A line of 180 bytes was dropped; the limit is 100',
    ])
    const answers = String(output.read()).trimEnd().split('\n')
    expect(answers.map(answer => JSON.parse(answer))).toMatchObject([
      { jsonrpc: '2.0', id: null, error: { code: -32_700 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.stringContaining('100 bytes at most') } },
    ])
  })

  it('refuses a message with a key twice in one object, by its id, and does nothing of it', async () => {
    const { input, output, messages } = await rig()
    const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"path":"a","p\\u0061th":"b"}}}'
    input.write(`${call}\n[${call}]\n${line(ping(1))}`)
    await pause(1)
    expect(messages).toEqual([ping(1)])
    const refusal = { id: 7, error: { code: -32_600, message: expect.stringContaining('"path" is given twice') } }
    expect(linesOf(output)).toMatchObject([refusal, refusal])
  })

  const long = 'x'.repeat(3000)
  it.each([
    ['before its parameters', { jsonrpc: '2.0', id: 7, method: 'ping', params: { long } }, 7],
    ['after them', { method: 'ping', params: { long }, jsonrpc: '2.0', id: 'seven' }, 'seven'],
    ['right at the end', { jsonrpc: '2.0', method: 'ping', params: { long, id: 8 }, id: 7 }, 7],
    ['nowhere, though its parameters have one', { jsonrpc: '2.0', method: 'ping', params: { long, id: 8 } }, null],
    ['as an answer to a question of ours', { jsonrpc: '2.0', id: 7, result: { long } }, null],
    ['in a text at the end', { method: 'ping', params: long, jsonrpc: '2.0","id":"7' }, null],
  ])('refuses a message that is too long by its id: %s', async (_where, message, id) => {
    for (const step of [1, 100, 10_000]) {
      const { input, output, messages } = await rig({ maxLineBytes: 2500 })
      const text = line(message)
      for (let at = 0; at < text.length; at += step) input.write(text.slice(at, at + step))
      input.write(line(ping(1)))
      await pause(1)
      expect(linesOf(output)).toMatchObject([{ id, error: { code: -32_600 } }])
      expect(messages).toEqual([ping(1)])
    }
  })

  it('refuses a message of another JSON-RPC by its id', async () => {
    const { input, output } = await rig()
    input.write(line({ ...ping(7), jsonrpc: '1.0' }) + line({ id: 'x', method: 'ping' }))
    await pause(1)
    expect(linesOf(output)).toMatchObject([
      { id: 7, error: { code: -32_600, message: expect.stringContaining('not a JSON-RPC 2.0 message') } },
      { id: 'x', error: { code: -32_600 } },
    ])
  })

  it.each([null, 1.5, true, [1]])('refuses a request that cannot be answered by its id: %j', async id => {
    const { input, output, messages } = await rig()
    input.write(line({ jsonrpc: '2.0', id, method: 'ping' }) + line(ping(1)))
    await pause(1)
    const message = expect.stringContaining('a string or a whole number')
    expect(linesOf(output)).toMatchObject([{ id: null, error: { code: -32_600, message } }])
    expect(messages).toEqual([ping(1)])
  })

  it('answers a batch with one line when all of it is answered, in the protocol that has batches', async () => {
    const { input, output, transport, messages } = await rig()
    transport.setProtocolVersion?.('2025-03-26')
    const told = { jsonrpc: '2.0' as const, method: 'notifications/initialized' }
    input.write(line([ping(1), told, { id: 5, method: 'ping' }, 'text', ping(2), ping(3)]))
    await pause(1)
    expect(messages).toEqual([ping(1), told, ping(2), ping(3)])
    await transport.send({ jsonrpc: '2.0', id: 2, result: {} })
    await transport.send({ jsonrpc: '2.0', id: 9, result: {} })
    expect(linesOf(output)).toEqual([{ jsonrpc: '2.0', id: 9, result: {} }])
    input.write(line({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } }))
    await pause(1)
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
    expect(linesOf(output)).toEqual([
      [
        { jsonrpc: '2.0', id: 5, error: { code: -32_600, message: expect.stringContaining('part of the batch') } },
        { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.stringContaining('part of the batch') } },
        { jsonrpc: '2.0', id: 2, result: {} },
        { jsonrpc: '2.0', id: 1, result: {} },
      ],
    ])
    input.write(line([told]) + line([]))
    await pause(1)
    expect(linesOf(output)).toMatchObject([{ id: null, error: { code: -32_600 } }])
  })

  it.each([undefined, '2024-11-05', '2025-06-18'])(
    'refuses a batch in the protocol %s, each of its requests',
    async version => {
      const { input, output, transport, messages } = await rig()
      if (version !== undefined) transport.setProtocolVersion?.(version)
      input.write(line([ping(1), ping(2)]) + line([{ jsonrpc: '2.0', method: 'notifications/initialized' }]))
      await pause(1)
      expect(linesOf(output)).toMatchObject(
        [1, 2, null].map(id => ({
          id,
          error: { code: -32_600, message: expect.stringContaining('send one message a line') },
        })),
      )
      expect(messages).toEqual([])
    },
  )

  it('says in words what the SDK does not understand', async () => {
    const { output, transport } = await rig()
    const message = JSON.stringify([
      { path: ['params', 'protocolVersion'], message: 'Invalid input: expected string, received number' },
    ])
    await transport.send({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message } })
    await transport.send({ jsonrpc: '2.0', id: 2, error: { code: -32_603, message: '[broken' } })
    expect(linesOf(output)).toMatchObject([
      { error: { code: -32_602, message: "Invalid request: 'params.protocolVersion' must be string but is number" } },
      { error: { code: -32_603, message: '[broken' } },
    ])
  })

  it('refuses a line without an end once, and holds none of it', async () => {
    const { input, output, messages } = await rig()
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const before = process.memoryUsage().arrayBuffers
    for (let at = 0; at < 200; at++) if (!input.write(chunk)) await new Promise(resolve => input.once('drain', resolve))
    await pause(1)
    expect(
      String(output.read())
        .trimEnd()
        .split('\n')
        .map(answer => JSON.parse(answer)),
    ).toMatchObject([{ id: null, error: { code: -32_600 } }])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
    input.write(`\n${line(ping(1))}`)
    await pause(1)
    expect(messages).toEqual([ping(1)])
  })

  it('closes at the end of its input once everything is answered', async () => {
    const { input, output, transport, onOver } = await rig()
    input.end(line(ping(1)))
    await pause(5)
    expect(onOver).not.toHaveBeenCalled()
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
    expect(String(output.read())).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n')
    expect(onOver).toHaveBeenCalledTimes(1)
    await transport.send({ jsonrpc: '2.0', method: 'late' })
    expect(output.read()).toBe(null)
  })

  it('closes at the end of its input, answered or not, after a grace', async () => {
    const { input, onOver } = await rig({ graceMs: 10 })
    input.end(line(ping(1)))
    await vi.waitFor(() => expect(onOver).toHaveBeenCalledTimes(1), 60_000)
  })

  it('closes over an input that had ended before', async () => {
    const input = new PassThrough()
    input.destroy()
    const onOver = vi.fn<() => void>()
    await lineTransport(input, new PassThrough(), { onOver }).start()
    await vi.waitFor(() => expect(onOver).toHaveBeenCalledTimes(1), 60_000)
  })

  it('closes when the reader is gone', async () => {
    const { output, errors, onOver } = await rig()
    output.destroy(new Error('EPIPE'))
    await vi.waitFor(() => expect(onOver).toHaveBeenCalledTimes(1), 60_000)
    expect(errors).toEqual(['EPIPE'])
  })
})
