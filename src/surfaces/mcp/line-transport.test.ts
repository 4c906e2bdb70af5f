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
      'A line that is no message was skipped: "nonsense"',
      String.raw`A line that is no message was skipped: "\"text\""`,
      'A line that is no message was skipped: "null"',
      'A line of 180 bytes was dropped; 100 are the most',
    ])
    const answers = String(output.read()).trimEnd().split('\n')
    expect(answers.map(answer => JSON.parse(answer))).toMatchObject([
      { jsonrpc: '2.0', id: null, error: { code: -32_700 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.stringContaining('100 bytes at most') } },
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
    await vi.waitFor(() => expect(onOver).toHaveBeenCalledTimes(1))
  })

  it('closes over an input that had ended before', async () => {
    const input = new PassThrough()
    input.destroy()
    const onOver = vi.fn<() => void>()
    await lineTransport(input, new PassThrough(), { onOver }).start()
    await vi.waitFor(() => expect(onOver).toHaveBeenCalledTimes(1))
  })

  it('closes where nobody reads any more', async () => {
    const { output, errors, onOver } = await rig()
    output.destroy(new Error('EPIPE'))
    await vi.waitFor(() => expect(onOver).toHaveBeenCalledTimes(1))
    expect(errors).toEqual(['EPIPE'])
  })
})
