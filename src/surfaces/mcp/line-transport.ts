import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import type { Readable, Writable } from 'node:stream'
import { duplicateKey } from '../../kernel/duplicate-key.ts'
import { createBatches, type Batches } from './batches.ts'
import { createLineBuffer, type LineBuffer } from './line-buffer.ts'
import { outlineProblem } from './malformed-request.ts'
import { plainError } from './plain-error.ts'
import { idOfCut, requestIdOf } from './request-id.ts'

export interface LineTransportOptions {
  /** Refuses a longer line; the connection continues after it. */
  readonly maxLineBytes?: number
  /** Time to answer running requests after the input has ended. */
  readonly graceMs?: number
  /** Receives every message before the server does. */
  readonly onMessage?: (message: JSONRPCMessage) => void
  /** Answers a message itself, so that the server does not get it, or returns false. */
  readonly take?: (message: JSONRPCMessage) => boolean
  /** Called when the connection is closed, from either side. */
  readonly onOver?: () => void
}

/**
 * Reads one message per line, or a batch if the protocol has batches, and writes to another stream. Answers an invalid
 * line with an error, reports it and skips it. Still answers requests made before the input ended, so that a pipe works
 * like a client.
 */
export const lineTransport = (input: Readable, output: Writable, options: LineTransportOptions = {}): Transport =>
  new LineTransport(input, output, options)

class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #input: Readable
  readonly #output: Writable
  readonly #options: LineTransportOptions
  readonly #maxLineBytes: number
  readonly #unanswered = new Set<RequestId>()
  readonly #line: LineBuffer
  readonly #batches: Batches
  /** The id under which the current line was refused; undefined if it was not. */
  #refused: RequestId | null | undefined
  #version: string | undefined
  /** The request that agrees on a version, until it is answered, and the batches that wait for that. */
  #greeting: RequestId | undefined
  readonly #waiting: (readonly unknown[])[] = []
  #isEnded = false
  #isClosed = false

  constructor(input: Readable, output: Writable, options: LineTransportOptions) {
    this.#input = input
    this.#output = output
    this.#options = options
    this.#maxLineBytes = options.maxLineBytes ?? 64 * 1024 * 1024
    this.#line = createLineBuffer(this.#maxLineBytes)
    this.#batches = createBatches(answers => void this.#write(answers))
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let from = 0
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      this.#hold(bytes.subarray(from, at))
      this.#onLine()
      from = at + 1
    }
    if (from < bytes.length) this.#hold(bytes.subarray(from))
  }

  readonly #onEnd = (): void => {
    if (this.#isEnded) return
    this.#isEnded = true
    if (this.#unanswered.size === 0) void this.close()
    else setTimeout(() => void this.close(), this.#options.graceMs ?? 1000).unref()
  }

  readonly #onError = (error: Error): void => this.onerror?.(error)

  readonly #onOutputError = (error: Error): void => {
    this.#onError(error)
    void this.close()
  }

  async start(): Promise<void> {
    const input = this.#input
    if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd)
    input.on('data', this.#onData)
    input.once('end', this.#onEnd)
    input.once('close', this.#onEnd)
    input.on('error', this.#onError)
    this.#output.on('error', this.#onOutputError)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return
    if ('method' in message) return this.#write(message)
    const answer = 'error' in message ? { ...message, error: plainError(message.error) } : message
    if (!this.#batches.take(message.id, answer)) await this.#write(answer)
    this.#answered(message.id)
  }

  setProtocolVersion(negotiated: string): void {
    this.#version = negotiated
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#batches.flush()
    this.#isClosed = true
    this.#input.off('data', this.#onData)
    this.#input.pause()
    this.#line.take()
    this.onclose?.()
    this.#options.onOver?.()
  }

  #write(message: object): Promise<void> {
    return new Promise(resolve => void this.#output.write(`${JSON.stringify(message)}\n`, () => resolve()))
  }

  /** Refuses an overlong line as soon as its id is known, or shortly after: its end may never come. */
  #hold(part: Buffer): void {
    const wasCut = this.#line.ends() !== undefined
    this.#line.add(part)
    const ends = this.#line.ends()
    if (!ends || this.#refused !== undefined) return
    const id = wasCut ? undefined : idOfCut(ends.beginning, '')
    if (id !== undefined || this.#line.bytes() > 2 * this.#maxLineBytes) this.#refuseLong(id ?? null)
  }

  #onLine(): void {
    const ends = this.#line.ends()
    if (ends) {
      const id = idOfCut(ends.beginning, ends.end) ?? null
      if (this.#refused === undefined || (this.#refused === null && id !== null)) this.#refuseLong(id)
      this.#onError(new Error(`A line of ${this.#line.bytes()} bytes was dropped; the limit is ${this.#maxLineBytes}`))
    }
    this.#refused = undefined
    const text = this.#line.take()
    if (text !== '') this.#receive(text)
  }

  #receive(text: string): void {
    const message = parseJson(text)
    const twice = message === undefined ? undefined : duplicateKey(text)
    if (twice !== undefined) return this.#refuseDoubled(twice, message)
    if (Array.isArray(message)) return this.#receiveBatch(message)
    if (isMessage(message)) return this.#deliver(message)
    const start = JSON.stringify(text.slice(0, 80))
    if (message === undefined) this.#refuse(PARSE_ERROR, `A line that is not JSON was skipped: ${start}`)
    else if (hasUnusableId(message)) this.#refuse(INVALID_REQUEST, `${ID_RULE}; this line was skipped: ${start}`)
    else
      this.#refuse(
        INVALID_REQUEST,
        `A line that is not a JSON-RPC 2.0 message was skipped: ${start}`,
        requestIdOf(message),
      )
    this.#onError(new Error(`A line that is not a message was skipped: ${start}`))
  }

  #refuseDoubled(key: string, message: unknown): void {
    const why = `The key ${JSON.stringify(key)} is given twice in one object, so this line was ignored`
    const ids = (Array.isArray(message) ? message : [message]).map(requestIdOf).filter(id => id !== undefined)
    for (const id of ids.length > 0 ? ids : [null]) this.#refuse(INVALID_REQUEST, why, id)
    this.#onError(new Error(why))
  }

  #receiveBatch(messages: readonly unknown[]): void {
    if (this.#greeting !== undefined) return void this.#waiting.push(messages)
    const ids = messages.map(requestIdOf).filter(id => id !== undefined)
    const why = refusalOf(messages, this.#version)
    if (why !== undefined) {
      for (const id of ids.length > 0 ? ids : [null]) this.#refuse(INVALID_REQUEST, why, id)
      return this.#onError(new Error(why))
    }
    const errorReplies = messages.filter(one => !isMessage(one)).map(one => notOne(requestIdOf(one)))
    this.#batches.open(
      messages
        .filter(isMessage)
        .map(requestIdOf)
        .filter(id => id !== undefined),
      errorReplies,
    )
    for (const message of messages.filter(isMessage)) this.#deliver(message)
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.#unanswered.add(message.id)
      if (message.method === 'initialize') this.#greeting = message.id
    }
    const cancelledId = cancelledBy(message)
    // A cancelled request is not answered.
    if (cancelledId !== undefined) {
      this.#unanswered.delete(cancelledId)
      this.#batches.forget(cancelledId)
    }
    this.#options.onMessage?.(message)
    if (this.#options.take?.(message)) return
    const id = requestIdOf(message)
    const why = id === undefined ? undefined : outlineProblem(message)
    if (id === undefined || why === undefined) return this.onmessage?.(message)
    void this.send({ jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message: why } })
    this.#onError(new Error(`A malformed request was refused: ${why}`))
  }

  #refuseLong(id: RequestId | null): void {
    this.#refused = id
    this.#refuse(INVALID_REQUEST, `A message may have ${this.#maxLineBytes} bytes at most; this one is dropped`, id)
  }

  #refuse(code: number, message: string, id: RequestId | null = null): void {
    if (!this.#isClosed) void this.#write({ jsonrpc: '2.0', id, error: { code, message } })
  }

  #answered(id: RequestId | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id)
    if (id !== undefined && id === this.#greeting) {
      this.#greeting = undefined
      for (const batch of this.#waiting.splice(0)) this.#receiveBatch(batch)
    }
    if (this.#isEnded && this.#unanswered.size === 0) void this.close()
  }
}

const LINE_FEED = 0x0a
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INVALID_PARAMS = -32_602

/** The only version of the protocol with batches. */
const WITH_BATCHES = '2025-03-26'
const MOST_MESSAGES = 100

/** Returns why a batch is refused, or undefined. */
function refusalOf(messages: readonly unknown[], version: string | undefined): string | undefined {
  if (version !== WITH_BATCHES)
    return `Only protocol ${WITH_BATCHES} has batches, and this connection ${version === undefined ? 'has not agreed on it' : `is in ${version}`}: send one message a line`
  if (messages.length === 0) return 'A batch has at least one message'
  return messages.length > MOST_MESSAGES ? `A batch has ${MOST_MESSAGES} messages at most` : undefined
}

const notOne = (id: RequestId | undefined): object => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code: INVALID_REQUEST, message: 'This part of the batch is not a JSON-RPC 2.0 message' },
})

function cancelledBy(message: object): RequestId | undefined {
  const { method, params }: { method?: unknown; params?: unknown } = message
  return method === 'notifications/cancelled' ? requestIdOf({ method, id: Object(params).requestId }) : undefined
}

/** Checks the outline of a message; the SDK checks the rest. */
const isMessage = (value: unknown): value is JSONRPCMessage =>
  Object(value).jsonrpc === '2.0' && !hasUnusableId(value) && !hasUnusableMethod(value)

/** Reports whether the method is no text; the SDK would drop the message without an answer. */
const hasUnusableMethod = (value: unknown): boolean =>
  Object.hasOwn(Object(value), 'method') && typeof Object(value).method !== 'string'

const ID_RULE = 'The id of a request is a string or a whole number'

/** Reports whether a request has an id under which it cannot be answered; the SDK would take it for a notification. */
const hasUnusableId = (value: unknown): boolean =>
  typeof Object(value).method === 'string' && Object.hasOwn(Object(value), 'id') && requestIdOf(value) === undefined

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
