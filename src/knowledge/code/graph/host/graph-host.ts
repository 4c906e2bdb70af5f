import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { ToolError } from '../../../../kernel/error.ts'
import { ownProgram } from '../../../../machine/own-program.ts'
import { residentBytes } from '../../../../machine/process/resident-bytes.ts'
import type { Environment } from '../../../../machine/state/directory.ts'
import type { Question } from '../database/ask-database.ts'
import { tooMuchMemory, tooSlow } from '../query-error.ts'
import type { ServerMemory } from '../../servers/server-memory.ts'
import type { RunningServer } from '../../servers/types.ts'
import type { FromHost, GraphRows, ToHost, Tree } from './messages.ts'

/** The process that builds and queries graphs, started on first use. */
export interface GraphHost {
  /** Builds the graph of a tree, unless it exists, and returns its key. */
  prepare(tree: Tree, limit: Limit): Promise<string>
  /** Returns undefined if that graph no longer exists. Throws with the database's own message. */
  ask(key: string, question: Question, limit: Limit): Promise<GraphRows | undefined>
  running(): readonly RunningServer[]
  close(): Promise<void>
}

interface Limit {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const IDLE_MS = 5 * 60_000
const LOOK_MS = 20
/** A query may take this much more memory than the process had. */
const QUESTION_BYTES = 768 * 1024 ** 2
const BUILD_BYTES = 6 * 1024 ** 3
/** The database stops a query itself; after this much more time the process is ended. */
const GRACE_MS = 1000
const HANDED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG'] as const

/** Its process counts towards this bound. */
export function openGraphHost(directory: string, env: Environment, memory: ServerMemory): GraphHost {
  let current: Running | undefined
  let next = 0
  let idle: NodeJS.Timeout | undefined
  let lastEnd = ''
  const alive = new Set<ChildProcess>()

  return {
    async prepare(tree, limit) {
      const response = await request({ type: 'prepare', tree }, limit)
      if (response.type === 'prepared') return response.key
      throw new Error('The process for graphs said something else')
    },
    async ask(key, question, limit) {
      const response = await request({ type: 'ask', key, question }, limit)
      return response.type === 'rows' ? response.rows : undefined
    },
    running() {
      const pid = current?.child.pid
      return pid === undefined ? [] : [{ name: 'graph', pid, memoryBytes: residentBytes(pid) }]
    },
    async close() {
      clearTimeout(idle)
      await Promise.all([...alive].map(endProcess))
    },
  }

  /** Another request may have ended the process: one that did not cause this asks the next process. */
  async function request(message: WithoutId<ToHost>, { timeoutMs, signal }: Limit): Promise<Response> {
    const until = Date.now() + timeoutMs
    const response = (await sendMessage(message, until, signal)) ?? (await sendMessage(message, until, signal))
    if (!response)
      throw new ToolError('unavailable', `The process for code graphs ended${lastEnd}, and so did the one after it`, {
        hint: 'The next question restarts it. If that fails too, there may be too little memory for a graph of these files.',
      })
    if (response.type !== 'failed') return response
    throw response.code === undefined
      ? new Error(response.message)
      : new ToolError(response.code, response.message, { ...(response.hint !== undefined && { hint: response.hint }) })
  }

  /** Returns undefined if the process ended for no reason of ours. */
  async function sendMessage(
    message: WithoutId<ToHost>,
    until: number,
    signal: AbortSignal | undefined,
  ): Promise<FromHost | undefined> {
    signal?.throwIfAborted()
    clearTimeout(idle)
    const running = (current ??= start())
    running.usedAt = performance.now()
    return exchange(running, { ...message, id: ++next }, { until, signal }, { abandon, answered: releaseProcess })
  }

  function releaseProcess(running: Running, id: number): void {
    // Until then it is busy: others make room for the process that was just asked.
    memory.check()
    running.waiting.delete(id)
    if (running.waiting.size > 0) return
    running.child.unref()
    running.child.channel?.unref()
    if (current === running) idle = setTimeout(() => end(running), IDLE_MS).unref()
  }

  /** Ends an idle process. */
  function end(running: Running): void {
    abandon(running)
    running.child.kill('SIGKILL')
  }

  /** Makes the next request start a new process. */
  function abandon(ending: Running): void {
    if (current === ending) current = undefined
  }

  function start(): Running {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const child = startProcess(directory, env)
    const running: Running = { child, waiting: new Map(), usedAt: performance.now() }
    const unwatch = watchMemory(running, memory, () => end(running))
    const onEnd = (how: string): void => {
      alive.delete(child)
      unwatch?.()
      abandon(running)
      lastEnd = ` (${how})`
      for (const tell of running.waiting.values()) tell('ended')
    }
    alive.add(child)
    child.on('message', (message: FromHost) => running.waiting.get(message.id)?.(message))
    // A process that could not be started has no exit event.
    child.on('error', error => child.pid === undefined && onEnd(error.message))
    child.on('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`))
    return running
  }
}

function startProcess(directory: string, env: Environment): ChildProcess {
  return fork(ownProgram('graph-host'), [directory], {
    serialization: 'advanced',
    cwd: '/',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: Object.fromEntries(HANDED_ON.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]]))),
  })
}

/** Counts a process towards the bound until the returned function is called. One that could not be started has no memory. */
function watchMemory(running: Running, memory: ServerMemory, end: () => void): (() => void) | undefined {
  const { pid } = running.child
  if (pid === undefined) return undefined
  return memory.add({ pid, usedAt: () => running.usedAt, isBusy: () => running.waiting.size > 0, end })
}

/**
 * Sends one request to a process and waits for its response. Returns undefined if the process ended for no reason of
 * ours.
 */
async function exchange(
  running: Running,
  message: ToHost,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal | undefined },
  { abandon, answered }: { abandon(ending: Running): void; answered(running: Running, id: number): void },
): Promise<FromHost | undefined> {
  const { child, waiting } = running
  child.ref()
  child.channel?.ref()
  const { id } = message
  const timeoutMs = Math.max(1, until - Date.now())
  const over = Promise.withResolvers<never>()
  const answer = new Promise<FromHost | 'ended'>(resolve => {
    waiting.set(id, resolve)
    child.send(message, error => {
      if (!error) return
      // It is gone, though its exit event is still missing: asking it again would end the same way.
      abandon(running)
      resolve('ended')
    })
  })
  const stop = (why: ToolError) => {
    over.reject(why)
    abandon(running)
    child.kill('SIGKILL')
  }
  // A graph is always built to its end: the next caller finds it.
  const leave = (why: ToolError) => (message.type === 'prepare' || waiting.size > 1 ? over.reject(why) : stop(why))
  const onAbort = () => leave(new ToolError('cancelled', 'The question about the graph was cancelled'))
  const [before, most] = [residentBytes(child.pid ?? 0), message.type === 'prepare' ? BUILD_BYTES : QUESTION_BYTES]
  const watch = setInterval(() => {
    if (residentBytes(child.pid ?? 0) > before + most) stop(tooMuchMemory())
  }, LOOK_MS)
  const late = () => (message.type === 'prepare' ? over.reject(stillMade(timeoutMs)) : stop(tooSlow(timeoutMs)))
  const timer = setTimeout(late, message.type === 'prepare' ? timeoutMs : timeoutMs + GRACE_MS)
  signal?.addEventListener('abort', onAbort, { once: true })
  const watchedAnswer = answer.finally(() => {
    clearInterval(watch)
    answered(running, id)
  })
  try {
    const response = await Promise.race([watchedAnswer, over.promise])
    return response === 'ended' ? undefined : response
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

interface Running {
  readonly child: ChildProcess
  readonly waiting: Map<number, (message: FromHost | 'ended') => void>
  /** Time of the last request. */
  usedAt: number
}

async function endProcess(child: ChildProcess): Promise<void> {
  const exit = new Promise(resolve => child.once('exit', resolve))
  // Without a reference the event loop would not wait for the exit.
  child.ref()
  child.kill('SIGKILL')
  await exit
}

type Response = Exclude<FromHost, { type: 'failed' }>

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

const stillMade = (ms: number): ToolError =>
  new ToolError('timeout', `The graph of these files was not built within ${ms} ms`, {
    hint: 'Give the question more time, or ask again: files already read are cached, and in a workspace process (toolwright up) the work continues.',
  })
