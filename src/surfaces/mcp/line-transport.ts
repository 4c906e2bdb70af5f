import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import type { Readable, Writable } from 'node:stream'

export interface LineTransportOptions {
  /** A longer line is refused as soon as it is, and the connection goes on behind it. */
  readonly maxLineBytes?: number
  /** How long requests that are being worked on may still be answered after the input has ended. */
  readonly graceMs?: number
  /** The connection is closed, from this side or the other. */
  readonly onOver?: () => void
}

/**
 * One message a line, over two streams. A line that is no message is answered with an error, reported and skipped, and what was
 * asked before the input ended is still answered, so that a pipe can be used like a client.
 */
export function lineTransport(input: Readable, output: Writable, options: LineTransportOptions = {}): Transport {
  const { maxLineBytes = 64 * 1024 * 1024, graceMs = 1000, onOver } = options
  const unanswered = new Set<RequestId>()
  let chunks: Buffer[] = []
  let held = 0
  let isEnded = false
  let isClosed = false

  const transport: Transport = {
    async start() {
      if (input.readableEnded || input.destroyed) setImmediate(onEnd)
      input.on('data', onData)
      input.once('end', onEnd)
      input.once('close', onEnd)
      input.on('error', onError)
      output.on('error', onOutputError)
    },
    async send(message) {
      if (isClosed) return
      await new Promise<void>(resolve => void output.write(`${JSON.stringify(message)}\n`, () => resolve()))
      if (!('method' in message)) answered(message.id)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      input.off('data', onData)
      input.pause()
      chunks = []
      transport.onclose?.()
      onOver?.()
    },
  }

  function onData(chunk: Buffer | string): void {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    for (let at = rest.indexOf(LINE_FEED); at >= 0; at = rest.indexOf(LINE_FEED)) {
      hold(rest.subarray(0, at))
      onLine()
      rest = rest.subarray(at + 1)
    }
    if (rest.length > 0) hold(rest)
  }

  /** What is over the bound is only counted; whoever sends it is told at once, since the end of the line may never come. */
  function hold(part: Buffer): void {
    const isFirst = held <= maxLineBytes
    held += part.length
    if (held <= maxLineBytes) chunks.push(part)
    else chunks = []
    if (isFirst && held > maxLineBytes)
      refuse(INVALID_REQUEST, `A message may have ${maxLineBytes} bytes at most; this one is dropped`)
  }

  function onLine(): void {
    const bytes = held
    const line = Buffer.concat(chunks).toString('utf8').trim()
    chunks = []
    held = 0
    if (bytes > maxLineBytes) onError(new Error(`A line of ${bytes} bytes was dropped; ${maxLineBytes} are the most`))
    else if (line !== '') receive(line)
  }

  function receive(line: string): void {
    const message = messageOf(line)
    if (message === 'no JSON' || message === 'no message') {
      const start = JSON.stringify(line.slice(0, 80))
      if (message === 'no JSON') refuse(PARSE_ERROR, `A line that is no JSON was skipped: ${start}`)
      else refuse(INVALID_REQUEST, `A line that is no JSON-RPC 2.0 message was skipped: ${start}`)
      return onError(new Error(`A line that is no message was skipped: ${start}`))
    }
    if ('method' in message && 'id' in message) unanswered.add(message.id)
    transport.onmessage?.(message)
  }

  /** An answer to something whose id is not known. */
  function refuse(code: number, message: string): void {
    if (!isClosed) output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`)
  }

  function onEnd(): void {
    if (isEnded) return
    isEnded = true
    if (unanswered.size === 0) void transport.close()
    else setTimeout(() => void transport.close(), graceMs).unref()
  }

  function answered(id: RequestId | undefined): void {
    if (id !== undefined) unanswered.delete(id)
    if (isEnded && unanswered.size === 0) void transport.close()
  }

  const onError = (error: Error): void => transport.onerror?.(error)
  const onOutputError = (error: Error): void => {
    onError(error)
    void transport.close()
  }
  return transport
}

const LINE_FEED = 0x0a
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

/** What has the outline of a message; the SDK looks at the rest. */
function messageOf(line: string): JSONRPCMessage | 'no JSON' | 'no message' {
  try {
    const message: unknown = JSON.parse(line)
    return Object(message).jsonrpc === '2.0' ? (message as JSONRPCMessage) : 'no message'
  } catch {
    return 'no JSON'
  }
}
