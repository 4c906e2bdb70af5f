import { ToolError } from '../kernel/error.ts'
import type { CallContext } from '../kernel/tool.ts'

export const DEFAULT_TIMEOUT_MS = 30_000

/** A tool and the milliseconds that a call of it may take. */
export interface Timed {
  readonly name: string
  readonly timeoutMs: number
}

/** Runs a tool until it answers, its time is over, or its caller has gone. A tool that answers at once pays for no timer. */
export async function withDeadline<T>(
  { name, timeoutMs }: Timed,
  caller: AbortSignal | undefined,
  work: (context: CallContext) => Promise<T> | T,
): Promise<T> {
  if (caller?.aborted) throw cancelled(name)
  let controller: AbortController | undefined
  const context: CallContext = {
    timeoutMs,
    get signal() {
      controller ??= new AbortController()
      return controller.signal
    },
  }
  const answer = work(context)
  if (!(answer instanceof Promise)) return answer

  return new Promise<T>((resolve, reject) => {
    const stop = (error: ToolError) => {
      reject(error)
      controller?.abort(error)
    }
    const timer = setTimeout(
      () =>
        stop(
          new ToolError('timeout', `'${name}' took longer than ${timeoutMs / 1000} s`, {
            hint: 'Ask for less at once, or raise its time under "timeouts" in the configuration',
            details: { timeoutMs },
          }),
        ),
      timeoutMs,
    )
    const onAbort = () => stop(cancelled(name))
    caller?.addEventListener('abort', onAbort, { once: true })
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', onAbort)
    })
  })
}

/** The caller does not want the answer any more. */
export const cancelled = (name: string): ToolError =>
  new ToolError('cancelled', `'${name}' was cancelled by its caller`)
