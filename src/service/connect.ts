import { connect as connectSocket, type Socket } from 'node:net'
import type { AskOptions } from '../kernel/ask-options.ts'
import { ToolError } from '../kernel/error.ts'
import { itemQueue, type ItemQueue } from '../kernel/item-queue.ts'
import { once } from '../kernel/once.ts'
import { encodeFrame, frameReader, type Frame } from './frames.ts'
import { errorOf, type Greeting, type Request, type Welcome } from './messages.ts'
import { isSameBuild, type Build } from './own-build.ts'
import { addressOf, isThere, type Place } from './place.ts'
import { holderOf, isStopped, unresponsive } from './unresponsive-process.ts'
import { decodeValue, encodeValue } from './wire-value.ts'

/** A connection to the process of a workspace. */
export interface Connection {
  readonly pid: number
  /** The user whose ignore files it uses. */
  readonly user?: string | undefined
  /** Returns the answer to one request, or its items. Throws `unavailable` if the process ends first. */
  ask<Answer, Item = never>(method: string, question: unknown, options: AskOptions): Reply<Answer, Item>
  /** Returns true until either side closes it. */
  isOpen(): boolean
  /** It was closed because the process stopped responding. */
  isSilent(): boolean
  close(): void
}

/** An answer, or a stream of items, which the process sends no faster than they are taken. */
type Reply<Answer, Item = never> = Promise<Answer> & AsyncIterable<Item>

const GREETING_MS = 2000
/** If there is no greeting after this time, checks whether the process is stopped. */
const LOOK_MS = 100
/** Time for the answer to arrive after the process itself gave up. */
const WAY_MS = 2000
/** A process silent for two of these gets a ping, and is given up after two more. */
const LISTEN_MS = 500
const [ASK_AFTER, GIVE_UP_AFTER] = [2, 4]
/** The same if all callers are patient and it was not stopped. */
const PATIENT_GIVE_UP_AFTER = 60
/** An unused connection is closed, so that the process can detect that it is idle. */
const QUIET_MS = 60_000

/**
 * Returns undefined if no process of our own build is there. Throws `unavailable` if one is there but does not respond.
 */
export async function connect(place: Place, build: Build): Promise<Connection | undefined> {
  const reachedLine = await meet(place, build)
  if (reachedLine === 'silent') throw unresponsive(holderOf(place))
  return reachedLine
}

/** The same for callers that continue without a process that does not respond: it is stopped or busy. */
export async function meet(
  place: Place,
  build: Build,
  signal?: AbortSignal,
): Promise<Connection | 'silent' | undefined> {
  if (!isThere(place) || signal?.aborted) return undefined
  const line = openLine(place.directory, place.socket, () => isStopped(place))
  let isProcessStopped = false
  const looking = setInterval(() => {
    isProcessStopped = isStopped(place)
    if (isProcessStopped) line.close()
  }, LOOK_MS)
  signal?.addEventListener('abort', line.close, { once: true })
  const welcome = await line.greet(build)
  clearInterval(looking)
  signal?.removeEventListener('abort', line.close)
  if (isProcessStopped) return 'silent'
  if (typeof welcome === 'object' && isSameBuild(welcome, build))
    return { ...line, pid: welcome.pid, user: welcome.user }
  line.close()
  return welcome === 'silent' ? 'silent' : undefined
}

/** Asks the process at a socket of another build to end, and waits for its reply. */
export async function askToLeave(directory: string, socket: string, build: Build): Promise<void> {
  const line = openLine(directory, socket)
  await line.greet({ ...build, leave: true })
  line.close()
}

interface Waiting {
  readonly isPatient: boolean
  readonly parts: Buffer[]
  readonly items: ItemQueue<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

function openLine(directory: string, name: string, isHeld = (): boolean => false) {
  const waiting = new Map<number, Waiting>()
  let next = 0
  let isOpen = true
  let isSilent = false
  let hears: NodeJS.Timeout | undefined
  let silentFor = 0
  const address = addressOf(directory, name)
  const release = once(address.release)
  const socket: Socket = connectSocket(address.path)
  const read = frameReader(take)
  socket.once('connect', release)
  socket.once('close', onClose)
  socket.on('error', () => socket.destroy())
  socket.setTimeout(QUIET_MS, () => waiting.size === 0 && socket.destroy())
  socket.on('data', chunk => {
    silentFor = 0
    try {
      read(chunk)
    } catch {
      socket.destroy()
    }
  })

  function onClose(): void {
    isOpen = false
    clearInterval(hears)
    release()
    for (const { reject } of waiting.values()) reject(endedError())
    waiting.clear()
  }

  function take({ kind, id, body }: Frame): void {
    const request = waiting.get(id)
    // An answer to a cancelled request.
    if (!request) return
    request.parts.push(body)
    if (kind === 'part') return
    const value = decodeValue(Buffer.concat(request.parts.splice(0)))
    if (kind === 'item') return request.items.push(value)
    settle(id)
    if (kind === 'answer') request.resolve(value)
    else request.reject(errorOf(Object(value)))
  }

  /** While no answer is awaited, the connection does not keep its process alive. */
  function settle(id: number): void {
    waiting.delete(id)
    if (waiting.size > 0) return
    clearInterval(hears)
    hears = undefined
    socket.unref()
  }

  /** A stopped process keeps its socket open, so callers would wait until their timeout. */
  function listen(): void {
    if (hears !== undefined) return
    silentFor = 0
    // Data that arrived while we were busy is read first.
    hears = setInterval(() => setImmediate(look), LISTEN_MS)
  }

  function look(): void {
    silentFor++
    if (silentFor === ASK_AFTER) socket.write(encodeFrame('request', next++, PING))
    if (silentFor < GIVE_UP_AFTER || waiting.size === 0) return
    const isPatient = [...waiting.values()].every(one => one.isPatient)
    if (isPatient && silentFor < PATIENT_GIVE_UP_AFTER && !isHeld()) return
    isSilent = true
    socket.destroy()
  }

  const line: Line = { waiting, socket, nextId: () => next++, isOpen: () => isOpen, settle, closed: onClose }
  return {
    async greet(greeting: Greeting): Promise<Welcome | 'silent' | undefined> {
      try {
        const body = JSON.stringify(greeting)
        const answer: Welcome = Object(await put(line, body, { timeoutMs: GREETING_MS }, silent))
        return answer
      } catch (error) {
        return error instanceof ToolError && error.code === 'timeout' ? 'silent' : undefined
      }
    },
    ask<Answer, Item>(method: string, question: unknown, options: AskOptions): Reply<Answer, Item> {
      const { timeoutMs } = options
      const body = encodeValue({ method, question, timeoutMs } satisfies Request)
      const late = () => new ToolError('timeout', `'${method}' was not answered within ${timeoutMs} ms`)
      listen()
      // Both ends are the same build: the request determines the type of the answer.
      return put(line, body, { ...options, timeoutMs: timeoutMs + WAY_MS }, late) as Reply<Answer, Item>
    },
    isOpen: () => isOpen,
    isSilent: () => isSilent,
    close: () => void socket.destroy(),
  }
}

interface Line {
  readonly waiting: Map<number, Waiting>
  readonly socket: Socket
  nextId(): number
  isOpen(): boolean
  /** Stops waiting for the answer to a request. */
  settle(id: number): void
  closed(): void
}

/** Sends a request. Resolves with the answer after the last item, or rejects with the reason. */
function put(
  { waiting, socket, nextId, isOpen, settle, closed }: Line,
  body: string | Buffer,
  { timeoutMs, signal, isPatient = false }: AskOptions,
  late: () => ToolError,
): Reply<unknown, unknown> {
  const id = nextId()
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const giveUp = (error: Error): void => {
    if (!waiting.has(id)) return
    settle(id)
    socket.write(encodeFrame('cancel', id))
    fail(error)
  }
  const onAbort = (): void => giveUp(cancelledError())
  const items = itemQueue<unknown>(() => socket.write(encodeFrame('more', id)), onAbort)
  const timer = setTimeout(() => giveUp(late()), timeoutMs)
  const finish = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  const fail = (error: Error): void => {
    finish()
    items.end(error)
    reject(error)
  }
  const succeed = (value: unknown): void => {
    finish()
    items.end()
    resolve(value)
  }
  waiting.set(id, { isPatient, parts: [], items, resolve: succeed, reject: fail })
  if (!isOpen()) closed()
  else if (signal?.aborted) onAbort()
  else {
    signal?.addEventListener('abort', onAbort, { once: true })
    socket.ref()
    socket.write(encodeFrame('request', id, body))
  }
  const read = (): AsyncIterator<unknown> => {
    // Who reads the items gets the error with them.
    promise.catch(() => {})
    return items[Symbol.asyncIterator]()
  }
  return Object.assign(promise, { [Symbol.asyncIterator]: read })
}

const cancelledError = (): ToolError => new ToolError('cancelled', 'The request was cancelled')

const PING = encodeValue({ method: 'ping', timeoutMs: GREETING_MS } satisfies Request)

const silent = (): ToolError => new ToolError('timeout', `The process did not respond within ${GREETING_MS} ms`)

const endedError = (): ToolError =>
  new ToolError('unavailable', 'The process that holds the index of this workspace ended', {
    hint: 'Ask again: the call works without it or starts a new one',
  })
