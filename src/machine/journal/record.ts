import type { Claim, ReadLimits } from '../../kernel/claim.ts'
import type { CodeFault } from '../../kernel/edit-effects.ts'
import type { Code } from '../../kernel/error.ts'
import type { JournalRecord } from './chain.ts'

/** Content stored beside the journal because it is too large for a record. */
export interface Reference {
  /** The payload's id. */
  readonly ref: string
  /** Its size before storage. */
  readonly bytes: number
}

/** Known resource usage of the call. */
interface Resources {
  readonly cpuMs?: number
  readonly maxRssBytes?: number
  readonly bytesRead?: number
  readonly bytesWritten?: number
}

/** Budget usage of a call. */
interface Taken {
  readonly calls: number
  readonly bytes: number
  /** Source of the bytes. */
  readonly given?: string
  /** What was charged, if not the task: the account of calls that name none. */
  readonly account?: string
}

/** Code of a call that never reached its end. */
export const INTERRUPTED = 'interrupted'

/** One call, including refused ones: who requested what, the decision and its rule, and the result. */
export interface CallRecord {
  readonly type: 'call'
  readonly id: string
  readonly session: string
  /** The program that made the call, as its surface knows it. */
  readonly client?: string
  /** The agent within that program, if it has several. */
  readonly agent?: string
  readonly task?: string
  /** `contract/name`, regardless of the name on the wire. */
  readonly tool: string
  /** Absent for an unknown tool. */
  readonly version?: string
  readonly input?: unknown
  readonly inputRef?: Reference
  readonly claims: readonly Claim[]
  /** The line of the background command that it names. */
  readonly background?: string
  /** What its policy kept from it, if anything. */
  readonly limits?: ReadLimits
  readonly verdict?: { readonly verdict: 'allow' | 'ask' | 'deny'; readonly rule?: string; readonly why?: string }
  readonly approval?: {
    readonly by: string
    readonly answer: string
    readonly at: string
    readonly scope?: string
    /** The stored rule that decided, or that `always` created. */
    readonly rule?: string
  }
  readonly ok: boolean
  /** `interrupted`: the calling process was gone before it could record the end. */
  readonly code?: Code | typeof INTERRUPTED
  readonly message?: string
  readonly startedAt: string
  readonly durationMs: number
  readonly changed: readonly string[]
  /** Its budget usage, if it had budgets. */
  readonly spent?: Taken
  /** Errors that the change introduced and fixed, if judged; `errors` are the first introduced ones. */
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
  /** Size of the complete result, before any cut. */
  readonly bytes?: number
  /** Its contract's metrics for the workspace. */
  readonly metrics?: Readonly<Record<string, unknown>>
  /** Exit code of its process, if it ran one. */
  readonly exitCode?: number
  readonly signal?: string
  readonly resources?: Resources
  /** Its sandbox; `off` if the user switched it off. */
  readonly sandbox?: string
  /** It wrote to the workspace directly, which cannot be undone. */
  readonly direct?: boolean
  readonly net?: readonly { readonly origin: string; readonly allowed: boolean; readonly why?: string }[]
  readonly printed?: unknown
  readonly printedRef?: Reference
}

/**
 * A call is about to change something. Written before the change, as the first half of its record; the call's own
 * record with the same id is the second. A command has one at its start, and one more when its changes land.
 */
export interface IntentRecord extends Pick<
  CallRecord,
  | 'id'
  | 'session'
  | 'client'
  | 'agent'
  | 'task'
  | 'tool'
  | 'version'
  | 'input'
  | 'inputRef'
  | 'claims'
  | 'limits'
  | 'verdict'
  | 'approval'
  | 'startedAt'
  | 'spent'
  | 'dryRun'
  | 'direct'
> {
  readonly type: 'intent'
  /** The staged paths about to change; absent while nothing lands yet. */
  readonly changed?: readonly string[]
  /** Unstaged content changes too: git-ignored paths, or the repository itself. */
  readonly unstaged?: true
}

/** Trust in a project's configuration was given or withdrawn. */
export interface TrustRecord {
  readonly type: 'trust'
  readonly change: 'pinned' | 'unpinned'
  readonly file: string
  /** Hash of the trusted content. */
  readonly sha256?: string
  readonly by: string
}

export interface RemovedSegment {
  readonly file: string
  /** First and last removed record, and the hash of the last. */
  readonly from: number
  readonly to: number
  readonly hash: string
  readonly bytes: number
}

/** Reports whether a record is a call. */
export const isCall = (record: JournalRecord): record is JournalRecord & CallRecord => record.type === 'call'

export const isIntent = (record: JournalRecord): record is JournalRecord & IntentRecord => record.type === 'intent'

/** Sums the budget usage of calls by task and tool from the records, since each task's last reset. */
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
    const { tool, spent } = record
    const task = spent.account ?? record.task ?? ''
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
