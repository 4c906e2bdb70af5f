import { ToolError } from '../../kernel/error.ts'
import { pack, unpack } from './pack.ts'
import type { Failure } from './recording.ts'

/** Returns an exception as data. */
export function failureOf(cause: unknown): Failure {
  if (!(cause instanceof ToolError)) return { defect: cause instanceof Error ? cause.message : String(cause) }
  const { code, message, hint, details } = cause
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details: pack(details) }),
  }
}

/** Returns the exception to throw again. */
export function errorOf(failure: Failure, textOf: (id: string) => string): Error {
  const unpackedFailure = unpack(failure, textOf) as Failure
  if ('defect' in unpackedFailure) return new Error(unpackedFailure.defect)
  const { code, message, hint, details } = unpackedFailure
  return new ToolError(code, message, {
    ...(hint !== undefined && { hint }),
    ...(typeof details === 'object' && details !== null && { details: { ...details } }),
  })
}
