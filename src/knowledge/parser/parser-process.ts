import { spawn } from 'node:child_process'
import { processorMs } from '../../machine/process/processor-ms.ts'
import { residentBytes } from '../../machine/process/resident-bytes.ts'
import { frameOf, frameReader } from './frames.ts'
import type { ToParser } from './parser-thread.ts'
import { withLargeStack } from './stack.ts'

/** A process that parses. A text that crashes, blocks or bloats a parser affects no other process. */
export interface ParserProcess {
  /** Sends one request at a time. Never throws: failures are answers. */
  ask(message: unknown): Promise<Answered>
  isBusy(): boolean
  /** Its memory now. */
  bytes(): number
  /**
   * The last position in its list that it told: this item, or one soon after it, ended or blocked it. Undefined before
   * it began the first.
   */
  progress(): number | undefined
  /** Resolves when it is gone. */
  end(): Promise<void>
}

/** A process that can pass from one owner to the next. */
export interface PassedProcess extends ParserProcess {
  /** Closes the work of its owner. Reports whether the process still runs; `onExit` is called when it ends. */
  leave(onExit: () => void): Promise<boolean>
  serve(owner: ProcessSettings): void
}

export type Answered = { readonly answer: unknown } | { readonly failed: ParseFailure }

/** Why parsing failed: the text ended the process, took too long, or too much memory. */
export type ParseFailure = 'crash' | 'timeout' | 'memory'

export interface ProcessSettings {
  /** The file that Node runs. */
  readonly program: string
  readonly settings: unknown
  /** Time limit of one text. */
  readonly longestMs: number
  onExit(): void
}

/** Messages of the process: its position in a list, at the start and every now and then, or an answer. */
type ParserMessage = { readonly at: number } | { readonly answer: unknown }

const LOOK_MS = 100
const MOST_BYTES = 2 * 1024 ** 3
/** Wall time limit as a multiple of the CPU time limit. */
const PATIENCE = 5
const HANDED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE'] as const

export function startParserProcess(starter: ProcessSettings): PassedProcess {
  let owner: Pick<ProcessSettings, 'longestMs' | 'onExit'> = starter
  const [command, ...args] = withLargeStack(starter.program)
  const child = spawn(command, args, { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'], env: handedOn() })
  const handles = [child, child.stdin, child.stdout] as unknown as readonly { ref(): void; unref(): void }[]
  let at: number | undefined
  /** Start of the current text, as the first look during it saw it: most texts are over before one. */
  let began: Times | undefined
  let onAnswer: ((answered: Answered) => void) | undefined
  let why: ParseFailure = 'crash'
  let isGone = false

  const exit = new Promise<void>(resolve => {
    const over = (): void => {
      if (isGone) return
      isGone = true
      owner.onExit()
      onAnswer?.({ failed: why })
      resolve()
    }
    // Not before all its output was read.
    child.on('close', over)
    child.on('error', () => child.pid === undefined && over())
  })
  child.stdin.on('error', () => {})
  child.stdout.on(
    'data',
    frameReader(message => {
      began = undefined
      const reply = message as ParserMessage
      if ('at' in reply) at = reply.at
      else onAnswer?.(reply)
    }),
  )
  send({ settings: starter.settings })
  hold(false)

  return {
    ask: message => request({ message }),
    isBusy: () => onAnswer !== undefined,
    bytes: () => residentBytes(child.pid ?? 0),
    progress: () => at,
    async end() {
      hold(true)
      child.kill('SIGKILL')
      await exit
    },
    async leave(onExit) {
      const closeReply = await request({ close: true })
      owner = { ...owner, onExit }
      return 'answer' in closeReply
    },
    serve(next) {
      owner = next
      send({ settings: next.settings })
    },
  }

  function send(message: ToParser): void {
    child.stdin.write(frameOf(message))
  }

  async function request(message: ToParser): Promise<Answered> {
    at = undefined
    if (isGone) return { failed: 'crash' }
    // The program must not end while a caller waits.
    hold(true)
    began = undefined
    const watch = setInterval(look, LOOK_MS)
    try {
      return await new Promise<Answered>(resolve => {
        onAnswer = resolve
        send(message)
      })
    } finally {
      clearInterval(watch)
      onAnswer = undefined
      hold(false)
    }
  }

  function look(): void {
    const { cpuMs, ms } = timesOf(child.pid)
    began ??= { cpuMs, ms }
    const { longestMs } = owner
    // On a busy machine a text waits for CPU time, which is not its fault.
    if (cpuMs - began.cpuMs > longestMs || ms - began.ms > longestMs * PATIENCE) stop('timeout')
    else if (residentBytes(child.pid ?? 0) > MOST_BYTES) stop('memory')
  }

  function stop(reason: ParseFailure): void {
    why = reason
    child.kill('SIGKILL')
  }

  function hold(isHeld: boolean): void {
    for (const handle of handles) handle[isHeld ? 'ref' : 'unref']()
  }
}

/** The wall time, and the CPU time of a process. */
interface Times {
  readonly ms: number
  readonly cpuMs: number
}

function timesOf(pid = 0): Times {
  const ms = performance.now()
  return { ms, cpuMs: processorMs(pid) ?? ms }
}

const handedOn = (): NodeJS.ProcessEnv =>
  Object.fromEntries(HANDED_ON.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
