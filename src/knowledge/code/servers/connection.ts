import type { CancellationTokenSource, MessageConnection } from 'vscode-jsonrpc/node'
import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import type { Started } from '../../../machine/process/sandbox/types.ts'
import { deadlineIn, within, type Deadline } from './deadline.ts'
import { serverLate, serverOver } from './server-error.ts'

/** A running server, connected by its standard streams. */
export interface Connection {
  /** Throws `timeout` at the deadline, `unavailable` if the server is gone or refuses. */
  request<T>(method: string, params: unknown, answer: z.ZodType<T>, deadline: Deadline): Promise<T>
  notify(method: string, params: unknown): void
  /** Handles notifications of the server. */
  onNotice(method: string, take: (params: unknown) => void): void
  /** Why it is gone; undefined while it runs. */
  over(): ToolError | undefined
  /** Time of its last message, on the clock of `performance.now()`. */
  heardAt(): number
  /** Work that it reports, such as indexing, and its last progress message. */
  progress(): { readonly underWay: number; readonly finished: number; readonly words: string | undefined }
  /** Resolves when the server has announced its start, is assumed to have started, or is gone. */
  readonly begun: Promise<void>
  end(why: string): void
  readonly exit: Promise<unknown>
}

interface ConnectionOptions {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly folder: { readonly uri: string; readonly name: string }
  /** The most bytes it may write without answering a question. */
  readonly floodBytes: number
  /** Log message that shows it has loaded its files. Without it, questions are sent at once. */
  readonly begins: RegExp | undefined
  /** Methods requested one after another and never cancelled. */
  readonly oneAtATime: readonly string[]
}

const LAST_WORDS = 400
const EXIT_MS = 1_000
const FLOOD_MS = 10_000
/** Another version may word its log message differently. */
const BEGUN_MS = 20_000

const progressSchema = z.object({
  token: z.union([z.string(), z.number()]),
  value: z.object({
    kind: z.enum(['begin', 'report', 'end']),
    title: z.string().optional(),
    message: z.string().nullish(),
    percentage: z.number().nullish(),
  }),
})
const logSchema = z.object({ message: z.string() })
const configurationSchema = z.object({ items: z.array(z.object({ section: z.string().nullish() })) })

export async function openConnection(serverProcess: Started, options: ConnectionOptions): Promise<Connection> {
  const rpc = await import('vscode-jsonrpc/node')
  const { stdin } = serverProcess
  if (!stdin) throw new Error('A server is started with a stream for its input')
  const reader = new rpc.StreamMessageReader(serverProcess.stdout)
  // If a server ends within a message, this timer would restart forever and keep the process alive.
  reader.partialMessageTimeout = 0
  const messages = rpc.createMessageConnection(reader, new rpc.StreamMessageWriter(stdin), rpc.NullLogger)
  return new ServerConnection(serverProcess, options, messages, () => new rpc.CancellationTokenSource())
}

class ServerConnection implements Connection {
  readonly begun: Promise<void>
  readonly exit: Promise<unknown>
  readonly #started: Started
  readonly #options: ConnectionOptions
  readonly #messages: MessageConnection
  readonly #cancellation: () => CancellationTokenSource
  readonly #begin: () => void
  #over: ToolError | undefined
  #lastWords = ''
  #heardAt = performance.now()
  #finished = 0
  /** Titles by token. */
  readonly #underWay = new Map<string | number, string>()
  #working: string | undefined
  /** Rejects the requests that still wait. */
  readonly #pending = new Set<(error: ToolError) => void>()
  readonly #turns = new Map<string, Promise<void>>()
  /** Bytes written since its last answer, or in the last seconds. */
  #written = { bytes: 0, since: this.#heardAt }

  constructor(
    started: Started,
    options: ConnectionOptions,
    messages: MessageConnection,
    cancellation: () => CancellationTokenSource,
  ) {
    this.#started = started
    this.#options = options
    this.#messages = messages
    this.#cancellation = cancellation
    const { promise, resolve } = Promise.withResolvers<void>()
    this.begun = promise
    this.#begin = resolve
    if (options.begins) setTimeout(resolve, BEGUN_MS).unref()
    else resolve()
    this.#listen()
    this.exit = started.exit.then(
      ({ code, signal, ended }) =>
        this.#lost(`ended (${ended ?? signal ?? `exit code ${code}`})${lastLine(this.#lastWords)}`, true),
      (error: unknown) =>
        this.#lost(`did not start: ${error instanceof Error ? error.message : String(error)}`, wasKilled(error)),
    )
  }

  async request<T>(method: string, params: unknown, answer: z.ZodType<T>, deadline: Deadline): Promise<T> {
    const { name, oneAtATime } = this.#options
    const late = () => {
      const doing = this.#underWay.size > 0 ? 'was still indexing' : 'had not answered'
      return serverLate(name, { doing, progress: this.#working }, deadline)
    }
    const isAlone = oneAtATime.includes(method)
    const endTurn = isAlone ? await this.#turnOf(method, deadline, late) : () => {}
    if (this.#over) {
      endTurn()
      throw this.#over
    }
    const source = this.#cancellation()
    let fail: (error: ToolError) => void = () => {}
    const serverExit = new Promise<never>((_, reject) => this.#pending.add((fail = reject)))
    const response = attempt(() => this.#messages.sendRequest<unknown>(method, params, source.token))
    const settle = () => {
      this.#written = { bytes: 0, since: performance.now() }
      if (this.#underWay.size === 0) this.#working = undefined
    }
    response.then(settle, () => {})
    response.then(endTurn, endTurn)
    try {
      const result = answer.safeParse(await within(deadline, Promise.race([response, serverExit]), late))
      if (result.success) return result.data
      throw new ToolError('unavailable', `The language server '${name}' returned an invalid result for ${method}`)
    } catch (error) {
      if (error instanceof ToolError) throw error
      if (!this.#over && isBrokenPipe(error))
        await within(deadlineIn(EXIT_MS), this.exit, () => serverOver(name, 'closed its input')).catch(() =>
          this.end('closed its input', true),
        )
      if (this.#over) throw this.#over
      const words = error instanceof Error ? error.message : String(error)
      throw new ToolError('unavailable', `The language server '${name}' could not answer ${method}: ${words}`)
    } finally {
      this.#pending.delete(fail)
      // Does nothing if the answer has arrived.
      if (!isAlone) source.cancel()
      source.dispose()
    }
  }

  notify(method: string, params: unknown): void {
    if (!this.#over) attempt(() => this.#messages.sendNotification(method, params)).catch(() => {})
  }

  onNotice(method: string, take: (params: unknown) => void): void {
    this.#messages.onNotification(method, take)
  }

  over(): ToolError | undefined {
    return this.#over
  }

  heardAt(): number {
    return this.#heardAt
  }

  progress() {
    return { underWay: this.#underWay.size, finished: this.#finished, words: this.#working }
  }

  end(why: string, died = false): void {
    if (this.#over) return
    this.#lost(why, died)
    this.#started.end('cancelled')
  }

  #listen(): void {
    const { stdout, stderr } = this.#started
    const messages = this.#messages
    stdout.on('data', (chunk: Buffer) => {
      this.#heardAt = performance.now()
      this.#count(chunk.length)
    })
    stderr.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-LAST_WORDS)
      this.#count(chunk.length)
    })
    stderr.on('error', () => {})
    // An ending server closes its input and output first, and its exit follows.
    messages.onError(([error]) => {
      if (isBrokenPipe(error)) this.#endSoon(`was ended: ${error.message}`)
      else this.end(`was ended: ${error.message}`)
    })
    messages.onClose(() => this.#endSoon('closed its output'))
    messages.onUnhandledNotification(() => {})
    messages.onNotification('$/progress', (params: unknown) => this.#note(params))
    messages.onNotification('window/logMessage', (params: unknown) => {
      const message = logSchema.safeParse(params).data?.message ?? ''
      if (!this.#options.begins?.test(message)) return
      this.#working ??= message
      this.#begin()
    })
    messages.onRequest((method, params) => answerTo(method, params, this.#options))
    messages.listen()
  }

  #endSoon(why: string): void {
    setTimeout(() => this.end(why, true), EXIT_MS).unref()
  }

  /** Waits until the server has answered earlier requests. The caller reports when its own request is answered. */
  async #turnOf(method: string, deadline: Deadline, late: () => ToolError): Promise<() => void> {
    const before = this.#turns.get(method) ?? Promise.resolve()
    const turn = Promise.withResolvers<void>()
    this.#turns.set(
      method,
      before.then(() => turn.promise),
    )
    try {
      await within(deadline, before, late)
      return turn.resolve
    } catch (error) {
      turn.resolve()
      throw error
    }
  }

  #note(params: unknown): void {
    const { data } = progressSchema.safeParse(params)
    if (!data) return
    const { kind, title, message, percentage } = data.value
    const underWay = this.#underWay
    if (kind === 'begin') underWay.set(data.token, title ?? '')
    const part = percentage === null || percentage === undefined ? undefined : `${Math.round(percentage)} %`
    if (kind !== 'end')
      this.#working = [underWay.get(data.token), message, part].filter(Boolean).join(' ') || this.#working
    else if (underWay.delete(data.token)) this.#finished++
    if (underWay.size === 0) this.#working = undefined
  }

  #count(bytes: number): void {
    const { floodBytes } = this.#options
    const traffic = this.#written
    const isOld = performance.now() - traffic.since > FLOOD_MS
    this.#written = isOld ? { bytes, since: performance.now() } : { ...traffic, bytes: traffic.bytes + bytes }
    if (this.#written.bytes > floodBytes) this.end(`was ended: it wrote ${floodBytes / 1024 ** 2} MB without an answer`)
  }

  #lost(why: string, died = false): void {
    this.#over ??= serverOver(this.#options.name, why, died)
    const reason = this.#over
    for (const tell of this.#pending) tell(reason)
    this.#begin()
    this.#pending.clear()
    this.#messages.dispose()
  }
}

function lastLine(lastWords: string): string {
  const words = lastWords.trim().split('\n').at(-1)
  return words ? `: ${words}` : ''
}

/** Reports whether the sandbox was killed during setup; starting again would fail the same way. */
const wasKilled = (error: unknown): boolean => error instanceof ToolError && error.details?.['signal'] !== undefined

/** The protocol library drops the error code. A closed input shows up as an error of the pipe, then of its stream. */
const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && /EPIPE|stream was destroyed|write after end|Connection is closed/.test(error.message)

/** Sending throws at once if the stream has closed, before the exit is known. */
const attempt = async <T>(send: () => Promise<T>): Promise<T> => send()

/** Answers requests of a server to its editor: its configuration, and confirmations without effect. */
function answerTo(method: string, params: unknown, { settings, folder }: ConnectionOptions): unknown {
  if (method === 'workspace/workspaceFolders') return [folder]
  if (method === 'workspace/applyEdit') return { applied: false }
  if (method !== 'workspace/configuration') return null
  return (
    configurationSchema.safeParse(params).data?.items.map(({ section }) => settingAt(settings, section ?? '')) ?? []
  )
}

/** `python.analysis` is `analysis` in the section `python`. */
function settingAt(settings: Readonly<Record<string, unknown>>, section: string): unknown {
  let at: unknown = settings
  for (const step of section.split('.').filter(Boolean)) at = Object(at)[step]
  return at ?? null
}
