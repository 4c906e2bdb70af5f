import { ToolError } from '../../kernel/error.ts'

export interface TimeLimit {
  /** Aborts when the time is up or the caller is gone; its reason is the error to throw. */
  readonly signal: AbortSignal
  /** Returns the result of the work, or throws the reason of the abort. */
  during<T>(work: Promise<T>): Promise<T>
  end(): void
}

/** One limit over many steps: a step that began within it ends with it. */
export function timeLimit(ms: number, caller?: AbortSignal): TimeLimit {
  const controller = new AbortController()
  const stop = (reason: unknown) => controller.abort(reason)
  const timer = setTimeout(() => stop(timedOut(ms)), ms)
  const onAbort = () => stop(caller?.reason instanceof ToolError ? caller.reason : cancellation())
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

const cancellation = (): ToolError => new ToolError('cancelled', 'The request was cancelled by its caller')
