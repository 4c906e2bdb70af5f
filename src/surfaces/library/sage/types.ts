import type { z } from 'zod'
import type { GraphAdapter, JournalAdapter } from '../../../kernel/adapters.ts'
import type { Effect } from '../../../kernel/claim.ts'
import type { JsonSchema } from '../../../kernel/json-schema.ts'
import type { SecretProvider } from '../../../kernel/secret.ts'

/** Types of the document, in its spelling. */
export interface Tool<I, O> {
  name: string
  description?: string
  schema: JSONSchema
  validate(input: unknown): I
  execute(input: I, ctx: ToolContext): Promise<ToolResult<O>>
  version?: string
}

/** A JSON Schema, as the document names it. */
export type JSONSchema = JsonSchema

/** Directory and permissions of a call. Without `permissions` it may only read. */
export interface ToolContext {
  cwd: string
  env?: Record<string, string>
  dryRun?: boolean
  permissions?: string[]
  logger?: (evt: ToolLog) => void
  secretProvider?: SecretProvider
  /** Command lists of this call: denies everything beyond `allow`, and `deny` in any case. */
  commands?: CommandLists
  /** Stages changes in the transaction of this name, created by `inTransaction`, and lands them with it. */
  transaction?: string
  /**
   * Removes time, chance and network: the same calls on the same files give the same answers. A command that asks the
   * system's clock, its random numbers or the times of files still gets the real ones.
   */
  deterministic?: boolean
  /** Limits of this call. */
  quotas?: ToolQuotas
  /** Replaces the code graph. */
  graph?: GraphAdapter
  /** Replaces the journal, which the document calls Chronicle. */
  journal?: JournalAdapter
}

/**
 * Limits of one call. `timeoutMs` replaces the tool's own; for the others, the stricter of the configuration's and
 * these applies.
 */
export interface ToolQuotas {
  /** Wall time of the call; for `Bash`, of its command. */
  timeoutMs?: number
  /** Limits of commands; `fileBytes`, `writtenBytes` and `outputBytes` hold for `Write` and `Edit`, too. */
  cpuSeconds?: number
  memoryBytes?: number
  processes?: number
  /** Largest file it may write. */
  fileBytes?: number
  /** Bytes it may print, on both streams; for `Edit`, of the diff that it returns. */
  outputBytes?: number
  /** Bytes it may keep in /tmp. */
  tmpBytes?: number
  /** Bytes it may write to the workspace. */
  writtenBytes?: number
}

/** The first words of commands, such as `git` or `git log`. */
export interface CommandLists {
  allow?: string[]
  deny?: string[]
}

/** The transcript of one call, as the journal holds it. */
export interface ToolLog {
  readonly type: string
  readonly tool: string
  readonly ok: boolean
  readonly durationMs: number
  readonly [key: string]: unknown
}

/** Result of `execute`: `data` if `ok`, else `error`. */
export interface ToolResult<T> {
  ok: boolean
  data?: T
  error?: { code: string; message: string }
  /**
   * `dryRun` and `diff` are set after a dry run; `effects` if it could only name what would happen; `warnings` if there
   * is something to know besides the answer.
   */
  meta?: {
    startedAt: string
    endedAt: string
    durationMs: number
    dryRun?: true
    diff?: string
    effects?: readonly Effect[]
    warnings?: readonly string[]
  }
}

/** A tool as a model sees it. */
export interface ToolSchema {
  name: string
  description?: string
  version?: string
  parameters: JSONSchema
}

/** A tool of your own: a function with the schema of its arguments. */
// oxlint-disable-next-line typescript/no-explicit-any -- the document's own signature
export interface ToolDefinition<T extends z.ZodObject<any> = any> {
  name: string
  description: string
  parameters: T
  // oxlint-disable-next-line typescript/no-explicit-any -- the document's own signature
  implementation: (args: z.infer<T>, context: ToolContext) => Promise<any>
  version?: string
  /** Time limit, after which it returns ETIMEOUT; default 30 seconds. */
  timeoutMs?: number
  /** Effects on the machine. Without it, any effect is possible, and a read-only registry leaves the tool out. */
  effects?: readonly Effect[]
  /** Called instead of the implementation in a dry run. Returns the same kind of answer and changes nothing. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as the implementation
  simulate?: (args: z.infer<T>, context: ToolContext) => Promise<any>
  /**
   * The implementation respects `context.dryRun` itself. Otherwise a dry run does not call it if it may change files,
   * and only names its other effects.
   */
  simulates?: boolean
}

/** The file that `Read` reads. `offset` and `limit` select lines of a long one. */
export interface ReadToolInput {
  file: string
  /** First line, 1-based. */
  offset?: number
  /** Number of lines. */
  limit?: number
}
/** Result of `Read`. */
export interface ReadToolOutput {
  content: string
}
/** The file that `Write` writes, and its new content. */
export interface WriteToolInput {
  file: string
  content: string
}
/** Result of `Write`; `written` is false after a dry run. */
export interface WriteToolOutput {
  written: boolean
}
/** The command that `Bash` runs. */
export interface BashToolInput {
  command: string
  args?: string[]
}
/** Output of a command, and how it ended. */
export interface BashToolOutput {
  stdout: string
  stderr: string
  exitCode: number
}
/** The command lists of one tool, and the time limit of its commands. */
export interface BashToolOptions extends CommandLists {
  timeoutMs?: number
}
/** A Cypher query on the code graph, at a commit if one is named. */
export interface GraphQueryToolInput {
  query: string
  // oxlint-disable-next-line typescript/no-explicit-any -- the document's own signature
  params?: Record<string, any>
  commit?: string
}
/** The rows of a query. */
export interface GraphQueryToolOutput {
  // oxlint-disable-next-line typescript/no-explicit-any -- the document's own signature
  results: any[]
}
/** The file that `Edit` changes, and the unified diff; `check` only tries it. */
export interface EditToolInput {
  file: string
  patch: string
  strategy?: 'apply' | 'check'
}
/** Reports whether the diff was applied, and what it changed. */
export interface EditToolOutput {
  applied: boolean
  diff?: string
}
