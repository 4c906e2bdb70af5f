import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { runLoop } from '../../agent/loop.ts'
import { openModel } from '../../agent/models/open-model.ts'
import { createRunBudget, type RunBudget, type RunLimits } from '../../agent/run-budget.ts'
import type { RunEvent, RunStatus, RunUsage } from '../../agent/run-events.ts'
import { taskCommits } from '../../machine/journal/task-commits.ts'
import { netChanges, type NetChange } from '../../machine/workspace/commit/net-changes.ts'
import type { Answerer } from '../../runtime/questions.ts'
import { ToolError } from '../../kernel/error.ts'
import type { SessionOptions, Toolkit } from '../../toolkit.ts'
import { sessionToolbox } from './session-toolbox.ts'

/** A language model of the AI SDK, specification v4. */
export interface LanguageModel {
  readonly specificationVersion: 'v4'
  readonly provider: string
  readonly modelId: string
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

export interface AgentOptions extends RunLimits {
  /** `PROVIDER/NAME`, or a model; a resumed run has one. */
  readonly model?: string | LanguageModel
  /** The address of the provider. */
  readonly baseUrl?: string
  /** The variable that holds the key. */
  readonly apiKeyEnv?: string
  /** Contracts whose tools the model gets; the toolkit's by default. With several, names are prefixed. */
  readonly contracts?: readonly string[]
  /** The budget of the run that starts this one: its limits count for both. */
  readonly budget?: RunBudget
  /** The JSON Schema of the answer. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  /** Lands nothing until validators pass and a person agrees. */
  readonly staged?: boolean
  /** The id of a stopped run to go on with. */
  readonly resume?: string
  /** What the session of the run may do. */
  readonly session?: Omit<SessionOptions, 'task' | 'contract'>
  /** Asked about calls that need approval, besides everyone who sees the list of pending approvals. */
  readonly approve?: Answerer
  /** Ends the run. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: RunEvent) => void
  /** How often a request is made again after a failure that may pass. Default: 4. */
  readonly maxRetries?: number
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** How a run ended, and what it did. */
export interface AgentResult {
  /** The task in the journal: `toolwright undo --task ID`. */
  readonly id: string
  readonly status: RunStatus
  readonly output: unknown
  readonly usage: RunUsage
  /** What the run did to the files, all of its calls together. */
  readonly changed: readonly NetChange[]
  /** The command that takes all of it back; null if nothing was changed. */
  readonly undo: string | null
  /** Why the run did not complete. */
  readonly reason?: string
}

const MAX_RETRIES = 4

/** Runs a task: the model makes calls in a session of this toolkit until it answers or a limit is reached. */
export async function runAgent(kit: Toolkit, task: string | undefined, options: AgentOptions): Promise<AgentResult> {
  const { onEvent = () => {}, signal = new AbortController().signal, env = process.env } = options
  const model = await modelOf(options, env)
  const id = randomBytes(4).toString('hex')
  const budget = options.budget ?? createRunBudget(options)
  const session = kit.session({ client: 'toolwright agent', ...options.session, task: id })
  const detach = options.approve && session.questions.attach(options.approve)
  onEvent({
    type: 'start',
    id,
    model: typeof options.model === 'string' ? options.model : `${model.provider}/${model.modelId}`,
  })
  try {
    const toolbox = await sessionToolbox(kit, session, options.contracts ?? [], () => {})
    const { status, text, reason } = await runLoop({
      model,
      toolbox,
      messages: [
        { role: 'system', content: `${ROLE}\n\n${toolbox.instructions}` },
        { role: 'user', content: [{ type: 'text', text: task ?? '' }] },
      ],
      budget,
      signal,
      onEvent,
      onMessage: () => {},
      maxRetries: options.maxRetries ?? MAX_RETRIES,
      sleep: (ms, ends) => pause(ms, undefined, { signal: ends }),
    })
    const changed = netChanges(kit.workspace.store, taskCommits(kit.state.journal, id))
    return {
      id,
      status,
      output: text,
      usage: budget.usage(),
      changed,
      undo: changed.length > 0 ? `toolwright undo --task ${id}` : null,
      ...(reason !== undefined && { reason }),
    }
  } finally {
    detach?.()
  }
}

const ROLE =
  'You are a coding agent. Work on the task with the tools until it is done, then answer with what you did, in short.'

async function modelOf(
  { model, baseUrl, apiKeyEnv }: AgentOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LanguageModelV4> {
  if (model === undefined)
    throw new ToolError('invalid_input', 'The run has no model', { hint: 'Name one as PROVIDER/NAME' })
  return typeof model === 'string' ? openModel({ model, baseUrl, apiKeyEnv }, env) : (model as LanguageModelV4)
}
