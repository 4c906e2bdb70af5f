import type { Claim } from '../../kernel/claim.ts'
import type { CodeFault } from '../../kernel/edit-effects.ts'
import type { Code } from '../../kernel/error.ts'
import type { JournalRecord } from './chain.ts'

/** Something kept beside the journal because it is too large for a record. */
export interface Reference {
  /** The payload's id. */
  readonly ref: string
  /** Its size before it was put away. */
  readonly bytes: number
}

/** What was used while the call ran, as far as it is known. */
interface Resources {
  readonly cpuMs?: number
  readonly maxRssBytes?: number
  readonly bytesRead?: number
  readonly bytesWritten?: number
}

/** What a call took of its budgets. */
interface Taken {
  readonly calls: number
  readonly bytes: number
  /** What the bytes are of. */
  readonly given?: string
}

/** How a call ended that never came to its own end. */
export const INTERRUPTED = 'interrupted'

/** One call, refused ones too: who asked for what, what was decided and by which rule, and what came of it. */
export interface CallRecord {
  readonly type: 'call'
  readonly id: string
  readonly session: string
  readonly task?: string
  /** `contract/name`, whatever the wire called it. */
  readonly tool: string
  /** Absent where no tool of that name is known. */
  readonly version?: string
  readonly input?: unknown
  readonly inputRef?: Reference
  readonly claims: readonly Claim[]
  readonly verdict?: { readonly verdict: 'allow' | 'ask' | 'deny'; readonly rule?: string; readonly why?: string }
  readonly approval?: {
    readonly by: string
    readonly answer: string
    readonly at: string
    readonly scope?: string
    /** The stored rule that answered, or that `always` left behind. */
    readonly rule?: string
  }
  readonly ok: boolean
  /** `interrupted`: the process that made the call was gone before it could say how the call ended. */
  readonly code?: Code | typeof INTERRUPTED
  readonly message?: string
  readonly startedAt: string
  readonly durationMs: number
  readonly changed: readonly string[]
  /** What it took of its budgets, where it had any. */
  readonly spent?: Taken
  /** What the change broke and mended, where somebody judged it; `errors` are the first of those introduced. */
  readonly effects?: {
    readonly introduced: number
    readonly cured: number
    readonly complete: boolean
    readonly errors?: readonly CodeFault[]
  }
  readonly undo?: string
  readonly transaction?: string
  readonly warnings?: readonly string[]
  readonly plan?: string
  readonly dryRun?: boolean
  readonly output?: unknown
  readonly outputRef?: Reference
  /** Size of the whole answer, before any cut. */
  readonly bytes?: number
  /** What its contract tells of it in the workspace. */
  readonly metrics?: Readonly<Record<string, unknown>>
  /** Of the process that the call ran, where it ran one. */
  readonly exitCode?: number
  readonly signal?: string
  readonly resources?: Resources
  /** The sandbox that it ran in; `off` where the user switched it off. */
  readonly sandbox?: string
  /** It wrote to the workspace itself, and nothing of that can be undone. */
  readonly direct?: boolean
  readonly net?: readonly { readonly origin: string; readonly allowed: boolean; readonly why?: string }[]
  readonly printed?: unknown
  readonly printedRef?: Reference
}

/**
 * A call is about to change something, written before it does: the first half of its record. The record of the call
 * itself, with the same id, is the second. A command has one when it starts, and one more when what it changed lands.
 */
export interface IntentRecord extends Pick<
  CallRecord,
  | 'id'
  | 'session'
  | 'task'
  | 'tool'
  | 'version'
  | 'input'
  | 'inputRef'
  | 'claims'
  | 'verdict'
  | 'approval'
  | 'startedAt'
  | 'spent'
  | 'dryRun'
  | 'direct'
> {
  readonly type: 'intent'
  /** The staged paths that are about to change; absent while nothing lands yet. */
  readonly changed?: readonly string[]
  /** What is not staged changes too: paths that git ignores, or the repository itself. */
  readonly unstaged?: true
}

/** A project's configuration was trusted, or no longer is. */
export interface TrustRecord {
  readonly type: 'trust'
  readonly change: 'pinned' | 'unpinned'
  readonly file: string
  /** Of the content that is trusted. */
  readonly sha256?: string
  readonly by: string
}

export interface RemovedSegment {
  readonly file: string
  /** First and last record that went, and the hash of the last. */
  readonly from: number
  readonly to: number
  readonly hash: string
  readonly bytes: number
}

/** The calls among the records of a journal. */
export const isCall = (record: JournalRecord): record is JournalRecord & CallRecord => record.type === 'call'

export const isIntent = (record: JournalRecord): record is JournalRecord & IntentRecord => record.type === 'intent'

/** What calls have taken of their budgets by task and tool, as the records tell it, since each task last got its own back. */
export function spentIn(records: Iterable<JournalRecord>): {
  readonly task: string
  readonly tool: string
  readonly calls: number
  readonly bytes: number
  readonly given?: readonly string[]
}[] {
  const tasks = new Map<string, Map<string, { calls: number; bytes: number; readonly given: Set<string> }>>()
  for (const record of records) {
    if (record.type === 'budget') tasks.delete(String(record['task']))
    if (!isCall(record) || record.spent === undefined) continue
    const { task = '', tool, spent } = record
    const tools = tasks.get(task) ?? new Map()
    tasks.set(task, tools)
    const total = tools.get(tool) ?? { calls: 0, bytes: 0, given: new Set<string>() }
    tools.set(tool, total)
    total.calls += spent.calls
    total.bytes += spent.bytes
    if (spent.given !== undefined) total.given.add(spent.given)
  }
  return [...tasks].flatMap(([task, tools]) =>
    Array.from(tools, ([tool, { calls, bytes, given }]) => ({
      task,
      tool,
      calls,
      bytes,
      ...(given.size > 0 && { given: [...given] }),
    })),
  )
}
