import type { ToolError } from '../../kernel/error.ts'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'

/** Exit codes: part of the interface. */
export const EXIT = { ok: 0, failed: 1, usage: 2, refused: 3 } as const

/** The exit code of a call that failed: refused by policy, a person or the workspace's edge, or failed by itself. */
export const failureCode = ({ code }: ToolError): number =>
  code === 'denied' || code === 'rejected' || code === 'outside_workspace' ? EXIT.refused : EXIT.failed

/** The caller's words cannot be understood; ends with exit code 2 and the help that would have helped. */
export class UsageError extends Error {
  override name = 'UsageError'
  readonly command: string | undefined
  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

/** Options that every command knows. */
export const COMMON = {
  root: { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig

/** Strict parsing whose complaints are ours: what was given, and which command to ask for help. */
export function parse<const Options extends ParseArgsOptionsConfig>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options: { ...COMMON, ...options }, allowPositionals: true, strict: true })
  } catch (cause) {
    throw new UsageError(
      cause instanceof Error ? (cause.message.split(/\.\s/)[0] ?? cause.message) : String(cause),
      command,
    )
  }
}
