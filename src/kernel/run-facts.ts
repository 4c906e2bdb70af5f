import type { RefusedStart } from './start-rules.ts'

/** A piece of what a command printed. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** Takes secrets out of a stream; holds back what may be the beginning of one. */
export interface ConcealStream {
  push(chunk: Buffer): Buffer
  end(): Buffer
}

/** What is known of a process that a call ran, for its record. */
export interface RunFacts {
  readonly exitCode?: number
  readonly signal?: string
  readonly resources?: { readonly cpuMs?: number; readonly maxRssBytes?: number }
  /** Which sandbox it ran in, or that there was none. */
  readonly sandbox?: string
  /** It wrote to the workspace itself: nothing of it was staged, and nothing can be undone. */
  readonly direct?: true
  /** What it asked of the network, and whether it got it. */
  readonly net?: readonly { readonly origin: string; readonly allowed: boolean; readonly why?: string }[]
  /** Programs that rules kept it from starting. */
  readonly refused?: readonly RefusedStart[]
  /** What it printed. */
  readonly printed?: { readonly stdout: string; readonly stderr: string }
}
