import { spawn } from 'node:child_process'
import { processorMs } from '../../machine/process/processor-ms.ts'
import { residentBytes } from '../../machine/process/resident-bytes.ts'
import { frameOf, frameReader } from './frames.ts'
import { withLargeStack } from './stack.ts'

/** A process that parses. A text that crashes, blocks or bloats a parser affects no other process. */
export interface ParserProcess {
  /** Sends one request at a time. Never throws: failures are answers. */
  ask(message: unknown): Promise<Answered>
  isBusy(): boolean
  /** Position in the list it was given: the item that ended or blocked it. */
  progress(): number
  /** Resolves when it is gone. */
  end(): Promise<void>
}

export type Answered = { readonly answer: unknown } | { readonly failed: ParseFailure }

/** Why parsing failed: the text ended the process, took too long, or too much memory. */
export type ParseFailure = 'crash' | 'timeout' | 'memory'

interface ProcessSettings {
  /** The file that Node runs. */
  readonly program: string
  /** Sent as its first message, which has no answer. */
  readonly settings: unknown
  /** Time limit of one text. */
  readonly longestMs: number
  onExit(): void
}

/** Messages of the process: its position in a list before it starts there, or an answer. */
type ParserMessage = { readonly at: number } | { readonly answer: unknown }

const LOOK_MS = 100
const MOST_BYTES = 2 * 1024 ** 3
/** Wall time limit as a multiple of the CPU time limit. */
const PATIENCE = 5
const HANDED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG'] as const

export function startParserProcess({ program, settings, longestMs, onExit }: ProcessSettings): ParserProcess {
  const [command, ...args] = withLargeStack(program)
  const child = spawn(command, args, {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    env: Object.fromEntries(
      HANDED_ON.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
  })
  const streams = [child.stdin, child.stdout] as unknown as readonly { ref(): void; unref(): void }[]
  let at = 0
  /** Start of the current text, in CPU time and in wall time. */
  let began = { cpuMs: 0, ms: 0 }
  let answered: ((answered: Answered) => void) | undefined
  let why: ParseFailure = 'crash'
  let isGone = false

  const gone = new Promise<void>(resolve => {
    const over = (): void => {
      if (isGone) return
      isGone = true
      onExit()
      answered?.({ failed: why })
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
      began = now()
      const said = message as ParserMessage
      if ('at' in said) at = said.at
      else answered?.(said)
    }),
  )
  child.stdin.write(frameOf(settings))
  hold(false)

  return {
    async ask(message) {
      if (isGone) return { failed: 'crash' }
      // The program must not end while a caller waits.
      hold(true)
      at = 0
      began = now()
      const watch = setInterval(look, LOOK_MS)
      try {
        return await new Promise<Answered>(resolve => {
          answered = resolve
          child.stdin.write(frameOf(message))
        })
      } finally {
        clearInterval(watch)
        answered = undefined
        hold(false)
      }
    },
    isBusy: () => answered !== undefined,
    progress: () => at,
    async end() {
      hold(true)
      child.kill('SIGKILL')
      await gone
    },
  }

  function look(): void {
    const { cpuMs, ms } = now()
    // On a busy machine a text waits for CPU time, which is not its fault.
    if (cpuMs - began.cpuMs > longestMs || ms - began.ms > longestMs * PATIENCE) stop('timeout')
    else if (residentBytes(child.pid ?? 0) > MOST_BYTES) stop('memory')
  }

  function now(): typeof began {
    const ms = performance.now()
    return { ms, cpuMs: processorMs(child.pid ?? 0) ?? ms }
  }

  function stop(reason: ParseFailure): void {
    why = reason
    child.kill('SIGKILL')
  }

  function hold(isHeld: boolean): void {
    for (const each of [child, ...streams]) {
      if (isHeld) each.ref()
      else each.unref()
    }
  }
}
