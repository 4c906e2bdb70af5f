import { ToolError } from '../kernel/error.ts'
import { reasonOf } from '../kernel/reason-of.ts'
import type { CallTrace } from './call-trace.ts'

/** Turns any other exception into `internal` and keeps it, since it is a defect to fix. */
export function asToolError(cause: unknown, trail: CallTrace): ToolError {
  if (cause instanceof ToolError) return withPrinted(cause, trail)
  trail.defect = cause
  const errno = systemError(cause)
  if (errno !== undefined)
    return new ToolError('io', `The system reported ${errno.message}`, {
      hint: 'Check the permissions and the free disk space there',
      details: { errno: errno.code },
      cause,
    })
  return new ToolError('internal', `Unexpected failure: ${reasonOf(cause)}`, {
    cause,
  })
}

/** Adds what a command printed before it was refused, which is still worth reading. */
function withPrinted(error: ToolError, { facts }: CallTrace): ToolError {
  if (!facts?.printed || error.details?.['stdout'] !== undefined) return error
  const { code, message, hint, details } = error
  return new ToolError(code, message, {
    ...(hint !== undefined && { hint }),
    details: { ...details, ...(facts.exitCode !== undefined && { exitCode: facts.exitCode }), ...facts.printed },
    cause: error,
  })
}

/** Returns a system error that no engine has put into words. */
const systemError = (cause: unknown): { readonly code: string; readonly message: string } | undefined =>
  cause instanceof Error && 'syscall' in cause && 'code' in cause && typeof cause.code === 'string'
    ? { code: cause.code, message: cause.message }
    : undefined
