import { extname } from 'node:path'
import { ToolError } from '../kernel/error.ts'
import { deadlineIn, isPast, within, type Deadline } from '../knowledge/code/servers/deadline.ts'
import { serverUris } from '../knowledge/code/servers/server-uris.ts'
import type { StagedTexts } from '../knowledge/code/servers/staged-texts.ts'
import type { ServerClient, Servers } from '../knowledge/code/servers/types.ts'
import type { Connection } from './connect.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import type { Resident } from './open-resident.ts'
import {
  SERVER_METHODS,
  type HeldServer,
  type HoldEvent,
  type HoldQuestion,
  type ServerMethod,
  type ServerOptions,
} from '../knowledge/answers/held-server.ts'
import { knowledgeAt } from './routed.ts'

/** The process takes at most 64 requests of one program at once, and searches need some of them. */
const [MOST_HELD, MOST_PUT] = [12, 32]
/** A second server beside that of a busy process would add to its load. */
const PATIENT = { isPatient: true } as const
/** Time for the answer to arrive. */
const WAY_MS = 100
/** Least time in which to start a server of our own. */
const OWN_MS = 500
/** Time for a slow process to start the requested server. */
const BEGIN_MS = 30_000
/** Larger staged texts are not sent to another process with each request. */
const MOST_CHARACTERS = 8 * 1024 ** 2

interface ServersOptions {
  readonly root: string
  readonly options: ServerOptions
  /** This program ends soon. */
  readonly isBrief: boolean
  /** Opens servers of this program alone, again if needed. */
  open(): Servers
}

/** The language servers of the resident process, or our own if there is none or it ends. */
export function reachedServers(
  resident: Resident,
  { root, options, isBrief, open }: ServersOptions,
): { readonly servers: Servers; readonly own: Servers } {
  const places = serverUris(root)
  const holding = limitConcurrency(MOST_HELD, deadline => late(deadline))
  const putting = limitConcurrency(MOST_PUT, deadline => late(deadline))
  /** File extensions whose server is being started with the process. */
  const beginning = new Set<string>()
  const { own, endOwn } = ownServers(open)

  return {
    own,
    servers: {
      ...own,
      async ask(path, staged, deadline, work) {
        const line = isTooMuch(staged) ? undefined : await reachLine(path, staged, deadline)
        const answer = line && (await holding(deadline, () => askServer(line, path, staged, deadline, work)))
        if (!answer) return own.ask(path, staged, deadline, work)
        endOwn()
        return answer.value
      },
    },
  }

  async function reachLine(path: string, staged: StagedTexts, deadline: Deadline): Promise<Connection | undefined> {
    // Leaves time to continue without a process that does not even greet.
    const patience = deadlineIn((deadline.at - performance.now()) / 2, deadline.signal)
    try {
      return await within(patience, resident.reachStarted(), () => late(deadline))
    } catch {
      // Do not start a second server beside that of a starting process.
      if (!resident.isStarting() && deadline.at - performance.now() > OWN_MS) return undefined
      begin(path, staged)
      return within(deadline, resident.reachStarted(), () => late(deadline, 'was still starting'))
    }
  }

  /** The process may be too late for this request, but loads the server for the next one. */
  function begin(path: string, staged: StagedTexts): void {
    const extension = extname(path)
    if (beginning.has(extension)) return
    beginning.add(extension)
    const begun = async () => {
      const line = await resident.reachStarted()
      const deadline = deadlineIn(BEGIN_MS)
      if (line) await holding(deadline, () => askServer(line, path, staged, deadline, async () => {}))
    }
    // The next caller gets the error.
    begun()
      .catch(() => {})
      .finally(() => beginning.delete(extension))
  }

  /** Returns undefined if the process has no server for the file or ended. Throws errors of the server or the work. */
  async function askServer<T>(
    line: Connection,
    path: string,
    staged: StagedTexts,
    deadline: Deadline,
    work: (server: ServerClient) => Promise<T>,
  ): Promise<{ readonly value: T } | undefined> {
    const { servers } = knowledgeAt(line)
    const over = new AbortController()
    let isLost = false
    const inTime = async <A>(answer: Promise<A>): Promise<A> => {
      try {
        return await within(deadline, answer, () => late(deadline))
      } catch (error) {
        isLost ||= !line.isOpen()
        // A caller that was busy hears only now that the process let go of the question.
        throw isOver(deadline) ? late(deadline) : error
      }
    }
    const remainingMs = Math.max(1, deadline.at - performance.now())
    const question = holdQuestion({ path, staged, servers: options, isBrief }, remainingMs, deadline)
    // It ends a little after the questions: releasing the server would report them as cancelled.
    const events = servers.hold(question, { ...PATIENT, timeoutMs: remainingMs, signal: over.signal })
    try {
      const held = await inTime(serverIn(events, deadline))
      if (!held) return undefined
      const send = (method: ServerMethod, args: readonly unknown[]): Promise<unknown> =>
        putting(deadline, () => {
          const timeoutMs = Math.max(1, deadline.at - performance.now())
          return inTime(servers.put({ id: held.id, method, args }, { ...PATIENT, timeoutMs, signal: deadline.signal }))
        })
      return { value: await work(serverOf(held, places.pathOf, send)) }
    } catch (error) {
      if (isLost && !isPast(deadline)) return undefined
      throw error
    } finally {
      over.abort()
    }
  }
}

/** Waits for the server in what the process reports, and passes on its progress until the end. */
function serverIn(events: AsyncIterable<HoldEvent>, { onProgress }: Deadline): Promise<HeldServer | null> {
  const held = Promise.withResolvers<HeldServer | null>()
  const listen = async (): Promise<void> => {
    let last: string | undefined
    for await (const event of events) {
      if ('server' in event) held.resolve(event.server)
      else if (event.progress !== last) onProgress?.((last = event.progress))
    }
  }
  listen().catch(held.reject)
  return held.promise
}

/** Servers of this program alone, opened on first use; `endOwn` ends them unless they are in use. */
function ownServers(open: () => Servers): { readonly own: Servers; endOwn(): void } {
  let here: Servers | undefined
  let users = 0
  let ending: Promise<unknown> = Promise.resolve()
  const local = (): Servers => (here ??= open())

  const localServers: Servers = {
    serves: path => local().serves(path),
    async ask(...question) {
      users++
      try {
        return await local().ask(...question)
      } finally {
        users--
      }
    },
    known: () => local().known(),
    running: async () => here?.running() ?? [],
    async close() {
      await Promise.all([here?.close(), ending])
    },
  }

  return { own: localServers, endOwn }

  /** Ends our own servers, started while there was no process. */
  function endOwn(): void {
    if (!here || users > 0) return
    const old = here
    here = undefined
    ending = ending.then(() => old.close())
  }
}

function holdQuestion(
  question: Pick<HoldQuestion, 'path' | 'staged' | 'servers' | 'isBrief'>,
  left: number,
  { moreTime, purpose }: Deadline,
): HoldQuestion {
  // The process knows the cause of a delay and must report it in time.
  return { ...question, timeoutMs: left - Math.min(WAY_MS, left / 10), moreTime, purpose }
}

function serverOf(
  { name, missesAliases, unknown, isReady, can }: HeldServer,
  pathOf: ServerClient['pathOf'],
  put: (method: ServerMethod, args: readonly unknown[]) => Promise<unknown>,
): ServerClient {
  const methods = SERVER_METHODS.map(method => [method, (...args: readonly unknown[]) => put(method, args)])
  return {
    name,
    missesAliases,
    unknown,
    isReady,
    can: what => can.includes(what),
    pathOf,
    // Only background work asks, and that runs in the process with the servers.
    isAwaited: () => false,
    // Both ends are the same build: the request determines the type of the answer.
    ...(Object.fromEntries(methods) as Pick<ServerClient, ServerMethod>),
  }
}

const isTooMuch = ({ texts }: StagedTexts): boolean => {
  let characters = 0
  for (const text of texts.values()) characters += text?.length ?? 0
  return characters > MOST_CHARACTERS
}

/** Reports whether the time is over, and not the caller's interest. */
const isOver = ({ at, signal }: Deadline): boolean => performance.now() >= at && signal?.aborted !== true

const late = ({ moreTime, purpose = 'this question' }: Deadline, doing = 'had not answered'): ToolError =>
  new ToolError('timeout', `The process of this workspace ${doing} when the time for ${purpose} was over`, {
    hint: `${moreTime === undefined ? 'Ask' : `Give it more time with ${moreTime}, or ask`} again; toolwright up --status says how it is`,
  })
