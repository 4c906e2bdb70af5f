import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import type { Started } from '../../../machine/process/sandbox/types.ts'
import { deadlineIn, within, type Deadline } from './deadline.ts'
import { serverLate, serverOver } from './server-error.ts'

/** One running server, spoken to over its standard streams. */
export interface Connection {
  /** Throws `timeout` at the deadline, `unavailable` where the server is gone or says no. */
  request<T>(method: string, params: unknown, answer: z.ZodType<T>, deadline: Deadline): Promise<T>
  notify(method: string, params: unknown): void
  /** What it says unasked. */
  onNotice(method: string, take: (params: unknown) => void): void
  /** Why it is gone; undefined while it runs. */
  over(): ToolError | undefined
  /** When something last came from it, on the clock of `performance.now()`. */
  heardAt(): number
  /** Work that it says it is doing, such as indexing; in words, the last that it said of it. */
  progress(): { readonly underWay: number; readonly finished: number; readonly words: string | undefined }
  /** It has said that it has begun, or is taken to have, or is gone. */
  readonly begun: Promise<void>
  end(why: string): void
  readonly exit: Promise<unknown>
}

interface ConnectionOptions {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly folder: { readonly uri: string; readonly name: string }
  /** What it may write without answering anything. */
  readonly floodBytes: number
  /** What it logs when it knows its files; it is asked at once unless given. */
  readonly begins: RegExp | undefined
  /** Methods that are asked one after another, and never cancelled. */
  readonly oneAtATime: readonly string[]
}

const LAST_WORDS = 400
const EXIT_MS = 1_000
const FLOOD_MS = 10_000
/** Another version may say it otherwise. */
const BEGUN_MS = 20_000

const progressed = z.object({
  token: z.union([z.string(), z.number()]),
  value: z.object({
    kind: z.enum(['begin', 'report', 'end']),
    title: z.string().optional(),
    message: z.string().nullish(),
    percentage: z.number().nullish(),
  }),
})
const logged = z.object({ message: z.string() })
const asked = z.object({ items: z.array(z.object({ section: z.string().nullish() })) })

export async function openConnection(started: Started, options: ConnectionOptions): Promise<Connection> {
  const { name, floodBytes } = options
  const rpc = await import('vscode-jsonrpc/node')
  const { stdin } = started
  if (!stdin) throw new Error('A server is started with a stream for its input')
  let over: ToolError | undefined
  let lastWords = ''
  let heardAt = performance.now()
  let finished = 0
  /** Titles by token. */
  const underWay = new Map<string | number, string>()
  let working: string | undefined
  /** Those who wait for an answer hear that none will come. */
  const pending = new Set<(error: ToolError) => void>()
  const turns = new Map<string, Promise<void>>()
  let begin = () => {}
  const begun = new Promise<void>(resolve => (begin = resolve))
  if (options.begins) setTimeout(begin, BEGUN_MS).unref()
  else begin()
  /** What it wrote since its last answer, or in the last seconds. */
  let written = { bytes: 0, since: heardAt }
  const reader = new rpc.StreamMessageReader(started.stdout)
  // Its timer starts itself again for ever where a server is ended within a message, and keeps the process alive.
  reader.partialMessageTimeout = 0
  const connection = rpc.createMessageConnection(reader, new rpc.StreamMessageWriter(stdin), rpc.NullLogger)
  started.stdout.on('data', (chunk: Buffer) => {
    heardAt = performance.now()
    count(chunk.length)
  })
  started.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-LAST_WORDS)
    count(chunk.length)
  })
  started.stderr.on('error', () => {})
  // One that ends closes its input and output first, and is about to say how.
  connection.onError(([error]) => {
    if (isBrokenPipe(error)) setTimeout(end, EXIT_MS, `was ended: ${error.message}`, true).unref()
    else end(`was ended: ${error.message}`)
  })
  connection.onClose(() => void setTimeout(end, EXIT_MS, 'closed its output', true).unref())
  connection.onUnhandledNotification(() => {})
  connection.onNotification('$/progress', note)
  connection.onNotification('window/logMessage', (params: unknown) => {
    const message = logged.safeParse(params).data?.message ?? ''
    if (!options.begins?.test(message)) return
    working ??= message
    begin()
  })
  connection.onRequest((method, params) => answerTo(method, params, options))
  connection.listen()
  const exit = started.exit.then(
    ({ code, signal, ended }) => lost(`ended (${ended ?? signal ?? `exit code ${code}`})${said()}`, true),
    (error: unknown) =>
      lost(`did not start: ${error instanceof Error ? error.message : String(error)}`, wasKilled(error)),
  )
  return {
    request,
    notify(method, params) {
      if (!over) attempt(() => connection.sendNotification(method, params)).catch(() => {})
    },
    onNotice: (method, take) => void connection.onNotification(method, take),
    over: () => over,
    heardAt: () => heardAt,
    progress: () => ({ underWay: underWay.size, finished, words: working }),
    begun,
    end,
    exit,
  }

  async function request<T>(method: string, params: unknown, answer: z.ZodType<T>, deadline: Deadline): Promise<T> {
    const late = () => {
      const doing = underWay.size > 0 ? 'was still indexing' : 'had not answered'
      return serverLate(name, { doing, progress: working }, deadline)
    }
    const isAlone = options.oneAtATime.includes(method)
    const answered = isAlone ? await turnOf(method, deadline, late) : () => {}
    if (over) {
      answered()
      throw over
    }
    const source = new rpc.CancellationTokenSource()
    let fail: (error: ToolError) => void = () => {}
    const gone = new Promise<never>((_, reject) => pending.add((fail = reject)))
    const sent = attempt(() => connection.sendRequest<unknown>(method, params, source.token))
    const settle = () => {
      written = { bytes: 0, since: performance.now() }
      if (underWay.size === 0) working = undefined
    }
    sent.then(settle, () => {})
    sent.then(answered, answered)
    try {
      const given = answer.safeParse(await within(deadline, Promise.race([sent, gone]), late))
      if (given.success) return given.data
      throw new ToolError('unavailable', `The language server '${name}' gave ${method} an answer of another form`)
    } catch (error) {
      if (error instanceof ToolError) throw error
      if (!over && isBrokenPipe(error))
        await within(deadlineIn(EXIT_MS), exit, () => serverOver(name, 'closed its input')).catch(() =>
          end('closed its input', true),
        )
      if (over) throw over
      const words = error instanceof Error ? error.message : String(error)
      throw new ToolError('unavailable', `The language server '${name}' could not answer ${method}: ${words}`)
    } finally {
      pending.delete(fail)
      // Does nothing where the answer has come.
      if (!isAlone) source.cancel()
      source.dispose()
    }
  }

  /** Waits until the server has answered whoever asked before; the caller says when it has its own answer. */
  async function turnOf(method: string, deadline: Deadline, late: () => ToolError): Promise<() => void> {
    const before = turns.get(method) ?? Promise.resolve()
    const mine = Promise.withResolvers<void>()
    turns.set(
      method,
      before.then(() => mine.promise),
    )
    try {
      await within(deadline, before, late)
      return mine.resolve
    } catch (error) {
      mine.resolve()
      throw error
    }
  }

  function note(params: unknown): void {
    const { data } = progressed.safeParse(params)
    if (!data) return
    const { kind, title, message, percentage } = data.value
    if (kind === 'begin') underWay.set(data.token, title ?? '')
    const part = percentage === null || percentage === undefined ? undefined : `${Math.round(percentage)} %`
    if (kind !== 'end') working = [underWay.get(data.token), message, part].filter(Boolean).join(' ') || working
    else if (underWay.delete(data.token)) finished++
    if (underWay.size === 0) working = undefined
  }

  function count(bytes: number): void {
    const isOld = performance.now() - written.since > FLOOD_MS
    written = isOld ? { bytes, since: performance.now() } : { ...written, bytes: written.bytes + bytes }
    if (written.bytes > floodBytes) end(`was ended: it wrote ${floodBytes / 1024 ** 2} MB without an answer`)
  }

  function end(why: string, died = false): void {
    if (over) return
    lost(why, died)
    started.end('cancelled')
  }

  function lost(why: string, died = false): void {
    over ??= serverOver(name, why, died)
    const reason = over
    for (const tell of pending) tell(reason)
    begin()
    pending.clear()
    connection.dispose()
  }

  function said(): string {
    const words = lastWords.trim().split('\n').at(-1)
    return words ? `: ${words}` : ''
  }
}

/** Reports whether the sandbox was killed while it was being set up; what it lacks will be lacking again. */
const wasKilled = (error: unknown): boolean => error instanceof ToolError && error.details?.['signal'] !== undefined

/** The code itself is lost on the way through the protocol. Its input is closed: the pipe says so first, and then the stream that was over it. */
const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && /EPIPE|stream was destroyed|write after end|Connection is closed/.test(error.message)

/** Sending throws at once where the stream has closed, before it is known how the server ended. */
const attempt = async <T>(send: () => Promise<T>): Promise<T> => send()

/** What a server asks of an editor: its configuration, and leave that we may give it without doing anything. */
function answerTo(method: string, params: unknown, { settings, folder }: ConnectionOptions): unknown {
  if (method === 'workspace/workspaceFolders') return [folder]
  if (method === 'workspace/applyEdit') return { applied: false }
  if (method !== 'workspace/configuration') return null
  return asked.safeParse(params).data?.items.map(({ section }) => settingAt(settings, section ?? '')) ?? []
}

/** `python.analysis` is `analysis` in the section `python`. */
function settingAt(settings: Readonly<Record<string, unknown>>, section: string): unknown {
  let at: unknown = settings
  for (const step of section.split('.').filter(Boolean)) at = Object(at)[step]
  return at ?? null
}
