import type { CallIntent } from './call-intent.ts'
import type { Effect, KeptOrigin } from './claim.ts'
import type { FindConcealer } from './conceal.ts'
import type { Egress } from './egress.ts'
import type { HiddenPaths } from './hidden-paths.ts'
import type { SecretReading } from './secret-files.ts'
import type { StartRules } from './start-rules.ts'

/** State of a session beyond files, commands and connections: past commands, the plan, the transaction, the undo. */
export type SessionState = 'journal' | 'plan' | 'stage' | 'undo'

/** Options for opening the engines of one call, besides its claims. */
export interface OpenOptions {
  /** What the tool declares that it does. Its run holds nothing else, whatever the code tries. */
  readonly declared: { readonly effects: readonly Effect[]; readonly uses: readonly SessionState[] }
  readonly strictWrites: boolean
  /** Globs that policy denies for reading, whatever was claimed. */
  readonly hidden: readonly string[]
  /** Reports whether policy lets the caller read this path without asking. */
  readonly mayRead: (path: string) => boolean
  /** Reports whether policy lets the caller see this name. The name of a file that holds secrets is no secret. */
  readonly mayList: (path: string) => boolean
  /** How many of the files that hold secrets policy opens. The others never appear in an answer made from contents. */
  readonly secretFiles: SecretReading
  /** Conceals secrets in what the call shows a part of; absent if the session can have none. */
  readonly conceal?: FindConcealer | undefined
  /** The policy for hosts that a call connects to. */
  readonly egress: Egress
  /** Paths that rules hide from a command. */
  readonly hides: HiddenPaths | undefined
  /** Every path that the caller may not read. */
  readonly unreadable: HiddenPaths | undefined
  /** Reports whether a rule or a person must judge a command's change at a path that git ignores. */
  readonly isJudged: (path: string, isNew: boolean) => boolean
  /** Nothing lands unjudged: a command may change only staged files. */
  readonly stagedOnly: boolean
  /** How changes by the call's commands are handled. */
  readonly commandTree: CommandTree
  /** Reports whether changes by commands in the repository's own directory may land. */
  readonly keepsRepository: (path: string, isNew?: boolean) => boolean
  /** Rules for programs when they start; undefined if no rule names one. */
  readonly starts?: StartRules | undefined
  /** The plan whose stored result replaces running a command again. */
  readonly plan?: string | undefined
  readonly preview: boolean
  /** Stores a text that the answer refers to, and returns the id of its `ref:ID`. */
  readonly store: (text: string) => string
  /** Throws unless the caller may read what an earlier call answered. */
  readonly ensureReadable: (origin: KeptOrigin) => Promise<void>
  /** Records that the call is about to change something. Throws if that cannot be written; then nothing may change. */
  readonly begin: (beginning: CallIntent) => void
}

/** `dropped`: commands may change anything, and nothing of it lands. `read-only`: commands cannot change anything. */
export type CommandTree = 'writable' | 'dropped' | 'read-only'
