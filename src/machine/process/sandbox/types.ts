import type { Readable, Writable } from 'node:stream'
import type { StartPlace } from '../../../kernel/start-rules.ts'

/** Limits of one command. The first one exceeded ends the whole command. */
export interface Limits {
  readonly wallMs: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
  readonly processes: number
  readonly fileBytes: number
  readonly outputBytes: number
  readonly tmpBytes: number
  /** On disk, in the command's view of the workspace. */
  readonly writtenBytes: number
}

export interface OverlayLayers {
  readonly lower: readonly string[]
  readonly upper: string
  readonly work: string
}

/** A directory outside the workspace that the command may change in a separate layer. */
export interface SecondOverlay extends OverlayLayers {
  /** Path at which it is seen. */
  readonly place: string
  /** Names in it that stay unchanged. */
  readonly readOnly: readonly string[]
}

/** The command's view of the workspace. */
export type Tree =
  | { readonly kind: 'read-only' }
  /** Background commands: writes land at once. */
  | { readonly kind: 'direct' }
  /** `lower`: topmost first, the workspace last. */
  | ({ readonly kind: 'overlay'; readonly second?: SecondOverlay } & OverlayLayers)
  /** Used if no overlay can be mounted. */
  | { readonly kind: 'copy'; readonly path: string }

export interface SandboxSpec {
  /** The workspace, a real path; the command sees it at the same path. */
  readonly root: string
  readonly argv: readonly string[]
  /** Relative to root. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Deterministic mode: programs get seeds and a clock that stands. */
  readonly fixed?: boolean
  readonly tree: Tree
  /** Relative paths that stay read-only in a writable tree (.git/hooks, .git/config, .git/info …). */
  readonly readOnly: readonly string[]
  /** Relative paths of files that must not be readable. */
  readonly hidden: readonly string[]
  /** A directory outside the workspace that this command may read at its own path. */
  readonly shown?: string
  /** Undefined: no network. */
  readonly network: NetworkSpec | undefined
  readonly limits: Limits
  readonly stdin: 'none' | 'pipe'
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** Judges starts of programs named by rules. */
  readonly starts?: StartGuard
}

/** A program start inside the sandbox that waits for its verdict. */
export interface GuardedStart {
  /** Names that lead to the program's file. */
  readonly names: readonly string[]
  readonly path: string
  /** Reports whether nothing inside the sandbox can have created that path. */
  readonly isFixed: boolean
  readonly args: readonly string[]
  /** Ancestor programs, outermost first. */
  chain(): readonly string[]
  place(): StartPlace
  /** Words of the parent program. */
  parent(): readonly string[]
}

export interface StartGuard {
  /** Program names. Every visible file of these programs is guarded. */
  readonly programs: readonly string[]
  /** Returns the program that a file name stands for, or undefined. */
  programOf(file: string): string | undefined
  /** Returns why a start is refused; undefined allows it. The command's clock stops while a person is asked. */
  judge(start: GuardedStart): string | undefined | Promise<string | undefined>
}

export interface NetworkSpec {
  /** Unix socket of our proxy. */
  readonly socket: string
  /** Local names reached through the proxy. Other local names belong to the sandbox. */
  readonly outside?: readonly string[]
}

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  readonly ended?: 'wall' | 'cpu' | 'memory' | 'output' | 'processes' | 'written' | 'cancelled'
  readonly cpuMs?: number
  readonly maxRssBytes?: number
}

export interface Started {
  readonly pid: number
  readonly stdin: Writable | undefined
  readonly stdout: Readable
  /** Empty with a terminal, which sends everything to stdout. */
  readonly stderr: Readable
  resize?(columns: number, rows: number): void
  end(why: NonNullable<Exit['ended']>): void
  readonly exit: Promise<Exit>
}

export interface SandboxReport {
  readonly usable: boolean
  readonly situation: 'root-on-root' | 'root-on-user' | 'user' | 'none'
  readonly overlay: boolean
  readonly cgroup: boolean
  /** Lines for doctor: the way in use, the limits and their means, and missing limits. */
  readonly words: readonly string[]
  readonly cause?: string
  readonly fix?: string
}

/** Runs commands with access only to what their specification names. */
export interface Sandbox {
  report(): SandboxReport
  start(spec: SandboxSpec): Started
}

/** Resolved options of a sandbox. */
export interface SandboxParts {
  readonly root: string
  readonly scratch: string
  readonly visible: readonly string[]
  readonly cgroup: boolean
  readonly path: string
  readonly home: string
}
