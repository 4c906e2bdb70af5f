import type { Approval, CompiledApproval } from '../guards/approval/approval.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Demand, PastStep } from '../guards/workflow.ts'
import type { Change } from '../kernel/change.ts'
import type { Claim, Effect, Facts, KeptOrigin } from '../kernel/claim.ts'
import type { Egress } from '../kernel/egress.ts'
import type { EditEffects, EffectsMode, EffectsRules, LateEffects } from '../kernel/edit-effects.ts'
import type { LandedPart } from '../kernel/hunks.ts'
import type { OpenOptions } from '../kernel/open-options.ts'
import type { SecretProvider } from '../kernel/secret.ts'
import type { Budget, GivenContent, ToolBudget } from '../kernel/tool.ts'
import type { Clock } from './clock.ts'
import type { Questions } from './questions.ts'
import type { Schedule } from './schedule.ts'

/** Engines opened for one call. Unclaimed resources are out of reach, and nothing lands before `commit`. */
export interface Opened<Engines> {
  readonly engines: Engines
  /** The answer is within the budgets, so its reads may be cached. */
  given?(): void
  changes(): readonly Change[]
  /** Returns content that commands put only into the repository, as the changes that the next checkout would make. */
  content?(): readonly Change[]
  /** Returns what landing would change in the repository, to be shown. The commands that did it were judged. */
  repository?(): readonly Change[]
  /** Leaves only the hunks that a person accepted, and returns what is left of each change. */
  accept?(hunks: readonly number[]): readonly LandedPart[]
  /** Lands the changes under this id, or adds them to the session's transaction. */
  commit(id: string): Promise<Landed> | Landed
  /** Returns the files that were written with exactly what they had. */
  rewritten?(): readonly string[]
  /** Returns what the changes break, as far as it is known in time; undefined if no server judges their languages. */
  effects?(wish: EffectsRequest): Promise<JudgedChange | undefined>
  /** Throws if a claimed command cannot start or a claimed origin is never reached, as far as that is known before. */
  ensureStarts?(): Promise<void>
  /** Returns the warnings of landing, for a call that lands nothing. */
  previewWarnings?(): readonly string[]
  /** Returns what lands besides the changes (ignored paths, the repository's own content), as a plan names it. */
  unstaged?(): Promise<readonly unknown[]>
  /**
   * Stores the results of commands, so that the same call with this plan lands them without running again. Reports
   * whether it could.
   */
  keep?(plan: string): Promise<boolean>
  /** Ends running processes and removes what was created for the call. */
  close?(): Promise<void> | undefined
}

/** A request for the effects of a change. */
export interface EffectsRequest {
  readonly mode: EffectsMode
  readonly deadlineMs: number
  /** How long to wait for complete effects of a change that is about to land. */
  readonly landingMs: number | undefined
  readonly signal: AbortSignal | undefined
  /** Called once another process has the question: this one can do other work meanwhile. */
  readonly onSent: () => void
}

export interface JudgedChange {
  /** Undefined if they were not requested. */
  readonly effects: EditEffects | undefined
  /** The change goes to the files themselves, not only into a transaction. */
  readonly lands: boolean
  /** Returns all effects under the id of the change, if only time was lacking; undefined if they never become known. */
  readonly later?: (id: string) => Promise<LateEffects | undefined>
}

interface Landed {
  readonly undo?: string
  readonly transaction?: string
  readonly warnings?: readonly string[]
}

/** A place within a budget, held while a call runs. */
export interface Lease {
  /**
   * Counts bytes before they are given away, and what they are of; throws `budget_exceeded` if they are too many.
   * Returns how many it counted: of what is remembered, only those that the task has not paid for.
   */
  take(bytes: number, given?: string, whole?: GivenContent): number
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
  /** The id of the call. */
  readonly id: string
  readonly [field: string]: unknown
}

/** An input that is too large for the journal. */
interface LargeInput {
  readonly text: string
  readonly origin: KeptOrigin
}

/** The machine as a session sees it: the engines as functions. */
export interface Machine<Engines> {
  readonly facts: Facts
  /** Returns claims with the real paths that they mean. */
  canonical(claims: readonly Claim[]): readonly Claim[]
  /** Returns claims on real paths with the other names of each place, as the workspace is now. */
  named?(claims: readonly Claim[]): readonly Claim[]
  /** Loads the code behind tools with these effects; awaited before such a tool states its claims. */
  load?(effects: readonly Effect[]): Promise<void> | undefined
  open(grant: readonly Claim[], options: OpenOptions): Opened<Engines>
  /** Returns the text of a file as a command would see it now; undefined if there is none. */
  contentOf?(path: string): string | undefined
  /** Stores what this call answered beside the journal and returns its name. */
  keep(content: string | Buffer, origin: KeptOrigin): string
  /** Appends the intent of a call to the journal; stores what is too large for it (`input`) beside it. */
  intend(entry: Intent, options: { readonly durable: boolean; readonly input: LargeInput | undefined }): void
  /** Appends the record of a call to the journal. If the call changed something, its intent is on disk. */
  record(entry: Recorded): void
  /** Returns how many calls of a tool a task has made so far, over all processes. */
  spent(scope: { readonly task: string; readonly tool: string }): number
  /** Adds a line to a metrics file in the workspace. */
  tell(file: string, line: string): void
  /** Adds the line to a file of this name outside the workspace. */
  tellApart(file: string, line: string): void
  /** Returns the best past fix of a failure, if it is good enough and found in time; absent if hints are off. */
  pastFix?(failure: string, egress: Egress): Promise<PastFix | undefined>
  /** Reserves a place within each of the budgets, or in none. */
  reserve(scope: { readonly task: string; readonly tool: string }, budgets: readonly ToolBudget[]): Lease
}

/** What a hint says of a past fix. */
export interface PastFix {
  readonly id: string
  readonly errorType: string
  readonly userValidated: boolean
  readonly solution: string
}

/** Remembered answers of people, ready to be matched. */
export interface Approvals {
  list(): Promise<readonly CompiledApproval[]>
  add(approval: Omit<Approval, 'id'>): Approval
  touch(id: string, at: number): void
}

/** The scope that one user, agent or program works in: everything a call needs besides itself. */
export interface Session<Engines> {
  readonly id: string
  /** The named piece of work that calls belong to; `default` if none is named. */
  readonly task: string
  /** What the budgets of a contract that names tasks count for: the task, or an account of the session if none is named. */
  readonly account: string
  readonly workspace: string
  readonly clock: Clock
  readonly policy: Policy
  readonly answerBytes: number
  /** Matches the answers of trusted tools too, as tests do. */
  readonly checksAnswers: boolean
  readonly budgets: (task: string, tool: string, own: Budget | undefined) => readonly ToolBudget[]
  /** Returns the milliseconds that a call of a tool may take; undefined for the general default. */
  readonly timeout: (tool: string, own: number | undefined) => number | undefined
  /** How long a language server or an embedding model may load before a call fails. */
  readonly loadMs: number
  /** The demands on the order of work, and the finished calls. */
  readonly demands: readonly Demand[]
  readonly history: PastStep[]
  readonly questions: Questions
  /** The program that uses the session, unless a call names another. */
  readonly client?: string
  /** How long a question waits in the list of the workspace although no one decides here; undefined if it does not. */
  readonly waitMs?: number | undefined
  /** Returns the policy with what was stored since the call began; absent if it stays the same. */
  readonly policyNow?: () => Promise<Policy>
  readonly approvals: Approvals
  /** How long an `always` is remembered unless the person says otherwise. */
  readonly approvalMs: number
  /** What answers report about changes, and which changes are refused. */
  readonly effects: EffectsRules
  /** Effects of earlier changes that became known since the last answer; absent if there is no next one. */
  readonly lateEffects?: LateEffects[]
  readonly secrets: SecretProvider | undefined
  /** Every secret revealed so far, so that a later answer cannot carry an earlier secret. */
  readonly revealed: Map<string, string>
  readonly schedule: Schedule
  readonly machine: Machine<Engines>
}
