import { APICallError } from '@ai-sdk/provider'

interface FailureFacts {
  /** A later try may succeed. */
  readonly mayPass: boolean
  /** The provider may have counted tokens. */
  readonly isCounted: boolean
  readonly retryAfterMs?: number | undefined
  readonly isOverflow?: boolean
}

/** Why a request to a model failed. */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  readonly mayPass: boolean
  readonly isCounted: boolean
  readonly retryAfterMs: number | undefined
  /** The prompt is longer than the model's context. */
  readonly isOverflow: boolean
  constructor(
    message: string,
    { mayPass, isCounted, retryAfterMs, isOverflow = false }: FailureFacts,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.mayPass = mayPass
    this.isCounted = isCounted
    this.retryAfterMs = retryAfterMs
    this.isOverflow = isOverflow
  }
}

/** Returns what a thrown value means for a run. */
export function failureOf(cause: unknown, hasBegun = false): ModelFailure {
  if (cause instanceof ModelFailure) return cause
  if (APICallError.isInstance(cause)) return ofResponse(cause, hasBegun)
  const text = textOf(cause)
  if (OVERFLOW.test(text)) return new ModelFailure(text, { mayPass: false, isCounted: false, isOverflow: true }, cause)
  const mayPass =
    hasBegun || /overloaded|rate.?limit|terminated|ECONN|socket|fetch failed|network|server_error/i.test(text)
  return new ModelFailure(text, { mayPass, isCounted: hasBegun }, cause)
}

/** What providers say of a prompt that is too long. */
const OVERFLOW =
  /context.?(length|window)|maximum context|too many tokens|prompt is too long|input token count.*exceeds|exceeds? the (maximum|model)/i

function ofResponse(error: APICallError, hasBegun: boolean): ModelFailure {
  const { statusCode, responseHeaders = {}, responseBody = '', message, isRetryable } = error
  if (statusCode !== undefined && statusCode < 300)
    return new ModelFailure('The answer of the model was cut off', { mayPass: true, isCounted: true }, error)
  const said = `${message}${responseBody}`
  const isOverflow = (statusCode === 400 || statusCode === 413 || statusCode === 422) && OVERFLOW.test(said)
  const status = statusCode === undefined ? '' : `${statusCode} `
  const mayPass = statusCode === undefined ? isRetryable : statusCode === 408 || statusCode === 429 || statusCode >= 500
  return new ModelFailure(
    `The model's provider answered ${status}${message || 'with an error'}`,
    { mayPass, isCounted: hasBegun, retryAfterMs: retryAfter(responseHeaders), isOverflow },
    error,
  )
}

/** Reads `retry-after-ms`, and `retry-after` in seconds or as a date. */
function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (ms >= 0) return ms
  const after = headers['retry-after']
  if (after === undefined) return undefined
  const seconds = /^\d+(\.\d+)?$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Providers stream errors as objects, too. */
function textOf(cause: unknown): string {
  if (cause instanceof Error)
    return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message
  if (typeof cause === 'string') return cause
  const { message, error }: { message?: unknown; error?: unknown } = Object(cause)
  if (typeof message === 'string') return message
  return error === undefined ? JSON.stringify(cause) : textOf(error)
}
