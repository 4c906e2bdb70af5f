import type { Approval, CompiledApproval } from '../guards/approval/approval.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Demand, PastStep } from '../guards/workflow.ts'
import type { Change } from '../kernel/change.ts'
import type { Claim, Effect, Facts } from '../kernel/claim.ts'
import type { EditEffects, EffectsMode, EffectsRules, LateEffects } from '../kernel/edit-effects.ts'
import type { OpenOptions } from '../kernel/open-options.ts'
import type { SecretProvider } from '../kernel/secret.ts'
import type { Budget, ToolBudget } from '../kernel/tool.ts'
import type { Clock } from './clock.ts'
import type { Questions } from './questions.ts'
import type { Schedule } from './schedule.ts'

/** Engines opened for one call: what was not claimed cannot be reached, and nothing lands before `commit`. */
export interface Opened<Engines> {
  readonly engines: Engines
  /** The answer is within the budgets: what was read for it may be remembered. */
  given?(): void
  changes(): readonly Change[]
  /** Lands the changes under this id, or adds them to the transaction the session is in. */
  commit(id: string): Promise<Landed> | Landed
  /** What the changes break, as far as it is known in time; undefined if none is of a language that anybody judges. */
  effects?(wish: EffectsRequest): Promise<JudgedChange | undefined>
  /** What landing would warn of, for a call that lands nothing. */
  foretell?(): readonly string[]
  /** What lands besides the changes (ignored paths, the repository's own content), as a plan names it. */
  unstaged?(): Promise<readonly unknown[]>
  /** Keeps what commands did, so that the same call with this plan lands it without running them again; says whether it could. */
  keep?(plan: string): Promise<boolean>
  /** Ends what still runs and removes what was made for the call. */
  close?(): Promise<void> | void
}

/** What somebody wants to know of a change. */
export interface EffectsRequest {
  readonly mode: EffectsMode
  readonly deadlineMs: number
  /** Of a change that is about to land everything is wanted, and waited for so long. */
  readonly landingMs: number | undefined
  readonly signal: AbortSignal | undefined
}

export interface JudgedChange {
  /** Undefined if they were not wanted. */
  readonly effects: EditEffects | undefined
  /** The change goes to the files themselves, and not only into a transaction. */
  readonly lands: boolean
  /** All of them under the id of the change, where only time was lacking; undefined if that does not become known. */
  readonly later?: (id: string) => Promise<LateEffects | undefined>
}

interface Landed {
  readonly undo?: string
  readonly transaction?: string
  readonly warnings?: readonly string[]
}

/** A place within a budget, held while a call runs. */
export interface Lease {
  /** Counts bytes before they are given away, and what they are of; throws `budget_exceeded` if they are too many. */
  take(bytes: number, given?: string): void
  release(): void
}

/** The first half of the record of a call that changes something. */
export interface Intent extends Recorded {
  readonly type: 'intent'
  readonly session: string
  readonly task: string
  readonly tool: string
  readonly claims: readonly Claim[]
  readonly startedAt: string
}

export interface Recorded {
  /** Of the call. */
  readonly id: string
  readonly [field: string]: unknown
}

/** The machine as a session sees it: the engines, handed in as functions. */
export interface Machine<Engines> {
  readonly facts: Facts
  /** Claims with the real paths that they mean. */
  canonical(claims: readonly Claim[]): readonly Claim[]
  /** Loads the code that calls of tools with these effects run; awaited before such a tool states its claims. */
  load?(effects: readonly Effect[]): Promise<void> | undefined
  open(grant: readonly Claim[], options: OpenOptions): Opened<Engines>
  /** Keeps bytes beside the journal and names them. */
  keep(bytes: string): string
  /** Appends the intent of a call to the journal, what is too large for it (`input`) beside it. */
  intend(entry: Intent, options: { readonly durable: boolean; readonly input: string | undefined }): void
  /** Appends the record of a call to the journal. Its intent is on disk where it changed something. */
  record(entry: Recorded): void
  /** How many calls of a tool a task has made so far, over all processes. */
  spent(scope: { readonly task: string; readonly tool: string }): number
  /** Adds a line to a file of metrics in the workspace. */
  tell(file: string, line: string): void
  /** Adds it to a file of this name outside the workspace. */
  tellApart(file: string, line: string): void
  /** A place within each of the budgets, or in none. */
  reserve(scope: { readonly task: string; readonly tool: string }, budgets: readonly ToolBudget[]): Lease
}

/** The answers that people left behind, ready to be matched. */
export interface Approvals {
  list(): Promise<readonly CompiledApproval[]>
  add(approval: Omit<Approval, 'id'>): Approval
  touch(id: string, at: number): void
}

/** What one user, agent or program works in: everything a call needs besides itself. */
export interface Session<Engines> {
  readonly id: string
  /** The named piece of work that budgets are counted for. */
  readonly task: string
  readonly workspace: string
  readonly clock: Clock
  readonly policy: Policy
  readonly answerBytes: number
  readonly budgets: (task: string, tool: string, own: Budget | undefined) => readonly ToolBudget[]
  /** Milliseconds that a call of a tool may take; undefined for what everything may. */
  readonly timeout: (tool: string, own: number | undefined) => number | undefined
  /** What the order of work demands, and the calls that are over. */
  readonly demands: readonly Demand[]
  readonly history: PastStep[]
  readonly questions: Questions
  readonly approvals: Approvals
  /** How long an `always` is remembered unless the person says otherwise. */
  readonly approvalMs: number
  /** What is told of changes, and what they are refused for. */
  readonly effects: EffectsRules
  /** What became known of earlier changes since the last answer; absent where there is no next one. */
  readonly lateEffects?: LateEffects[]
  readonly secrets: SecretProvider | undefined
  /** Every secret revealed so far, so that a later answer cannot carry an earlier secret. */
  readonly revealed: Map<string, string>
  readonly schedule: Schedule
  readonly machine: Machine<Engines>
}
