import { ToolError } from '../../kernel/error.ts'
import { MORE_LOADING, SHOWN_AFTER_MS, whileLoading } from '../../kernel/loading.ts'
import { timeLimit } from '../../machine/web/time-limit.ts'
import { memoryError } from './failure.ts'
import type { Embedder, ModelWait } from './types.ts'

/** Waits until an embedder on this machine is ready. Throws `embedding_failed` if it loads for too long. */
export async function loadModel(embedder: Embedder, signal: AbortSignal, wait: ModelWait | undefined): Promise<void> {
  if (wait && embedder.load) await whileLoading(wait, () => awaitLoad(embedder, signal, wait))
}

async function awaitLoad(embedder: Embedder, signal: AbortSignal, wait: ModelWait): Promise<void> {
  const limit = timeLimit(wait.ms, signal)
  const note = setTimeout(() => wait.tell?.(`Loading the model ${embedder.name}`), SHOWN_AFTER_MS)
  try {
    await limit.during(Promise.resolve(embedder.load?.(limit.signal)))
  } catch (cause) {
    if (signal.aborted || !(cause instanceof ToolError) || cause.code !== 'timeout') throw cause
    throw memoryError(
      'embedding_failed',
      `${embedder.name} was still loading after ${wait.ms / 1000} seconds`,
      `Retry, or give it more time with ${MORE_LOADING}`,
      cause,
    )
  } finally {
    clearTimeout(note)
    limit.end()
  }
}
