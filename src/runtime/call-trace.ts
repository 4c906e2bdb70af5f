import type { Decision } from '../guards/policy/decide.ts'
import type { Claim } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import type { Meta } from '../kernel/outcome.ts'
import type { RunFacts } from '../kernel/run-facts.ts'
import type { Approval } from './approve.ts'
import type { ThinkingTime } from './thinking-time.ts'

/** What becomes known of a call on its way, so that a refused one is recorded as fully as a finished one. */
export interface CallTrace {
  /** Of the call. */
  readonly id: string
  readonly startedAt: string
  readonly dryRun: boolean
  readonly task: string
  tool?: Pick<AnyTool, 'version' | 'abridge'>
  input: unknown
  /** The input as it came, before the schema added its defaults. */
  readonly given?: unknown
  claims: readonly Claim[]
  decision?: Decision
  approval?: Approval
  /** What a person took to answer. */
  thinking?: ThinkingTime
  /** What was thrown, where that was a defect. */
  defect?: unknown
  /** The size of the answer before any cut. */
  bytes?: number
  changed: readonly string[]
  /** What it took of its budgets, where it has any. */
  spent?: { readonly calls: number; readonly bytes: number; readonly given?: string } | undefined
  /** Of the process that the call ran. */
  facts?: RunFacts
  landed: Partial<Meta>
  /** What the contract tells of the call in the workspace. */
  metrics?: Readonly<Record<string, unknown>> | undefined
}
