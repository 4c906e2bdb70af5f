import * as z from 'zod'
import type { Egress } from '../../../kernel/egress.ts'
import { ToolError } from '../../../kernel/error.ts'
import { readTarget, type Target } from '../../../kernel/target.ts'
import { callServer } from '../../../machine/web/call-server.ts'
import type { Network } from '../../../machine/web/network.ts'
import { memoryError } from '../failure.ts'
import type { Embedder } from '../types.ts'

/** An embedder elsewhere. */
interface RemoteModel {
  readonly protocol: 'openai' | 'ollama'
  /** Without the last part of the path: `https://api.openai.com/v1`, `http://localhost:11434`. */
  readonly url: string
  readonly model: string
  /** Asked for at each request. */
  readonly key?: (() => Promise<string>) | undefined
}

interface WebParts {
  readonly network: Network
  readonly egress: Egress
}

const REQUEST_MS = 30_000
const MOST_TEXTS = 32
const MOST_BYTES = 32 * 1024 * 1024

const vectors = z.array(z.array(z.number()).min(1))
const openaiAnswer = z.object({ data: z.array(z.object({ index: z.number().int(), embedding: vectors.element })) })
const ollamaAnswer = z.object({ embeddings: vectors })

/** Has texts embedded by a server that speaks the protocol of OpenAI or Ollama. The rules for the network hold. */
export function remoteEmbedder(remote: RemoteModel, parts: WebParts): Embedder {
  const { protocol, url, model } = remote
  const target = readTarget(`${url.replace(/\/+$/, '')}${protocol === 'openai' ? '/embeddings' : '/api/embed'}`)
  let dimension: number | undefined
  const embedSome = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    const answer = await post(target, { model, input: texts }, remote, parts, signal)
    const textVectors = answerOf(protocol, answer)
    if (textVectors.length !== texts.length || textVectors.some(({ length }) => length !== textVectors[0]?.length))
      throw failure(target, `it gave ${textVectors.length} vectors for ${texts.length} texts, or of several lengths`)
    dimension = textVectors[0]?.length
    return textVectors.map(unit)
  }
  return {
    name: `${protocol}:${model}`,
    origin: target.origin,
    get dimension() {
      return dimension
    },
    async embed(texts, signal) {
      const all: Float32Array[] = []
      for (let at = 0; at < texts.length; at += MOST_TEXTS)
        all.push(...(await embedSome(texts.slice(at, at + MOST_TEXTS), signal)))
      return all
    },
    close: async () => {},
  }

  function answerOf(spoken: RemoteModel['protocol'], answer: unknown): readonly (readonly number[])[] {
    const read = spoken === 'openai' ? openaiAnswer.safeParse(answer) : ollamaAnswer.safeParse(answer)
    if (!read.success) throw failure(target, `it does not answer like ${spoken === 'openai' ? 'OpenAI' : 'Ollama'}`)
    if ('embeddings' in read.data) return read.data.embeddings
    return read.data.data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => embedding)
  }
}

async function post(
  target: Target,
  body: unknown,
  { key }: RemoteModel,
  { network, egress }: WebParts,
  signal: AbortSignal,
): Promise<unknown> {
  const secret = await key?.()
  if (egress.verdict(target.origin) === 'deny') throw failure(target, 'a rule denies its origin')
  const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` }
  const request = {
    method: 'POST',
    url: target.href,
    headers,
    body,
    timeoutMs: REQUEST_MS,
    maxBytes: MOST_BYTES,
  } as const
  const answer = await callServer(request, { network, egress, signal }).catch((cause: unknown) => {
    if (signal.aborted || !(cause instanceof ToolError)) throw signal.reason ?? cause
    throw failure(target, cause.message, cause)
  })
  if (answer.status !== 200)
    throw failure(target, `it answered with status ${answer.status}: ${answer.text.slice(0, 200)}`)
  if (answer.body === undefined) throw failure(target, 'its answer is not JSON')
  return answer.body
}

const failure = ({ origin }: Target, why: string, cause?: ToolError): ToolError =>
  memoryError(
    'embedding_failed',
    `The embedder at ${origin} gave no vectors: ${why}`,
    cause?.hint ?? 'Check its address, model and key in the configuration',
    cause,
  )

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, value => value / length)
}
