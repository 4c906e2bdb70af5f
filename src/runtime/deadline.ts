import type { Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import { elapsedMs } from '../kernel/time.ts'
import type { CallContext } from '../kernel/tool.ts'

export const DEFAULT_TIMEOUT_MS = 30_000

/** The time an answer takes after a wait is over. */
const AFTER_WAIT_MS = 15_000

/** Returns the milliseconds that a call with this input may take by default; more if it wants to wait. */
export function ownTime<In>(
  { timeoutMs, waitMs }: { readonly timeoutMs?: number; readonly waitMs?: (input: In) => number | undefined },
  input: In,
): number | undefined {
  const wait = waitMs?.(input)
  return wait === undefined ? timeoutMs : Math.max(timeoutMs ?? DEFAULT_TIMEOUT_MS, wait + AFTER_WAIT_MS)
}

/** A tool and the milliseconds that a call of it may take. */
export interface Timed {
  readonly name: string
  readonly timeoutMs: number
  /** What the call touches, so that its error can name the file. */
  readonly claims?: readonly Claim[]
}

/** The context that a tool runs with. */
interface Deadline extends CallContext {
  /** Pauses the timeout while a person is asked. The returned function resumes it. */
  pause(): () => void
}

/**
 * A class, because V8 allocates the getters of an object literal in the old generation, where each keeps alive what its
 * call has made until the next full collection.
 */
class DeadlineContext implements Deadline {
  /** Created on demand. */
  controller: AbortController | undefined
  readonly timeoutMs: number
  readonly pause: Deadline['pause']

  constructor(timeoutMs: number, pause: Deadline['pause']) {
    this.timeoutMs = timeoutMs
    this.pause = pause
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    return this.controller.signal
  }
}

/**
 * Runs a tool until it answers, its time is over, or its caller cancels. A tool that answers at once costs no timer.
 */
export async function withDeadline<T>(
  { name, timeoutMs, claims = [] }: Timed,
  caller: AbortSignal | undefined,
  work: (context: Deadline) => Promise<T> | T,
): Promise<T> {
  if (caller?.aborted) throw cancellationError(name, caller)
  let timer: NodeJS.Timeout | undefined
  let goOn = () => {}
  let pauseCount = 0
  let remainingMs = timeoutMs
  let since: number | undefined
  const context = new DeadlineContext(timeoutMs, () => {
    if (pauseCount++ === 0 && since !== undefined) remainingMs = Math.max(0, remainingMs - (elapsedMs() - since))
    clearTimeout(timer)
    return () => --pauseCount === 0 && goOn()
  })
  const late = (): ToolError =>
    new ToolError('timeout', `'${name}' took longer than ${timeoutMs / 1000} s${onFile(claims)}`, {
      hint: 'Request less at once, or raise its timeout under "timeouts" in the configuration',
      details: { timeoutMs },
    })
  const begun = elapsedMs()
  const answer = work(context)
  // No timer fires while a tool runs synchronously, so its time is checked afterwards.
  const isLate = pauseCount === 0 && elapsedMs() - begun > timeoutMs
  if (!(answer instanceof Promise)) {
    if (isLate) throw late()
    return answer
  }

  return new Promise<T>((resolve, reject) => {
    const stop = (error: ToolError) => {
      reject(error)
      context.controller?.abort(error)
    }
    goOn = () => {
      since = elapsedMs()
      timer = setTimeout(() => stop(late()), remainingMs)
    }
    if (isLate) stop(late())
    else if (pauseCount === 0) goOn()
    const onAbort = () => caller && stop(cancellationError(name, caller))
    caller?.addEventListener('abort', onAbort, { once: true })
    answer.then(resolve, reject).finally(() => {
      goOn = () => {}
      clearTimeout(timer)
      caller?.removeEventListener('abort', onAbort)
    })
  })
}

const FILE_ACTIONS: ReadonlySet<string> = new Set(['read', 'create', 'write'])

/** Names the file of a call that is about one file. */
function onFile(claims: readonly Claim[]): string {
  const [first, ...others] = new Set(claims.filter(({ action }) => FILE_ACTIONS.has(action)).map(one => one.resource))
  return first === undefined || others.length > 0 || first.includes('*') ? '' : ` on ${first}`
}

/** The error for a call that its caller cancelled, with the caller's reason if given. */
export const cancellationError = (name: string, caller: AbortSignal): ToolError =>
  caller.reason instanceof ToolError
    ? caller.reason
    : new ToolError('cancelled', `'${name}' was cancelled by its caller`)
