import type { z } from 'zod'
import type { GraphAdapter, JournalAdapter } from '../../../kernel/adapters.ts'
import type { Effect } from '../../../kernel/claim.ts'
import type { JsonSchema } from '../../../kernel/json-schema.ts'
import type { SecretProvider } from '../../../kernel/secret.ts'

/** The types of the document, spelled as it spells them. */
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

/** Where and with which rights a tool is executed. Without `permissions` it may read, and nothing else. */
export interface ToolContext {
  cwd: string
  env?: Record<string, string>
  dryRun?: boolean
  permissions?: string[]
  logger?: (evt: ToolLog) => void
  secretProvider?: SecretProvider
  /** Command lists of this call: beyond `allow` everything is denied, and `deny` in any case. */
  commands?: CommandLists
  /** Changes are staged in the transaction of this name, as `inTransaction` makes one, and land with it. */
  transaction?: string
  /**
   * No time, no chance, no network: the same calls on the same files give the same answers. A command that asks the system's
   * clock, its random numbers or the times of files still gets the real ones.
   */
  deterministic?: boolean
  /** What this call may use at most. */
  quotas?: ToolQuotas
  /** Stands in for the code graph. */
  graph?: GraphAdapter
  /** Stands in for the journal, which the document calls Chronicle. */
  journal?: JournalAdapter
}

/** Limits of one call. `timeoutMs` counts in place of the tool's own; of the others the stricter counts, the configuration's or these. */
export interface ToolQuotas {
  /** Wall time of the call; of `Bash`, of its command. */
  timeoutMs?: number
  /** The rest is about commands. */
  cpuSeconds?: number
  memoryBytes?: number
  processes?: number
  /** The largest file that it writes. */
  fileBytes?: number
  /** What it prints, on both streams. */
  outputBytes?: number
  /** What it keeps in /tmp. */
  tmpBytes?: number
  /** What it writes to the workspace. */
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

/** What `execute` gives: `data` where `ok`, else `error`. */
export interface ToolResult<T> {
  ok: boolean
  data?: T
  error?: { code: string; message: string }
  /**
   * `dryRun` and `diff` are there after a dry run, `effects` where it could only name what would have happened, `warnings` where there is something to know besides the answer.
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

/** A tool as a model is told of it. */
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
  /** Past this it answers ETIMEOUT; 30 seconds unless given. */
  timeoutMs?: number
  /** What it may do to the machine. Unless said otherwise it may do anything, and a read-only registry leaves it out. */
  effects?: readonly Effect[]
  /** Called in place of the implementation in a dry run: it answers alike and changes nothing. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as the implementation
  simulate?: (args: z.infer<T>, context: ToolContext) => Promise<any>
  /**
   * The implementation heeds `context.dryRun` itself. Any other that may change files is not called in a dry run, and of
   * one that has other effects the dry run only says which.
   */
  simulates?: boolean
}

/** The file that `Read` reads; of a long one `limit` lines from line `offset` on. */
export interface ReadToolInput {
  file: string
  /** First line, 1-based. */
  offset?: number
  /** Number of lines. */
  limit?: number
}
/** What `Read` gives. */
export interface ReadToolOutput {
  content: string
}
/** The file that `Write` writes, and its new content. */
export interface WriteToolInput {
  file: string
  content: string
}
/** What `Write` gives; `written` is false after a dry run. */
export interface WriteToolOutput {
  written: boolean
}
/** The command that `Bash` runs. */
export interface BashToolInput {
  command: string
  args?: string[]
}
/** What a command printed, and how it ended. */
export interface BashToolOutput {
  stdout: string
  stderr: string
  exitCode: number
}
/** The command lists of one tool, and how long its commands may take. */
export interface BashToolOptions extends CommandLists {
  timeoutMs?: number
}
/** A Cypher query on the graph of the code, at a commit where one is named. */
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
