import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider'
import { failureOf } from './model-failure.ts'
import { requestTurn, type Turn } from './request-turn.ts'
import type { Limit, Reservation, RunBudget } from './run-budget.ts'
import type { RunEvent } from './run-events.ts'

/** A try that failed and was made again; part of the record of a run. */
export interface Attempt {
  readonly failed: string
  readonly afterMs: number
}

interface TurnRequest {
  readonly model: LanguageModelV4
  readonly tools: readonly LanguageModelV4FunctionTool[]
  readonly budget: RunBudget
  readonly signal: AbortSignal
  readonly onEvent: (event: RunEvent) => void
  /** How often a request is made again after a failure that may pass. */
  readonly maxRetries: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** The prompt as it is now. */
  readonly prompt: () => LanguageModelV4Prompt
  /** A bound of the prompt's tokens that is closer than one of its bytes, if there is one. */
  readonly closerBound: () => number | undefined
  /** Makes the prompt shorter; false if it cannot be. */
  readonly compact: () => boolean
}

type TurnTaken =
  | { readonly turn: Turn; readonly attempts: readonly Attempt[] }
  | { readonly exceeded: Limit; readonly attempts: readonly Attempt[] }

/** The conversation is sent whole each time: nothing of it is stored at the provider. */
const PROVIDER_OPTIONS = { openai: { store: false } }

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 300_000

/** Takes one answer of the model within the budget: shortens the prompt where it does not fit, and tries again. */
export async function takeTurn(request: TurnRequest): Promise<TurnTaken> {
  const { model, tools, signal, onEvent, maxRetries, sleep } = request
  const attempts: Attempt[] = []
  for (;;) {
    const reservation = await reserve(request)
    if ('exceeded' in reservation) return { ...reservation, attempts }
    const { maxOutputTokens } = reservation
    try {
      const turn = await requestTurn(
        model,
        {
          prompt: request.prompt(),
          abortSignal: signal,
          providerOptions: PROVIDER_OPTIONS,
          ...(tools.length > 0 && { tools: [...tools] }),
          ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        },
        onEvent,
      )
      reservation.settle(turn.tokens)
      return { turn, attempts }
    } catch (cause) {
      const failure = failureOf(cause)
      if (failure.isCounted || signal.aborted) reservation.forfeit()
      else reservation.release()
      if (signal.aborted) throw cause
      if (failure.isOverflow && request.compact()) continue
      const afterMs = failure.retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempts.length
      if (!failure.mayPass || attempts.length >= maxRetries || afterMs > LONGEST_WAIT_MS) throw failure
      attempts.push({ failed: failure.message, afterMs })
      onEvent({ type: 'retry', why: failure.message, afterMs, attempt: attempts.length })
      await sleep(afterMs, signal)
    }
  }
}

/** Reserves room for the prompt, which is made shorter first if it has none. */
async function reserve({
  budget,
  prompt,
  tools,
  closerBound,
  compact,
}: TurnRequest): Promise<Reservation | { readonly exceeded: Limit }> {
  for (;;) {
    const bytesBound = mostTokens({ prompt: prompt(), tools: [...tools] })
    const reservation = await budget.reserve(Math.min(bytesBound, closerBound() ?? Infinity))
    if (!('exceeded' in reservation)) return reservation
    const isAboutSize = reservation.exceeded === 'tokens' || reservation.exceeded === 'cost'
    if (!isAboutSize || !compact()) return reservation
  }
}

/** Tokens that a provider may put around a message, a tool, and the whole. */
const AROUND_EACH = 16
const AROUND_ALL = 600

/** Returns a number that the tokens of a prompt cannot pass: a token stands for at least one byte of what is sent. */
function mostTokens({ prompt, tools = [] }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): number {
  const bytes = Buffer.byteLength(JSON.stringify(prompt)) + Buffer.byteLength(JSON.stringify(tools))
  return bytes + AROUND_EACH * (prompt.length + tools.length) + AROUND_ALL
}
