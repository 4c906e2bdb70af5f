import type { Readable, Writable } from 'node:stream'
import type { StartPlace } from '../../../kernel/start-rules.ts'

/** What one command may use; whichever is passed first ends the whole of it. */
export interface Limits {
  readonly wallMs: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
  readonly processes: number
  readonly fileBytes: number
  readonly outputBytes: number
  readonly tmpBytes: number
  /** On disk, in the workspace as the command sees it. */
  readonly writtenBytes: number
}

export interface OverlayLayers {
  readonly lower: readonly string[]
  readonly upper: string
  readonly work: string
}

/** A directory outside the workspace that the command may change in a layer of its own. */
export interface SecondOverlay extends OverlayLayers {
  /** Where it is seen. */
  readonly place: string
  /** Names in it that stay as they are. */
  readonly readOnly: readonly string[]
}

/** What the command sees as the workspace. */
export type Tree =
  | { readonly kind: 'read-only' }
  /** Background commands: writes land at once. */
  | { readonly kind: 'direct' }
  /** `lower`: topmost first, the last is the workspace. */
  | ({ readonly kind: 'overlay'; readonly second?: SecondOverlay } & OverlayLayers)
  /** Where no overlay can be had. */
  | { readonly kind: 'copy'; readonly path: string }

export interface SandboxSpec {
  /** The workspace, a real path; the command sees it at the same path. */
  readonly root: string
  readonly argv: readonly string[]
  /** Relative to root. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly tree: Tree
  /** Relative paths that stay read-only in a writable tree (.git/hooks, .git/config, .git/info …). */
  readonly readOnly: readonly string[]
  /** Relative paths of files that must not be readable. */
  readonly hidden: readonly string[]
  /** A directory outside the workspace that this command may read, at its own place. */
  readonly shown?: string
  /** Undefined: no network at all. */
  readonly network: NetworkSpec | undefined
  readonly limits: Limits
  readonly stdin: 'none' | 'pipe'
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** Who is asked before programs that rules name begin. */
  readonly starts?: StartGuard
}

/** A start inside the sandbox that waits for its verdict. */
export interface GuardedStart {
  /** The names that led to the program's file. */
  readonly names: readonly string[]
  readonly path: string
  /** Reports whether nothing inside the sandbox can have made that path. */
  readonly isFixed: boolean
  readonly args: readonly string[]
  /** The programs that led there, the outermost first. */
  chain(): readonly string[]
  place(): StartPlace
  /** The words of the program that starts it. */
  parent(): readonly string[]
}

export interface StartGuard {
  /** Names of programs; every file of them that the sandbox shows is guarded. */
  readonly programs: readonly string[]
  /** Which of them a file is by its name; undefined if it is none. */
  programOf(file: string): string | undefined
  /** Says why a start may not happen; undefined lets it go on. While somebody is asked the command's clock stands. */
  judge(start: GuardedStart): string | undefined | Promise<string | undefined>
}

export interface NetworkSpec {
  /** Unix socket of our proxy. */
  readonly socket: string
  /** Names of the machine itself that are reached through it; the others are the sandbox's own. */
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
  /** With a terminal everything comes by stdout. */
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
  /** For doctor: which way is in use, what is limited and by what, and what is not. */
  readonly words: readonly string[]
  readonly cause?: string
  readonly mend?: string
}

/** Runs commands so that they reach nothing but what their specification names. */
export interface Sandbox {
  report(): SandboxReport
  start(spec: SandboxSpec): Started
}

/** What a sandbox is opened with, settled. */
export interface SandboxParts {
  readonly root: string
  readonly scratch: string
  readonly visible: readonly string[]
  readonly cgroup: boolean
  readonly path: string
  readonly home: string
}
