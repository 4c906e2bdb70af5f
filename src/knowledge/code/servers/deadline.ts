import { ToolError } from '../../../kernel/error.ts'

/** Until when a result is useful to the caller. */
export interface Deadline {
  /** On the clock of `performance.now()`. */
  readonly at: number
  readonly signal?: AbortSignal | undefined
  /** How the caller can allow more time, such as `"waitMs"`. */
  readonly moreTime?: string | undefined
  /** Receives the progress of a server that the question waits for. */
  readonly onProgress?: ((text: string) => void) | undefined
  /** What the time is for, in messages; a question unless given. */
  readonly purpose?: string | undefined
  /** No caller waits for it: questions with a waiting caller go first. */
  readonly isBackground?: boolean
}

export const deadlineIn = (ms: number, signal?: AbortSignal, more: Omit<Deadline, 'at' | 'signal'> = {}): Deadline => ({
  ...more,
  at: performance.now() + ms,
  signal,
})

/** The deadline of a caller's question. */
export const deadlineOf = ({
  deadlineMs,
  signal,
  moreTime,
  onProgress,
}: Pick<Deadline, 'moreTime' | 'onProgress' | 'signal'> & { readonly deadlineMs: number }): Deadline =>
  deadlineIn(deadlineMs, signal, { moreTime, onProgress })

export const isPast = ({ at, signal }: Deadline): boolean => performance.now() >= at || signal?.aborted === true

/** Time for one part of a result, so that the rest is still in time. */
export const timeLeft = ({ at }: Deadline): number => Math.max(0, (at - performance.now()) * 0.9)

/** Waits no longer than the deadline, and then throws the error of `late`. */
export function within<T>(deadline: Deadline, work: Promise<T>, late: () => ToolError): Promise<T> {
  const { at, signal } = deadline
  let stop = () => {}
  const over = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(late()), Math.max(0, at - performance.now()))
    const cancel = () => reject(new ToolError('cancelled', 'The question was cancelled by its caller'))
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  })
  // Later failures have no receiver.
  work.catch(() => {})
  return Promise.race([work, over]).finally(() => stop())
}
