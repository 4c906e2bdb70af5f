import { ToolError } from '../../../kernel/error.ts'

/** Until when an answer is of use to whoever asked. */
export interface Deadline {
  /** On the clock of `performance.now()`. */
  readonly at: number
  readonly signal?: AbortSignal | undefined
  /** How whoever asks gives a question more time, such as `"waitMs"`. */
  readonly moreTime?: string | undefined
  /** Hears what a server that is waited for is doing. */
  readonly onProgress?: ((text: string) => void) | undefined
  /** Nobody waits for it: questions that somebody waits for go first. */
  readonly isBackground?: boolean
}

export const deadlineIn = (ms: number, signal?: AbortSignal, more: Omit<Deadline, 'at' | 'signal'> = {}): Deadline => ({
  ...more,
  at: performance.now() + ms,
  signal,
})

/** The deadline of a question that somebody asks. */
export const deadlineOf = ({
  deadlineMs,
  signal,
  moreTime,
  onProgress,
}: Pick<Deadline, 'moreTime' | 'onProgress' | 'signal'> & { readonly deadlineMs: number }): Deadline =>
  deadlineIn(deadlineMs, signal, { moreTime, onProgress })

export const isPast = ({ at, signal }: Deadline): boolean => performance.now() >= at || signal?.aborted === true

/** What somebody else may take for a part of an answer, so that the rest is still in time. */
export const timeLeft = ({ at }: Deadline): number => Math.max(0, (at - performance.now()) * 0.9)

/** Waits no longer than the deadline; `late` is told then, and says how to call it. */
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
  // Whatever comes later has nobody to go to.
  work.catch(() => {})
  return Promise.race([work, over]).finally(() => stop())
}
