import type { CallContext } from '../../kernel/tool.ts'

/** One command as a tool asks for it: a shell line, or a program with its arguments. */
export interface RunSpec {
  readonly line?: string
  readonly argv?: readonly string[]
  /** A directory of the workspace; the workspace itself unless given. */
  readonly cwd?: string
  readonly timeoutMs?: number
  readonly stdin?: string
  /** Runs it as if somebody sat before a terminal of this size. */
  readonly terminal?: { readonly columns: number; readonly rows: number }
}

/** How a command ended, and what it printed. */
export interface Ran {
  /** As a shell gives it: 128 and the number of the signal where one ended it. */
  readonly exitCode: number
  readonly signal?: string
  readonly stdout: string
  readonly stderr: string
  readonly stdoutBytes: number
  readonly stderrBytes: number
  /** Of all that was printed, also where not all of it is kept. */
  readonly stdoutLines: number
  readonly stderrLines: number
  /** The middle of a long output is left out. */
  readonly truncated: boolean
  /** So many bytes of both streams are. */
  readonly bytesLeftOut: number
  readonly durationMs: number
  /** What read the line, where the user's own shell is another. */
  readonly shell?: 'bash' | 'sh'
}

/** A command that goes on when its call is over. */
export interface BackgroundState {
  readonly handle: string
  readonly command: string
  readonly running: boolean
  readonly exitCode?: number
  readonly signal?: string
  /** Why it was ended, where a limit did it. */
  readonly ended?: string
  /** Both streams, in the order in which they came. */
  readonly output: string
  /** Where to read on. */
  readonly offset: number
  /** Something before this was printed and is not kept any more. */
  readonly truncated: boolean
  readonly durationMs: number
}

/** Runs commands in a sandbox, for the lines that the call has claimed. */
export interface ProcessEngine {
  run(spec: RunSpec, call: CallContext): Promise<Ran>
  /** Starts one that goes on by itself; it writes to the workspace at once. */
  start(spec: RunSpec, call: CallContext): Promise<BackgroundState>
  poll(handle: string): BackgroundState
  read(handle: string, since: number): BackgroundState
  write(handle: string, input: string): BackgroundState
  stop(handle: string): Promise<BackgroundState>
}

/** What one command may use unless the call asks for less. */
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
