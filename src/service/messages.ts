import { ToolError, type Code } from '../kernel/error.ts'
import type { Build } from './own-build.ts'
import { decodeValue } from './wire-value.ts'

/** The first request of a connection, with id 0; every version understands it. */
export interface Greeting extends Build {
  /** Asks a process of another build to end; it does so if no one else uses it. */
  readonly leave?: boolean
}

export interface Welcome extends Build {
  readonly pid: number
  /** The user whose ignore files it uses. */
  readonly user?: string
}

export interface Request {
  readonly method: string
  readonly question?: unknown
  /** How long the caller will wait. */
  readonly timeoutMs: number
}

interface Failure {
  readonly code: Code
  readonly message: string
  readonly hint?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Throws if the text is not a greeting. */
export function readGreeting(text: string): Greeting {
  const { protocol, version, build, leave } = Object(JSON.parse(text))
  if (typeof protocol !== 'number' || typeof version !== 'string' || typeof build !== 'string')
    throw new Error('Not a greeting')
  return { protocol, version, build, leave: leave === true }
}

/** Throws if the bytes are not a request. */
export function readRequest(bytes: Buffer): Request {
  const { method, question, timeoutMs } = Object(decodeValue(bytes))
  if (typeof method !== 'string' || typeof timeoutMs !== 'number' || !(timeoutMs >= 0)) throw new Error('Not a request')
  return { method, question, timeoutMs: Math.min(timeoutMs, LONGEST_MS) }
}

const LONGEST_MS = 3_600_000

export function failureOf(error: unknown): Failure {
  if (!(error instanceof ToolError))
    return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
  const { code, message, hint, details } = error
  return { code, message, ...(hint !== undefined && { hint }), ...(details !== undefined && { details }) }
}

export const errorOf = ({ code, message, hint, details }: Failure): ToolError =>
  new ToolError(code, message, { ...(hint !== undefined && { hint }), ...(details !== undefined && { details }) })
