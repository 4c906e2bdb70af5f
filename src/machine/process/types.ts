import type { Printed } from '../../kernel/run-facts.ts'
import type { CallContext } from '../../kernel/tool.ts'

/** One requested command: a shell line, or a program with arguments. */
export interface RunSpec {
  readonly line?: string
  readonly argv?: readonly string[]
  /** Directory of the workspace; default: its root. */
  readonly cwd?: string
  readonly timeoutMs?: number
  readonly stdin?: string
  /** Runs it on a terminal of this size. */
  readonly terminal?: { readonly columns: number; readonly rows: number }
}

/** Result of a command with its output. */
export interface Ran extends Printed {
  /** As a shell reports it: 128 plus the signal number if a signal ended it. */
  readonly exitCode: number
  readonly signal?: string
  readonly stdoutBytes: number
  readonly stderrBytes: number
  /** Count of all printed lines, including omitted ones. */
  readonly stdoutLines: number
  readonly stderrLines: number
  /** The middle of a long output is omitted. */
  readonly truncated: boolean
  /** Omitted bytes of both streams. */
  readonly bytesLeftOut: number
  readonly durationMs: number
  /** Shell that ran the line, if the user's shell is another. */
  readonly shell?: 'bash' | 'sh'
}

/** A command that outlives its call. */
export interface BackgroundState {
  readonly handle: string
  readonly command: string
  readonly running: boolean
  readonly exitCode?: number
  readonly signal?: string
  /** Reason if a limit ended it. */
  readonly ended?: string
  /** Both streams, in order of arrival. */
  readonly output: string
  /** Offset for the next read. */
  readonly offset: number
  /** Earlier output is no longer stored. */
  readonly truncated: boolean
  readonly durationMs: number
}

/** Runs the claimed lines of a call in a sandbox. */
export interface ProcessEngine {
  run(spec: RunSpec, call: CallContext): Promise<Ran>
  /** Starts a background command, which writes to the workspace directly. */
  start(spec: RunSpec, call: CallContext): Promise<BackgroundState>
  poll(handle: string): BackgroundState
  /** Returns its output as plain text; if that is not exactly what it printed, the bytes are stored. */
  read(handle: string, since: number, call: Pick<CallContext, 'keep' | 'warn'>): BackgroundState
  write(handle: string, input: string): BackgroundState
  stop(handle: string): Promise<BackgroundState>
}

/** Limits of one command; a call may ask for less. */
export interface CommandLimits {
  readonly timeoutMs: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
  readonly processes: number
  readonly fileBytes: number
  readonly outputBytes: number
  readonly tmpBytes: number
  readonly writtenBytes: number
}
