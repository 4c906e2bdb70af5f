import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { RunEvent } from './run-events.ts'
import type { TurnTokens } from './run-budget.ts'
import { failureOf, ModelFailure } from './model-failure.ts'

/** One answer of the model. */
export interface Turn {
  readonly text: string
  readonly content: readonly LanguageModelV4Content[]
  readonly finish: LanguageModelV4FinishReason['unified']
  readonly tokens: TurnTokens | undefined
}

/** Requests one answer, once. Nothing of a broken answer is returned, so that a request can be made again. */
export async function requestTurn(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  onEvent: (event: RunEvent) => void,
): Promise<Turn> {
  const { stream } = await model.doStream({ ...options, includeRawChunks: true })
  const turn = createTurnReader(onEvent)
  try {
    for await (const part of stream) turn.read(part)
  } catch (cause) {
    throw cause instanceof ModelFailure ? cause : turn.broken(cause)
  }
  return turn.end()
}

/** Collects the parts of a streamed answer. */
function createTurnReader(onEvent: (event: RunEvent) => void) {
  const content: LanguageModelV4Content[] = []
  const open = new Map<string, { type: 'text' | 'reasoning'; text: string; providerMetadata?: object }>()
  let finish: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined
  let refusal = ''
  let hasBegun = false
  const add = (id: string, delta: string): void => {
    const part = open.get(id)
    if (!part) return
    part.text += delta
    onEvent({ type: part.type, text: delta })
  }
  const start = (type: 'text' | 'reasoning', id: string, providerMetadata: object | undefined): void => {
    const part = { type, text: '', ...(providerMetadata && { providerMetadata }) }
    open.set(id, part)
    content.push(part as LanguageModelV4Content)
  }
  return {
    read(part: LanguageModelV4StreamPart): void {
      if (part.type !== 'stream-start' && part.type !== 'response-metadata') hasBegun = true
      switch (part.type) {
        case 'text-start':
          return start('text', part.id, part.providerMetadata)
        case 'reasoning-start':
          return start('reasoning', part.id, part.providerMetadata)
        case 'text-delta':
          return add(part.id, part.delta)
        case 'reasoning-delta':
          return add(part.id, part.delta)
        case 'text-end':
        case 'reasoning-end': {
          const ended = open.get(part.id)
          if (ended && part.providerMetadata) ended.providerMetadata = part.providerMetadata
          open.delete(part.id)
          return undefined
        }
        case 'tool-call':
          return void content.push(part)
        case 'finish':
          finish = part
          return undefined
        case 'raw':
          refusal += refusalIn(part.rawValue)
          return undefined
        case 'error':
          throw failureOf(part.error, hasBegun)
        default:
          return undefined
      }
    },
    broken: (cause: unknown): ModelFailure => failureOf(cause, true),
    end(): Turn {
      // A stream that ends without a reason was cut off.
      if (!finish || (finish.finishReason.unified === 'other' && finish.finishReason.raw === undefined))
        throw new ModelFailure('The answer of the model was cut off', { mayPass: true, isCounted: true })
      const { inputTokens, outputTokens } = finish.usage
      const tokens =
        inputTokens.total === undefined || outputTokens.total === undefined
          ? undefined
          : { input: inputTokens.total, output: outputTokens.total }
      const text = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('')
      if (refusal !== '' && text === '') {
        onEvent({ type: 'text', text: refusal })
        return { text: refusal, content: [{ type: 'text', text: refusal }], finish: 'content-filter', tokens }
      }
      return { text, content, finish: finish.finishReason.unified, tokens }
    },
  }
}

/** Returns the text of a refusal, which OpenAI sends beside the text of an answer. */
function refusalIn(chunk: unknown): string {
  const { choices, type, delta }: { choices?: unknown; type?: unknown; delta?: unknown } = Object(chunk)
  if (type === 'response.refusal.delta' && typeof delta === 'string') return delta
  if (!Array.isArray(choices)) return ''
  const { refusal } = Object(Object(choices[0]).delta)
  return typeof refusal === 'string' ? refusal : ''
}
