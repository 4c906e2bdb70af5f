import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import type { Readable, Writable } from 'node:stream'
import { duplicateKey } from '../../kernel/duplicate-key.ts'
import { createBatches } from './batches.ts'
import { createLineBuffer } from './line-buffer.ts'
import { plainError } from './plain-error.ts'
import { idOfCut, requestIdOf } from './request-id.ts'

export interface LineTransportOptions {
  /** A longer line is refused, and the connection goes on behind it. */
  readonly maxLineBytes?: number
  /** How long requests that are being worked on may still be answered after the input has ended. */
  readonly graceMs?: number
  /** Sees every message before the server does. */
  readonly onMessage?: (message: JSONRPCMessage) => void
  /** The connection is closed, from this side or the other. */
  readonly onOver?: () => void
}

/**
 * One message a line, over two streams, or a batch of them where the protocol has batches. A line that is neither is
 * answered with an error, reported and skipped, and what was asked before the input ended is still answered, so that a
 * pipe can be used like a client.
 */
export function lineTransport(input: Readable, output: Writable, options: LineTransportOptions = {}): Transport {
  const { maxLineBytes = 64 * 1024 * 1024, graceMs = 1000, onMessage, onOver } = options
  const unanswered = new Set<RequestId>()
  const line = createLineBuffer(maxLineBytes)
  const batches = createBatches(answers => void write(answers))
  /** Whom the line that comes in was refused to; undefined while it was not. */
  let refused: RequestId | null | undefined
  let version: string | undefined
  /** The request that agrees on a version, until it is answered, and the batches that wait for that. */
  let greeting: RequestId | undefined
  const waiting: (readonly unknown[])[] = []
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
      if ('method' in message) return write(message)
      const answer = 'error' in message ? { ...message, error: plainError(message.error) } : message
      if (!batches.take(message.id, answer)) await write(answer)
      answered(message.id)
    },
    setProtocolVersion: negotiated => void (version = negotiated),
    async close() {
      if (isClosed) return
      batches.flush()
      isClosed = true
      input.off('data', onData)
      input.pause()
      line.take()
      transport.onclose?.()
      onOver?.()
    },
  }

  const write = (message: object): Promise<void> =>
    new Promise(resolve => void output.write(`${JSON.stringify(message)}\n`, () => resolve()))

  function onData(chunk: Buffer | string): void {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    for (let at = rest.indexOf(LINE_FEED); at >= 0; at = rest.indexOf(LINE_FEED)) {
      hold(rest.subarray(0, at))
      onLine()
      rest = rest.subarray(at + 1)
    }
    if (rest.length > 0) hold(rest)
  }

  /** Whoever sends too much is told at once where its id is known, and not much later otherwise: the end may never come. */
  function hold(part: Buffer): void {
    const wasCut = line.ends() !== undefined
    line.add(part)
    const ends = line.ends()
    if (!ends || refused !== undefined) return
    const id = wasCut ? undefined : idOfCut(ends.beginning, '')
    if (id !== undefined || line.bytes() > 2 * maxLineBytes) refuseLong(id ?? null)
  }

  function onLine(): void {
    const ends = line.ends()
    if (ends) {
      const id = idOfCut(ends.beginning, ends.end) ?? null
      if (refused === undefined || (refused === null && id !== null)) refuseLong(id)
      onError(new Error(`A line of ${line.bytes()} bytes was dropped; ${maxLineBytes} are the most`))
    }
    refused = undefined
    const text = line.take()
    if (text !== '') receive(text)
  }

  function receive(text: string): void {
    const start = JSON.stringify(text.slice(0, 80))
    const message = parsed(text)
    const twice = message === undefined ? undefined : duplicateKey(text)
    if (twice !== undefined) return refuseDoubled(twice, message)
    if (Array.isArray(message)) return receiveBatch(message)
    if (isMessage(message)) return deliver(message)
    if (message === undefined) refuse(PARSE_ERROR, `A line that is no JSON was skipped: ${start}`)
    else refuse(INVALID_REQUEST, `A line that is no JSON-RPC 2.0 message was skipped: ${start}`, requestIdOf(message))
    onError(new Error(`A line that is no message was skipped: ${start}`))
  }

  function refuseDoubled(key: string, message: unknown): void {
    const why = `The key ${JSON.stringify(key)} is given twice in one object, so that nothing of this line is done`
    const ids = (Array.isArray(message) ? message : [message]).map(requestIdOf).filter(id => id !== undefined)
    for (const id of ids.length > 0 ? ids : [null]) refuse(INVALID_REQUEST, why, id)
    onError(new Error(why))
  }

  function receiveBatch(messages: readonly unknown[]): void {
    if (greeting !== undefined) return void waiting.push(messages)
    const ids = messages.map(requestIdOf).filter(id => id !== undefined)
    const why = refusalOf(messages, version)
    if (why !== undefined) {
      for (const id of ids.length > 0 ? ids : [null]) refuse(INVALID_REQUEST, why, id)
      return onError(new Error(why))
    }
    const known = messages.filter(one => !isMessage(one)).map(one => notOne(requestIdOf(one)))
    batches.open(
      messages
        .filter(isMessage)
        .map(requestIdOf)
        .filter(id => id !== undefined),
      known,
    )
    for (const message of messages.filter(isMessage)) deliver(message)
  }

  function deliver(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      unanswered.add(message.id)
      if (message.method === 'initialize') greeting = message.id
    }
    const cancelled = cancelledBy(message)
    // What is cancelled is not answered.
    if (cancelled !== undefined) {
      unanswered.delete(cancelled)
      batches.forget(cancelled)
    }
    onMessage?.(message)
    transport.onmessage?.(message)
  }

  function refuseLong(id: RequestId | null): void {
    refused = id
    refuse(INVALID_REQUEST, `A message may have ${maxLineBytes} bytes at most; this one is dropped`, id)
  }

  function refuse(code: number, message: string, id: RequestId | null = null): void {
    if (!isClosed) void write({ jsonrpc: '2.0', id, error: { code, message } })
  }

  function onEnd(): void {
    if (isEnded) return
    isEnded = true
    if (unanswered.size === 0) void transport.close()
    else setTimeout(() => void transport.close(), graceMs).unref()
  }

  function answered(id: RequestId | undefined): void {
    if (id !== undefined) unanswered.delete(id)
    if (id !== undefined && id === greeting) {
      greeting = undefined
      for (const batch of waiting.splice(0)) receiveBatch(batch)
    }
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

/** The one version of the protocol that has batches. */
const WITH_BATCHES = '2025-03-26'
const MOST_MESSAGES = 100

/** Why a batch is not taken; undefined if it is. */
function refusalOf(messages: readonly unknown[], version: string | undefined): string | undefined {
  if (version !== WITH_BATCHES)
    return `Only protocol ${WITH_BATCHES} has batches, and this connection ${version === undefined ? 'has not agreed on it' : `is in ${version}`}: send one message a line`
  if (messages.length === 0) return 'A batch has at least one message'
  return messages.length > MOST_MESSAGES ? `A batch has ${MOST_MESSAGES} messages at most` : undefined
}

const notOne = (id: RequestId | undefined): object => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code: INVALID_REQUEST, message: 'This part of the batch is no JSON-RPC 2.0 message' },
})

function cancelledBy(message: object): RequestId | undefined {
  const { method, params }: { method?: unknown; params?: unknown } = { ...message }
  return method === 'notifications/cancelled' ? requestIdOf({ method, id: Object(params).requestId }) : undefined
}

/** What has the outline of a message; the SDK looks at the rest. */
const isMessage = (value: unknown): value is JSONRPCMessage => Object(value).jsonrpc === '2.0'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
