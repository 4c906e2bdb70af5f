import type { Socket } from 'node:net'
import type { AskOptions } from '../kernel/ask-options.ts'
import { ToolError } from '../kernel/error.ts'
import { encodeFrame, frameReader, MOST_BYTES, type Frame } from './frames.ts'
import { failureOf, readGreeting, readRequest, type Greeting, type Request, type Welcome } from './messages.ts'
import { isSameBuild, type Build } from './own-build.ts'
import type { UnfinishedFrames } from './unfinished-frames.ts'
import { encodeValue } from './wire-value.ts'

interface Answering {
  readonly build: Build
  readonly user?: string | undefined
  /** Returns the answer, a promise of it, or a stream of items. */
  answer(method: string, question: unknown, options: AskOptions): unknown
  readonly unfinished: UnfinishedFrames
  /** A process of another build asks this one to end. */
  leave(): void
}

/** Open requests per client. */
const MOST_OPEN = 64
const GREETING_MS = 5000
const GREETING_BYTES = 64 * 1024
/** A client that reads none of its answer for this long is treated as gone. */
const STALLED_MS = 30_000
const PART_BYTES = 256 * 1024
/** Items sent before the client has taken the first of them. */
const MOST_AHEAD = 32
/** Time for a method to answer in time by itself, with what it has. */
const MARGIN_MS = 1000

interface OpenRequest {
  readonly controller: AbortController
  /** Items that may still be sent. */
  ahead: number
  /** Called when the client has taken one. */
  onTaken(): void
}

/** Serves one client until it ends. Invalid data ends only this connection. */
export function answerClient(socket: Socket, answering: Answering): void {
  const open = new Map<number, OpenRequest>()
  let isWelcome = false
  let drain: Promise<void> | undefined
  const late = setTimeout(() => socket.destroy(), GREETING_MS)
  const frameHold = answering.unfinished.client(() => socket.destroy())
  // Before its greeting a client may send only a little.
  const mostBytes = () => (isWelcome ? MOST_BYTES : GREETING_BYTES)
  const read = frameReader(take, { mostBytes, onHeld: frameHold.hold })
  socket.on('data', chunk => {
    try {
      read(chunk)
    } catch {
      socket.destroy()
    }
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    clearTimeout(late)
    frameHold.leave()
    for (const { controller } of open.values()) controller.abort()
  })

  function take({ kind, id, body }: Frame): void {
    if (socket.destroyed) return
    if (!isWelcome) return welcome(readGreeting(kind === 'request' ? body.toString() : ''))
    if (kind === 'cancel') return open.get(id)?.controller.abort(cancelled())
    if (kind === 'more') return taken(id)
    if (kind !== 'request' || open.has(id)) throw new Error('Not a request')
    void respond(id, readRequest(body))
  }

  function welcome(greeting: Greeting): void {
    clearTimeout(late)
    const { build, user } = answering
    const text = JSON.stringify({ ...build, pid: process.pid, ...(user !== undefined && { user }) } satisfies Welcome)
    socket.write(encodeFrame('answer', 0, text))
    isWelcome = isSameBuild(greeting, build)
    if (isWelcome) return
    socket.end()
    if (greeting.leave) answering.leave()
  }

  async function respond(id: number, { method, question, timeoutMs }: Request): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    if (open.size >= MOST_OPEN) return refuse(id)
    open.set(id, { controller, ahead: MOST_AHEAD, onTaken() {} })
    const timer = setTimeout(() => controller.abort(tooLate(method, timeoutMs)), timeoutMs + MARGIN_MS)
    try {
      const answer = answering.answer(method, question, { timeoutMs, signal })
      if (isStream(answer)) await sendItems(id, answer, signal)
      await send(id, 'answer', isStream(answer) ? undefined : await unlessAborted(signal, answer))
    } catch (error) {
      await send(id, 'failure', failureOf(error))
    } finally {
      clearTimeout(timer)
      open.delete(id)
    }
  }

  async function sendItems(id: number, stream: AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
    const items = stream[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await unlessAborted(signal, items.next())
        if (done) return
        await unlessAborted(signal, untilTaken(id))
        await send(id, 'item', value)
      }
    } finally {
      void items.return?.()
    }
  }

  /** Waits while the client has taken too few of the items that were sent. */
  async function untilTaken(id: number): Promise<void> {
    const request = open.get(id)
    if (!request) return
    while (request.ahead <= 0) await new Promise<void>(resolve => (request.onTaken = resolve))
    request.ahead--
  }

  function taken(id: number): void {
    const request = open.get(id)
    if (!request) return
    request.ahead++
    request.onTaken()
  }

  /** Refuses a request. Stops reading from a client that does not read its refusals. */
  async function refuse(id: number): Promise<void> {
    const failureSent = send(id, 'failure', failureOf(tooMany()))
    if (!socket.writableNeedDrain) return failureSent
    socket.pause()
    await failureSent
    socket.resume()
  }

  /** Sends in parts, each after the client has taken the last, so that other answers can go in between. */
  async function send(id: number, kind: Final, value: unknown): Promise<void> {
    // What fits is written at once: each write wakes the client.
    socket.cork()
    process.nextTick(() => socket.uncork())
    for (const frame of framesOf(id, kind, value)) await put(frame)
  }

  async function put(frame: Buffer): Promise<void> {
    if (socket.destroyed || !socket.writable || socket.write(frame)) return
    await (drain ??= untilDrained())
  }

  /** Shared by all that wait: a client that reads nothing may have very many. */
  function untilDrained(): Promise<void> {
    return new Promise(resolve => {
      const stallTimer = setTimeout(() => socket.destroy(), STALLED_MS)
      const onDrained = (): void => {
        clearTimeout(stallTimer)
        socket.off('drain', onDrained).off('close', onDrained)
        drain = undefined
        resolve()
      }
      socket.on('drain', onDrained).on('close', onDrained)
    })
  }
}

type Final = 'answer' | 'failure' | 'item'

/** Yields a value in parts. */
function* framesOf(id: number, kind: Final, value: unknown): Generator<Buffer> {
  const body = encodeValue(value)
  let at = 0
  for (; body.length - at > PART_BYTES; at += PART_BYTES)
    yield encodeFrame('part', id, body.subarray(at, at + PART_BYTES))
  yield encodeFrame(kind, id, body.subarray(at))
}

/** Does not wait for work that ignores its signal. */
function unlessAborted<T>(signal: AbortSignal, work: T | Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  Promise.resolve(work).then(resolve, reject)
  return promise.finally(() => signal.removeEventListener('abort', onAbort))
}

const isStream = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

const cancelled = (): ToolError => new ToolError('cancelled', 'The request was cancelled')

const tooMany = (): ToolError =>
  new ToolError('unavailable', `More than ${MOST_OPEN} requests are open`, { hint: 'Wait for answers first' })

const tooLate = (method: string, timeoutMs: number): ToolError =>
  new ToolError('timeout', `'${method}' was not answered within ${timeoutMs} ms`)
