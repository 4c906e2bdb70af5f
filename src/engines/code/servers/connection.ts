import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import type { Started } from '../../process/sandbox/types.ts'
import { deadlineIn, within, type Deadline } from './deadline.ts'
import { floodGate } from './flood-gate.ts'
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
  /** Work that it says it is doing, such as indexing. */
  progress(): { readonly underWay: number; readonly finished: number }
  /** It has said that it has begun, or is taken to have, or is gone. */
  readonly begun: Promise<void>
  end(why: string): void
  readonly exit: Promise<unknown>
}

export interface ConnectionOptions {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly folder: { readonly uri: string; readonly name: string }
  /** What it may write without answering anything. */
  readonly floodBytes: number
  /** What it logs when it knows its files; it is asked at once unless given. */
  readonly begins: RegExp | undefined
}

const LAST_WORDS = 400
const EXIT_MS = 1_000
/** Another version may say it otherwise. */
const BEGUN_MS = 20_000

const progressed = z.object({
  token: z.union([z.string(), z.number()]),
  value: z.object({ kind: z.enum(['begin', 'report', 'end']) }),
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
  const underWay = new Set<string | number>()
  /** Those who wait for an answer hear that none will come. */
  const pending = new Set<(error: ToolError) => void>()
  let begin = () => {}
  const begun = new Promise<void>(resolve => (begin = resolve))
  if (options.begins) setTimeout(begin, BEGUN_MS).unref()
  else begin()
  const gate = floodGate(floodBytes, () => end(`was ended: it wrote ${floodBytes / 1024 ** 2} MB without an answer`))
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(started.stdout),
    new rpc.StreamMessageWriter(stdin),
    rpc.NullLogger,
  )
  started.stdout.on('data', (chunk: Buffer) => {
    heardAt = performance.now()
    gate.count(chunk.length)
  })
  started.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-LAST_WORDS)
    gate.count(chunk.length)
  })
  started.stderr.on('error', () => {})
  // One that ends closes its input and output first, and is about to say how.
  connection.onError(([error]) => {
    if (isBrokenPipe(error)) setTimeout(end, EXIT_MS, `was ended: ${error.message}`).unref()
    else end(`was ended: ${error.message}`)
  })
  connection.onClose(() => void setTimeout(end, EXIT_MS, 'closed its output').unref())
  connection.onUnhandledNotification(() => {})
  connection.onNotification('$/progress', note)
  connection.onNotification('window/logMessage', (params: unknown) => {
    if (options.begins?.test(logged.safeParse(params).data?.message ?? '')) begin()
  })
  connection.onRequest((method, params) => answerTo(method, params, options))
  connection.listen()
  const exit = started.exit.then(
    ({ code, signal, ended }) => lost(`ended (${ended ?? signal ?? `exit code ${code}`})${said()}`),
    (error: unknown) => lost(`did not start: ${error instanceof Error ? error.message : String(error)}`),
  )
  return {
    request,
    notify(method, params) {
      if (!over) connection.sendNotification(method, params).catch(() => {})
    },
    onNotice: (method, take) => void connection.onNotification(method, take),
    over: () => over,
    heardAt: () => heardAt,
    progress: () => ({ underWay: underWay.size, finished }),
    begun,
    end,
    exit,
  }

  async function request<T>(method: string, params: unknown, answer: z.ZodType<T>, deadline: Deadline): Promise<T> {
    if (over) throw over
    const source = new rpc.CancellationTokenSource()
    let fail: (error: ToolError) => void = () => {}
    const gone = new Promise<never>((_, reject) => pending.add((fail = reject)))
    const sent = connection.sendRequest<unknown>(method, params, source.token)
    sent.then(gate.reset, () => {})
    try {
      const late = () => serverLate(name, underWay.size > 0 ? 'was still indexing' : 'had not answered')
      const given = answer.safeParse(await within(deadline, Promise.race([sent, gone]), late))
      if (given.success) return given.data
      throw new ToolError('unavailable', `The language server '${name}' gave ${method} an answer of another form`)
    } catch (error) {
      if (error instanceof ToolError) throw error
      if (!over && isBrokenPipe(error))
        await within(deadlineIn(EXIT_MS), exit, () => serverOver(name, 'closed its input'))
      if (over) throw over
      const words = error instanceof Error ? error.message : String(error)
      throw new ToolError('unavailable', `The language server '${name}' could not answer ${method}: ${words}`)
    } finally {
      pending.delete(fail)
      // Does nothing where the answer has come.
      source.cancel()
      source.dispose()
    }
  }

  function note(params: unknown): void {
    const { data } = progressed.safeParse(params)
    if (data?.value.kind === 'begin') underWay.add(data.token)
    if (data?.value.kind === 'end' && underWay.delete(data.token)) finished++
  }

  function end(why: string): void {
    if (over) return
    lost(why)
    started.end('cancelled')
  }

  function lost(why: string): void {
    over ??= serverOver(name, why)
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

/** The code itself is lost on the way through the protocol. */
const isBrokenPipe = (error: unknown): boolean => error instanceof Error && error.message.includes('EPIPE')

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
