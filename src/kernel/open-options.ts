import type { CallIntent } from './call-intent.ts'
import type { Egress } from './egress.ts'
import type { HiddenPaths } from './hidden-paths.ts'
import type { SecretReading } from './secret-files.ts'
import type { StartRules } from './start-rules.ts'

/** How the engines of one call are opened, besides its claims. */
export interface OpenOptions {
  readonly strictWrites: boolean
  /** Globs that policy denies for reading, whatever was claimed. */
  readonly hidden: readonly string[]
  /** Reports whether policy lets the caller read this path without asking. */
  readonly mayRead: (path: string) => boolean
  /** Reports whether policy lets the caller see this name: that of a file which holds secrets is none itself. */
  readonly mayList: (path: string) => boolean
  /** How many of the files that hold secrets policy opens; those it does not are in no answer made from contents. */
  readonly secretFiles: SecretReading
  /** What policy says about the hosts that a call reaches. */
  readonly egress: Egress
  /** What rules keep from a command. */
  readonly hides: HiddenPaths | undefined
  /** Everything that the caller may not read. */
  readonly unreadable: HiddenPaths | undefined
  /** Reports whether a change that a command made at a path that git ignores is for a rule or a person to judge. */
  readonly isJudged: (path: string) => boolean
  /** Nothing lands that was not judged: a command may change only what is staged. */
  readonly stagedOnly: boolean
  /** What becomes of what the commands of the call change. */
  readonly commandTree: CommandTree
  /** Reports whether what they change in the repository's own directory may land. */
  readonly keepsRepository: boolean
  /** What rules say about programs when they start; undefined if none names one. */
  readonly starts?: StartRules | undefined
  /** The plan whose kept result takes the place of running a command again. */
  readonly plan?: string | undefined
  readonly preview: boolean
  /** Writes that the call is about to change something; throws where that cannot be written, and then nothing may change. */
  readonly begin: (beginning: CallIntent) => void
}

/** `dropped`: they may change what they like, and nothing of it lands. `read-only`: they only read, and can change nothing. */
export type CommandTree = 'writable' | 'dropped' | 'read-only'
