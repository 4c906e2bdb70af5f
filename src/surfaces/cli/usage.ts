import type { ToolError } from '../../kernel/error.ts'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'

/** Exit codes, part of the interface. `stopped` is the shells' code for a program that Ctrl-C ended. */
export const EXIT = { ok: 0, failed: 1, usage: 2, refused: 3, stopped: 130 } as const

/** Returns the exit code of a failed call: refused by policy, a person or the workspace's boundary, or failed. */
export const failureCode = ({ code }: ToolError): number =>
  code === 'denied' || code === 'rejected' || code === 'outside_workspace' ? EXIT.refused : EXIT.failed

/** Reports whether a completed call did not succeed: another exit code, invalid data. */
export function isFailedAnswer(data: unknown): boolean {
  const { exitCode, handle, valid, validators, effects } = Object(data)
  // Looking at or stopping a background command succeeds.
  if (typeof exitCode === 'number' && exitCode !== 0 && handle === undefined) return true
  // The change given to `effects` breaks something.
  if (Object(Object(effects).introduced).total > 0) return true
  return valid === false || (Array.isArray(validators) && validators.some(each => Object(each).passed === false))
}

/** An unknown word, and the known ones. */
interface Misspelled {
  readonly typed: string
  readonly known: readonly string[]
}

/** Invalid arguments. Ends with exit code 2 and a pointer to the right help. */
export class UsageError extends Error {
  override name = 'UsageError'
  readonly command: string | undefined
  readonly misspelled: Misspelled | undefined
  constructor(message: string, command?: string, misspelled?: Misspelled) {
    super(message)
    this.command = command
    this.misspelled = misspelled
  }
}

/** Options of every command. */
export const COMMON = {
  root: { type: 'string' },
  config: { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig

/** Options of every single call, however its input is given. */
export const CALL_OPTIONS = {
  'dry-run': { type: 'boolean' },
  plan: { type: 'string' },
  transaction: { type: 'string' },
  yes: { type: 'boolean' },
  'read-only': { type: 'boolean' },
  allow: { type: 'string', multiple: true },
  deny: { type: 'string', multiple: true },
  component: { type: 'string' },
  'wait-for-approval': { type: 'string' },
  deterministic: { type: 'boolean' },
  record: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

/** Returns the options that choose the configuration, as the toolkit takes them. */
export const configurationOf = ({
  config,
  profile,
}: {
  readonly config?: string | undefined
  readonly profile?: string | undefined
}): { readonly config?: string; readonly profile?: string } => ({
  ...(config !== undefined && { config }),
  ...(profile !== undefined && { profile }),
})

/** Parses strictly, with our own messages: what was given, and which command shows help. */
export function parse<const Options extends ParseArgsOptionsConfig>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  const allOptions = { ...COMMON, ...options }
  try {
    return parseArgs({ args: [...args], options: allOptions, allowPositionals: true, strict: true })
  } catch (cause) {
    throw complaint(command, cause, Object.keys(allOptions))
  }
}

function complaint(command: string, cause: unknown, options: readonly string[]): UsageError {
  const text = cause instanceof Error ? cause.message : String(cause)
  const [, doubtful] = /^Option '(?:-\w, )?(--[^']*)' argument is ambiguous/.exec(text) ?? []
  if (doubtful !== undefined)
    return new UsageError(
      `Option '${doubtful}' argument is ambiguous: it is missing, or begins with a dash (${doubtful}=VALUE)`,
      command,
    )
  const [firstSentence = text] = text.split(/\.\s/)
  const [, unknownOption] = /^Unknown option '(--[^']*)'/.exec(firstSentence) ?? []
  const optionNames = options.map(name => `--${name}`)
  return new UsageError(
    firstSentence,
    command,
    unknownOption === undefined ? undefined : { typed: unknownOption, known: optionNames },
  )
}
