import { ToolError } from '../../kernel/error.ts'

export interface TimeLimit {
  /** Aborted when the time is over or the caller has gone; its reason is the error to throw. */
  readonly signal: AbortSignal
  /** The work, or the reason why nobody waits for it any more. */
  during<T>(work: Promise<T>): Promise<T>
  end(): void
}

/** One limit over many steps: what began within it ends with it. */
export function timeLimit(ms: number, caller?: AbortSignal): TimeLimit {
  const controller = new AbortController()
  const stop = (reason: unknown) => controller.abort(reason)
  const timer = setTimeout(() => stop(timedOut(ms)), ms)
  const onAbort = () => stop(caller?.reason instanceof ToolError ? caller.reason : cancelled())
  if (caller?.aborted) onAbort()
  caller?.addEventListener('abort', onAbort, { once: true })
  const { signal } = controller
  return {
    signal,
    during: work =>
      new Promise((resolve, reject) => {
        const give = () => reject(signal.reason)
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
        if (signal.aborted) give()
        else signal.addEventListener('abort', give, { once: true })
      }),
    end() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', onAbort)
    },
  }
}

const timedOut = (ms: number): ToolError =>
  new ToolError('timeout', `Request timed out after ${ms / 1000} seconds`, {
    hint: 'Try again, or give it more time',
    details: { timeoutMs: ms },
  })

const cancelled = (): ToolError => new ToolError('cancelled', 'The request was cancelled by its caller')
