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
  let isLoading = embedder.load !== undefined
  const endLoading = (): void => void (isLoading = false)
  embedder.load?.(limit.signal).then(endLoading, endLoading)
  try {
    const [vector] = await limit.during(embedder.embed([reduceTrace(text)], limit.signal))
    if (vector) return vector
    throw memoryError('embedding_failed', `${embedder.name} gave no vector`, RETRY)
  } catch (cause) {
    if (signal.aborted || memoryFailure(cause) !== undefined) throw cause
    const isLate = cause instanceof ToolError && cause.code === 'timeout'
    const why = cause instanceof Error ? cause.message : String(cause)
    const reason = isLate ? ` within ${withinMs / 1000} seconds` : `: ${why}`
    throw memoryError(
      'embedding_failed',
      isLate && isLoading
        ? `${embedder.name} is still loading: ask again to search by meaning`
        : `${embedder.name} gave no vector${reason}`,
      RETRY,
      cause,
    )
  } finally {
    limit.end()
  }
}

const RETRY = 'Retry'
