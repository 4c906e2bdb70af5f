import type { Limit, RunBudget, RunLimits, TokenPrices } from '../../agent/run-budget.ts'
import type { RunEvent, RunStatus, RunUsage } from '../../agent/run-events.ts'
import type { NetChange } from '../../machine/workspace/commit/net-changes.ts'
import type { Answerer } from '../../runtime/questions.ts'
import type { SessionOptions } from '../../toolkit.ts'

/** A language model of the AI SDK, specification v4. */
export interface LanguageModel {
  readonly specificationVersion: 'v4'
  readonly provider: string
  readonly modelId: string
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

/** What a run of a model with the tools of a workspace takes. */
export interface AgentOptions extends RunLimits {
  /** `PROVIDER/NAME`, or a model; a resumed run has one. */
  readonly model?: string | LanguageModel
  /** The address of the provider. */
  readonly baseUrl?: string
  /** The variable that holds the key. */
  readonly apiKeyEnv?: string
  /** The model has no calls of its own: it gets the tools in its prompt. */
  readonly promptOnly?: boolean
  /** Contracts whose tools the model gets; the toolkit's by default. With several, names are prefixed. */
  readonly contracts?: readonly string[]
  /** The budget of the run that starts this one: its limits count for both. */
  readonly budget?: RunBudget
  /** The JSON Schema of the answer. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  /** How often an answer that does not match is sent back. Default: 2. */
  readonly maxSendBacks?: number
  /** Lands nothing until validators pass and a person agrees. */
  readonly staged?: boolean
  /** The id of a stopped run to go on with. */
  readonly resume?: string
  /** What the session of the run may do. */
  readonly session?: Omit<SessionOptions, 'task' | 'contract' | 'transaction'>
  /** Asked about calls that need approval, besides everyone who sees the list of pending approvals. */
  readonly approve?: Answerer
  /** Asked at a limit; returns higher limits, or undefined to end the run. */
  readonly onLimit?: (limit: Limit) => Promise<RunLimits | undefined>
  /** Ends the run. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: RunEvent) => void
  /** What the model costs, for a limit of cost. */
  readonly prices?: TokenPrices | undefined
  /** How often a request is made again after a failure that may pass. Default: 4. */
  readonly maxRetries?: number
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** How a run ended, and what it did. */
export interface AgentResult {
  /** The task in the journal: `toolwright undo --task ID`. */
  readonly id: string
  readonly status: RunStatus
  /** The answer; a value if it had to match a schema. */
  readonly output: unknown
  readonly usage: RunUsage
  /** What the run did to the files, all of its calls together. */
  readonly changed: readonly NetChange[]
  /** The command that takes all of it back; null if nothing was changed. */
  readonly undo: string | null
  /** Why the run did not complete. */
  readonly reason?: string
}
