import type { Decision } from '../guards/policy/decide.ts'
import type { Claim } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import type { Meta } from '../kernel/outcome.ts'
import type { RunFacts } from '../kernel/run-facts.ts'
import type { GivenContent } from '../kernel/tool.ts'
import type { Approval } from './approve.ts'
import type { Caller } from './call-options.ts'
import type { Answer } from './questions.ts'
import type { RunTexts } from './run-texts.ts'
import type { ThinkingTime } from './thinking-time.ts'

/**
 * Facts collected during a call, so that the record of a refused call is as complete as that of a finished one.
 */
export interface CallTrace {
  /** The id of the call. */
  readonly id: string
  readonly startedAt: string
  readonly dryRun: boolean
  readonly task: string
  /** Who makes it, if its surface knows. */
  readonly caller?: Caller | undefined
  /** What its budgets count for. */
  readonly account: string
  tool?: Pick<AnyTool, 'version' | 'abridge' | 'effects' | 'uses'>
  input: unknown
  /** The input as received, before the schema added its defaults. */
  readonly given?: unknown
  claims: readonly Claim[]
  decision?: Decision
  approval?: Approval | undefined
  /** No one was asked, because the call would change nothing. */
  mustChangeNothing?: boolean
  /** The time that a person took to answer. */
  thinking?: ThinkingTime
  /** Whether the session was in a transaction when that was last looked at. */
  isStaging?: boolean
  /** The exception, if it was a defect. */
  defect?: unknown
  /** The size of the answer before any cut. */
  bytes?: number
  /** The answer as it was measured, so that its record does not encode it again. */
  encoded?: { readonly value: unknown; readonly json: string; readonly bytes: number }
  changed: readonly string[]
  /** The usage of its budgets, if it has any. */
  spent?:
    | { readonly calls: number; readonly bytes: number; readonly given?: string; readonly account?: string }
    | undefined
  /** The source of the answer's bytes, if the tool names it. */
  whole?: GivenContent
  /** Of the process that the call ran. */
  facts?: RunFacts
  /** The answers of the list that the call has and that still count if it is killed. */
  answers?: Answer[]
  /** What an approved command runs from the workspace, as it was when a person was asked. */
  runs?: RunTexts
  landed: Partial<Meta>
  /** Warnings of the tool. */
  warnings?: readonly string[]
  /** What the contract reports about the call in the workspace. */
  metrics?: Readonly<Record<string, unknown>> | undefined
}
