import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
} from '@ai-sdk/provider'
import { readAnswer, sendBack, type AnswerCheck } from './answer.ts'
import { createHistory } from './history.ts'
import { makeCalls, modelCallOf, resultPart } from './make-calls.ts'
import { ModelFailure } from './model-failure.ts'
import type { Turn } from './request-turn.ts'
import type { Limit, RunBudget, RunLimits } from './run-budget.ts'
import type { CallResult, ModelCall, RunEvent, RunStatus } from './run-events.ts'
import { takeTurn, type Attempt } from './take-turn.ts'
import type { Toolbox } from './toolbox.ts'

interface LoopOptions {
  readonly model: LanguageModelV4
  readonly toolbox: Toolbox
  /** The conversation so far; the newest message is the task, or what a stopped run had last. */
  readonly messages: readonly LanguageModelV4Message[]
  readonly budget: RunBudget
  readonly signal: AbortSignal
  readonly onEvent: (event: RunEvent) => void
  /** Called with each message before the run goes on, so that it can be resumed. */
  readonly onMessage: (message: LanguageModelV4Message, more: { readonly attempts?: readonly Attempt[] }) => void
  /** Called with each result before the next request, so that no call is made twice. */
  readonly onResult: (call: ModelCall, result: CallResult) => void
  /** Results of calls at the end of the conversation, by their ids: a run was stopped before all of them were made. */
  readonly results?: ReadonlyMap<string, CallResult>
  /** Asked at a limit; returns higher limits, or undefined to end the run. */
  readonly onLimit?: ((limit: Limit) => Promise<RunLimits | undefined>) | undefined
  /** What the answer must be, if not any text. */
  readonly answer?: AnswerCheck | undefined
  readonly maxRetries: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface LoopEnd {
  readonly status: RunStatus
  /** The model's last text, or the value of an answer that was checked. */
  readonly output: unknown
  /** Why the run did not complete. */
  readonly reason?: string
}

/** Runs a task from its first request to its end. Never throws for what a model or a provider does. */
export async function runLoop(options: LoopOptions): Promise<LoopEnd> {
  const { toolbox, budget, onEvent, onMessage } = options
  const history = createHistory(options.messages, toolbox.keep)
  const timer = timeLimit(budget)
  const signal = AbortSignal.any([options.signal, timer.signal])
  const tools = toolbox.tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema,
  }))
  let text = ''
  let sentBack = 0
  const add = (message: LanguageModelV4Message, more: { readonly attempts?: readonly Attempt[] } = {}): void => {
    history.add(message)
    onMessage(message, more)
  }
  const compact = (): boolean => {
    const outputs = history.compact(Math.floor(history.bytes() / 2))
    if (outputs > 0) onEvent({ type: 'compacted', outputs })
    return outputs > 0
  }
  try {
    await finishCalls()
    for (;;) {
      const request = { ...options, tools, signal, prompt: history.messages, closerBound: history.bound, compact }
      const taken = await takeTurn(request)
      if ('exceeded' in taken) {
        const more = await options.onLimit?.(taken.exceeded)
        if (!more) return exceeded(taken.exceeded, text)
        budget.extend(more)
        continue
      }
      const { turn, attempts } = taken
      history.counted(turn.tokens)
      onEvent({ type: 'turn', usage: budget.usage() })
      const calls = turn.content.flatMap(part => (part.type === 'tool-call' ? [modelCallOf(part)] : []))
      // Arguments that end with the room for an answer are not what the model meant.
      const whole = turn.finish === 'length' ? calls.filter(call => call.input !== undefined) : calls
      text = isContinued(history.messages()) ? text + turn.text : turn.text || text
      add(answerOf(turn, whole), { attempts })
      if (turn.finish === 'content-filter') return { status: 'refused', output: text, reason: 'The model refused' }
      if (turn.finish === 'error') return failed('The model ended with an error')
      if (whole.length > 0) await callAll(whole)
      else if (turn.finish === 'length' && turn.text === '')
        return failed('The room for an answer ended before its text began')
      else if (turn.finish === 'length') add(CONTINUE)
      else {
        const end = await endWith(text)
        if (end) return end
      }
    }
  } catch (cause) {
    if (options.signal.aborted) return { status: 'cancelled', output: text }
    if (timer.signal.aborted) return exceeded('time', text)
    if (!(cause instanceof ModelFailure)) throw cause
    return failed(cause.message)
  } finally {
    timer.stop()
  }

  /** Ends the run with this answer, unless it is sent back. */
  async function endWith(answer: string): Promise<LoopEnd | undefined> {
    if (!options.answer) return { status: 'completed', output: answer }
    const read = await readAnswer(answer, options.answer)
    if ('value' in read) return { status: 'completed', output: read.value }
    const { errors } = read
    if (sentBack >= options.answer.maxSendBacks)
      return failed(`The answer does not match its schema: ${errors.join('; ')}`)
    sentBack++
    onEvent({ type: 'sent-back', errors })
    add({ role: 'user', content: [{ type: 'text', text: sendBack(errors) }] })
    return undefined
  }

  function failed(reason: string): LoopEnd {
    return { status: 'failed', output: text, reason }
  }

  async function callAll(
    calls: readonly ModelCall[],
    known: ReadonlyMap<string, CallResult> = new Map(),
  ): Promise<void> {
    const due = calls.filter(({ id }) => !known.has(id))
    const made = await makeCalls(due, { toolbox, signal, onEvent, onResult: options.onResult })
    signal.throwIfAborted()
    const results = new Map([...known, ...due.map(({ id }, at) => [id, made[at]] as const)])
    add({
      role: 'tool',
      content: calls.flatMap(call => {
        const result = results.get(call.id)
        return result ? [resultPart(call, result)] : []
      }),
    })
  }

  /** Makes the calls that a stopped run had not made yet. */
  async function finishCalls(): Promise<void> {
    const last = history.messages().at(-1)
    if (last?.role !== 'assistant') return
    const calls = last.content.flatMap(part => (part.type === 'tool-call' ? [callAgain(part)] : []))
    if (calls.length > 0) await callAll(calls, options.results)
  }
}

const CONTINUE: LanguageModelV4Message = {
  role: 'user',
  content: [
    {
      type: 'text',
      text: 'Your answer was cut off there. Continue exactly where it stopped, without repeating anything.',
    },
  ],
}

/** Returns a call as it stands in a conversation. */
function callAgain({ toolCallId: id, toolName: tool, input }: LanguageModelV4ToolCallPart): ModelCall {
  const { malformed, ...others }: { malformed?: unknown } = Object(input)
  if (typeof malformed === 'string' && Object.keys(others).length === 0) return { id, tool, text: malformed }
  return { id, tool, text: JSON.stringify(input), input: Object(input) }
}

const isContinued = (messages: readonly LanguageModelV4Message[]): boolean =>
  JSON.stringify(messages.at(-1)) === JSON.stringify(CONTINUE)

const EXCEEDED: Readonly<Record<Limit, string>> = {
  turns: 'No turns are left',
  tokens: 'The tokens that are left are too few for another request',
  time: 'The time is up',
  cost: 'The cost that is left is too little for another request',
}

const exceeded = (limit: Limit, text: string): LoopEnd => ({
  status: 'budget_exceeded',
  output: text,
  reason: EXCEEDED[limit],
})

/** Returns the answer as the provider takes it back. */
function answerOf({ content }: Turn, calls: readonly ModelCall[]): LanguageModelV4Message {
  const parts = content.flatMap((part): Extract<LanguageModelV4Message, { role: 'assistant' }>['content'] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text, ...metadataOf(part) }]
    if (part.type === 'reasoning') return [{ type: 'reasoning', text: part.text, ...metadataOf(part) }]
    if (part.type !== 'tool-call') return []
    const call = calls.find(({ id }) => id === part.toolCallId)
    if (!call) return []
    const input = call.input ?? { malformed: call.text }
    return [{ type: 'tool-call', toolCallId: call.id, toolName: call.tool, input, ...metadataOf(part) }]
  })
  return { role: 'assistant', content: parts.length > 0 ? parts : [{ type: 'text', text: '(no text)' }] }
}

const metadataOf = ({
  providerMetadata,
}: Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' | 'tool-call' }>) =>
  providerMetadata !== undefined && { providerOptions: providerMetadata }

/** Aborts when the time of the budget is up. */
function timeLimit(budget: RunBudget): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController()
  const ms = budget.msLeft()
  const timer = ms === undefined ? undefined : setTimeout(() => controller.abort(), Math.max(0, ms))
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}
