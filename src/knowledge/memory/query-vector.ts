import { ToolError } from '../../kernel/error.ts'
import { timeLimit } from '../../machine/web/time-limit.ts'
import { memoryError, memoryFailure } from './failure.ts'
import { reduceTrace } from './text/reduce-trace.ts'
import type { Embedder } from './types.ts'

/** Leaves the rest of the two seconds that a search may take to the store. */
export const EMBED_MS = 1_700

/** Returns the vector of a query whose secrets are redacted. Throws `embedding_failed` if there is none in time. */
export async function queryVector(
  embedder: Embedder,
  text: string,
  signal: AbortSignal,
  withinMs = EMBED_MS,
): Promise<Float32Array> {
  const limit = timeLimit(withinMs, signal)
  try {
    const [vector] = await limit.during(embedder.embed([reduceTrace(text)], limit.signal))
    if (vector) return vector
    throw memoryError('embedding_failed', `${embedder.name} gave no vector`, RETRY)
  } catch (cause) {
    if (signal.aborted || memoryFailure(cause) !== undefined) throw cause
    const isLate = cause instanceof ToolError && cause.code === 'timeout'
    throw memoryError(
      'embedding_failed',
      isLate
        ? `${embedder.name} gave no vector within ${withinMs / 1000} seconds`
        : `${embedder.name} gave no vector: ${cause instanceof Error ? cause.message : String(cause)}`,
      isLate ? `${RETRY}: the model may still be loading, which each new process does again` : RETRY,
      cause,
    )
  } finally {
    limit.end()
  }
}

const RETRY = 'Retry'
