import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider'
import { answerRule, type AnswerCheck } from '../../agent/answer.ts'
import { runLoop } from '../../agent/loop.ts'
import { openModel } from '../../agent/models/open-model.ts'
import { promptOnly } from '../../agent/models/prompt-only.ts'
import { createRunBudget } from '../../agent/run-budget.ts'
import { recordingModel } from '../../agent/recorded-model.ts'
import { ToolError } from '../../kernel/error.ts'
import { taskCommits } from '../../machine/journal/task-commits.ts'
import { netChanges } from '../../machine/workspace/commit/net-changes.ts'
import type { SessionHandle, Toolkit } from '../../toolkit.ts'
import type { AgentOptions, AgentResult } from './agent-options.ts'
import { openRunRecord, type RunRecord } from './run-record.ts'
import { beginStaging, landStaged } from './staged-run.ts'
import { sessionToolbox } from './session-toolbox.ts'

const MAX_RETRIES = 4
const MAX_SEND_BACKS = 2

/** Runs a task: the model makes calls in a session of this toolkit until it answers or a limit is reached. */
export async function runAgent(kit: Toolkit, task: string | undefined, options: AgentOptions): Promise<AgentResult> {
  const { onEvent = () => {}, signal = new AbortController().signal } = options
  const record = openRunRecord(kit, newId(), task, options)
  const { id, facts } = record
  const recording = options.session?.record?.run(recordedOptions({ ...facts, ...options }))
  const openedModel = await modelOf({ ...facts, ...options }, options.env ?? process.env)
  const model = recording ? recordingModel(openedModel, recording.answer) : openedModel
  const used = record.usage()
  const budget =
    options.budget ??
    createRunBudget({ ...facts.limits, ...options }, { prices: options.prices, ...(used && { used }) })
  const outputSchema = options.outputSchema ?? facts.outputSchema
  const session = kit.session({
    client: 'toolwright agent',
    ...options.session,
    ...(outputSchema && { outputs: { ...options.session?.outputs, [ANSWER]: outputSchema } }),
    task: id,
    ...(record.transaction !== undefined && { transaction: record.transaction }),
  })
  const isStaged = options.staged ?? facts.staged ?? false
  const detach = options.approve && session.questions.attach(options.approve)
  onEvent({ type: 'start', id, model: nameOf(options, record) })
  try {
    if (isStaged && record.transaction === undefined) record.note(await beginStaging(session))
    const toolbox = await sessionToolbox(kit, session, options.contracts ?? facts.contracts ?? [], { isStaged })
    const answer = outputSchema && answerCheck(session, outputSchema, options)
    const loopEnd = await runLoop({
      model,
      toolbox,
      messages: record.messages(() => systemMessage(toolbox.instructions, answer)),
      results: record.results(kit),
      budget,
      signal,
      onEvent(event) {
        if (event.type === 'turn') record.note({ type: 'usage', usage: event.usage })
        if (event.type === 'retry') record.note(event)
        onEvent(event)
      },
      onMessage: message => record.note({ type: 'message', message }),
      onResult: (call, result) => record.note({ type: 'result', call: call.id, result }),
      onLimit: options.onLimit,
      answer,
      maxRetries: options.maxRetries ?? MAX_RETRIES,
      sleep: (ms, ends) => pause(ms, undefined, { signal: ends }),
    })
    const { status, output, reason } =
      isStaged && loopEnd.status === 'completed' ? await landStaged(kit, session, loopEnd, options.approve) : loopEnd
    record.note({ type: 'end', status })
    recording?.end(status, output)
    const changed = netChanges(kit.workspace.store, taskCommits(kit.state.journal, id))
    return {
      id,
      status,
      output,
      usage: budget.usage(),
      changed,
      undo: changed.length > 0 ? `toolwright undo --task ${id}` : null,
      ...(reason !== undefined && { reason }),
    }
  } finally {
    detach?.()
  }
}

/** What a replay needs besides the answers of the model. */
export const recordedOptions = ({ contracts, outputSchema, maxTurns, maxTotalTokens, maxSendBacks }: AgentOptions) => ({
  contracts,
  outputSchema,
  maxTurns,
  maxTotalTokens,
  maxSendBacks,
})

const newId = (): string => randomBytes(4).toString('hex')

const ROLE =
  'You are a coding agent. Work on the task with the tools until it is done, then answer with what you did, in short.'

const systemMessage = (instructions: string, answer: AnswerCheck | undefined): LanguageModelV4Message => ({
  role: 'system',
  content: [ROLE, instructions, ...(answer ? [answerRule(answer)] : [])].join('\n\n'),
})

const nameOf = ({ model }: AgentOptions, { facts }: RunRecord): string =>
  typeof model === 'object' ? `${model.provider}/${model.modelId}` : (model ?? facts.model ?? '')

async function modelOf(
  { model, baseUrl, apiKeyEnv, promptOnly: inPrompt }: AgentOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LanguageModelV4> {
  if (model === undefined)
    throw new ToolError('invalid_input', 'The run has no model', { hint: 'Name one as PROVIDER/NAME' })
  const opened =
    typeof model === 'string' ? await openModel({ model, baseUrl, apiKeyEnv }, env) : (model as LanguageModelV4)
  return inPrompt ? promptOnly(opened) : opened
}

/** The name under which `validate_output` knows the schema of the answer. */
const ANSWER = 'answer'

/** Checks an answer by a call, so that the check is in the journal of the run. */
const answerCheck = (
  session: SessionHandle,
  schema: object,
  { maxSendBacks = MAX_SEND_BACKS }: AgentOptions,
): AnswerCheck => ({
  schema,
  maxSendBacks,
  async check(data) {
    const { outcome } = await session.run('validate_output', { outputType: ANSWER, data }, { contract: 'autonomous' })
    if (!outcome.ok) throw outcome.error
    const { valid, errors }: { valid?: unknown; errors?: unknown } = Object(outcome.data)
    return { valid: valid === true, errors: Array.isArray(errors) ? errors.map(String) : [] }
  },
})
