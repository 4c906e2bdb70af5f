import type { RefusedStart } from './start-rules.ts'

/** A piece of a command's output. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** Removes secrets from a stream. Holds back text that could start a secret. */
export interface ConcealStream {
  push(chunk: Buffer): Buffer
  end(): Buffer
}

/** The bytes of a stream, stored beside the journal. */
export interface KeptStream {
  /** `ref:ID`. */
  readonly ref: string
  readonly bytes: number
}

/** The texts of both streams of a command. */
export interface Printed {
  readonly stdout: string
  readonly stderr: string
  /** Where the bytes of a stream are. A short one whose text has them all is not stored. */
  readonly kept?: { readonly stdout?: KeptStream; readonly stderr?: KeptStream }
  /** Says of each stream what its text lacks, and how to get it. */
  readonly outputNotes?: readonly string[]
}

/** Facts about a process that a call ran, for its record. */
export interface RunFacts {
  readonly exitCode?: number
  readonly signal?: string
  readonly resources?: { readonly cpuMs?: number; readonly maxRssBytes?: number }
  /** The sandbox of the process, or a note that there was none. */
  readonly sandbox?: string
  /** The process wrote to the workspace itself: nothing was staged, and nothing can be undone. */
  readonly direct?: true
  /** The origins that it requested, and whether each was allowed. */
  readonly net?: readonly { readonly origin: string; readonly allowed: boolean; readonly why?: string }[]
  /** Programs that rules kept it from starting. */
  readonly refused?: readonly RefusedStart[]
  /** Its output. */
  readonly printed?: Printed
}
