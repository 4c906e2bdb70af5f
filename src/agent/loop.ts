import type { LanguageModelV4, LanguageModelV4Content, LanguageModelV4Message } from '@ai-sdk/provider'
import { createHistory } from './history.ts'
import { makeCalls, modelCallOf, resultPart } from './make-calls.ts'
import { ModelFailure } from './model-failure.ts'
import type { Turn } from './request-turn.ts'
import type { Limit, RunBudget } from './run-budget.ts'
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
  readonly maxRetries: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

interface LoopEnd {
  readonly status: RunStatus
  /** The model's last text. */
  readonly text: string
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
      if ('exceeded' in taken) return exceeded(taken.exceeded, text)
      const { turn, attempts } = taken
      history.counted(turn.tokens)
      onEvent({ type: 'turn', usage: budget.usage() })
      const calls = turn.content.flatMap(part => (part.type === 'tool-call' ? [modelCallOf(part)] : []))
      // Arguments that end with the room for an answer are not what the model meant.
      const whole = turn.finish === 'length' ? calls.filter(call => call.input !== undefined) : calls
      text = isContinued(history.messages()) ? text + turn.text : turn.text || text
      add(answerOf(turn, whole), { attempts })
      if (turn.finish === 'content-filter') return { status: 'refused', text, reason: 'The model refused' }
      if (turn.finish === 'error') return failed('The model ended with an error')
      if (whole.length > 0) await callAll(whole)
      else if (turn.finish === 'length' && turn.text === '')
        return failed('The room for an answer ended before its text began')
      else if (turn.finish === 'length') add(CONTINUE)
      else return { status: 'completed', text }
    }
  } catch (cause) {
    if (options.signal.aborted) return { status: 'cancelled', text }
    if (timer.signal.aborted) return exceeded('time', text)
    if (!(cause instanceof ModelFailure)) throw cause
    return failed(cause.message)
  } finally {
    timer.stop()
  }

  function failed(reason: string): LoopEnd {
    return { status: 'failed', text, reason }
  }

  async function callAll(calls: readonly ModelCall[]): Promise<void> {
    const results = await makeCalls(calls, { toolbox, signal, onEvent })
    add(resultsMessage(calls, results))
    signal.throwIfAborted()
  }

  /** Makes the calls that a stopped run had not made yet. */
  async function finishCalls(): Promise<void> {
    const last = history.messages().at(-1)
    if (last?.role !== 'assistant') return
    const calls = last.content.flatMap(part =>
      part.type === 'tool-call'
        ? [{ id: part.toolCallId, tool: part.toolName, text: JSON.stringify(part.input), input: Object(part.input) }]
        : [],
    )
    if (calls.length > 0) await callAll(calls)
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

const isContinued = (messages: readonly LanguageModelV4Message[]): boolean => messages.at(-1) === CONTINUE

const EXCEEDED: Readonly<Record<Limit, string>> = {
  turns: 'No turns are left',
  tokens: 'The tokens that are left are too few for another request',
  time: 'The time is up',
  cost: 'The cost that is left is too little for another request',
}

const exceeded = (limit: Limit, text: string): LoopEnd => ({ status: 'budget_exceeded', text, reason: EXCEEDED[limit] })

const resultsMessage = (calls: readonly ModelCall[], results: readonly CallResult[]): LanguageModelV4Message => ({
  role: 'tool',
  content: calls.flatMap((call, at) => {
    const result = results[at]
    return result ? [resultPart(call, result)] : []
  }),
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
