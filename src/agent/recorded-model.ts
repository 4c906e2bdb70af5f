import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { failureOf, ModelFailure } from './model-failure.ts'

/** One request of a run to its model, and what came back; a line of a recording. */
export interface RecordedAnswer {
  /** What is new in the conversation since the request before. */
  readonly asked: LanguageModelV4Prompt
  readonly parts: readonly LanguageModelV4StreamPart[]
  /** Why the request failed, if it did. */
  readonly failed?: {
    readonly message: string
    readonly mayPass: boolean
    readonly isCounted: boolean
    readonly isOverflow: boolean
    readonly retryAfterMs?: number
  }
}

/** Returns the model, with each answer passed to `note` once it is over. */
export function recordingModel(model: LanguageModelV4, note: (answer: RecordedAnswer) => void): LanguageModelV4 {
  const news = newMessages()
  return {
    ...described(model),
    async doStream(options) {
      const asked = news(options.prompt)
      const parts: LanguageModelV4StreamPart[] = []
      const fail = (cause: unknown, hasBegun: boolean): ModelFailure => {
        const failure = failureOf(cause, hasBegun)
        const { message, mayPass, isCounted, isOverflow, retryAfterMs } = failure
        const facts = { message, mayPass, isCounted, isOverflow, ...(retryAfterMs !== undefined && { retryAfterMs }) }
        note({ asked, parts, failed: facts })
        return failure
      }
      try {
        const { stream, ...more } = await model.doStream(options)
        return { ...more, stream: ReadableStream.from(noted(stream, parts, fail, () => note({ asked, parts }))) }
      } catch (cause) {
        if (options.abortSignal?.aborted) throw cause
        throw cause instanceof ModelFailure ? cause : fail(cause, false)
      }
    },
  }
}

async function* noted(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  parts: LanguageModelV4StreamPart[],
  fail: (cause: unknown, hasBegun: boolean) => ModelFailure,
  end: () => void,
): AsyncGenerator<LanguageModelV4StreamPart> {
  try {
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (KEPT.has(part.type)) keep(parts, part)
      yield part
    }
  } catch (cause) {
    throw fail(cause, true)
  }
  end()
}

/** The parts that a run reads. */
const KEPT: ReadonlySet<LanguageModelV4StreamPart['type']> = new Set([
  'text-start',
  'text-delta',
  'text-end',
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
  'tool-call',
  'finish',
])

/** Deltas of one text are one part: how a text was cut on its way says nothing. */
function keep(parts: LanguageModelV4StreamPart[], part: LanguageModelV4StreamPart): void {
  const last = parts.at(-1)
  const isDelta = part.type === 'text-delta' || part.type === 'reasoning-delta'
  if (isDelta && last?.type === part.type && last.id === part.id)
    parts[parts.length - 1] = { ...last, delta: last.delta + part.delta }
  else parts.push(part)
}

/** Returns a model that gives the recorded answers in order. `onRequest` gets what each request asks, and what was asked then. */
export function playedModel(
  answers: readonly RecordedAnswer[],
  onRequest: (now: LanguageModelV4Prompt, recorded: LanguageModelV4Prompt | undefined) => void,
): LanguageModelV4 {
  const news = newMessages()
  let at = 0
  return {
    ...described({ provider: 'recording', modelId: 'recording' }),
    async doStream({ prompt }) {
      const answer = answers[at++]
      onRequest(news(prompt), answer?.asked)
      if (!answer) throw new ModelFailure('The recording has no further answer', { mayPass: false, isCounted: false })
      const { parts, failed } = answer
      return { stream: ReadableStream.from(played(parts, failed)) }
    },
  }
}

async function* played(
  parts: RecordedAnswer['parts'],
  failed: RecordedAnswer['failed'],
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield* parts
  if (failed) throw new ModelFailure(failed.message, failed)
}

const described = ({ provider, modelId }: Pick<LanguageModelV4, 'provider' | 'modelId'>) => ({
  specificationVersion: 'v4' as const,
  provider,
  modelId,
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('Answers of a run are streamed')),
})

/** Returns what is new in each prompt; a request that is made again asks nothing new. */
function newMessages(): (prompt: LanguageModelV4Prompt) => LanguageModelV4Prompt {
  let seen = 0
  return prompt => {
    const fresh = prompt.slice(seen)
    seen = prompt.length
    return fresh
  }
}
