import type { Code, ToolError } from '../../kernel/error.ts'
import { jsonLine } from '../../kernel/json-line.ts'

/** Headers of every answer with JSON. */
export const JSON_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const

/** Answers a request that was not carried out. */
export function refuse(
  status: number,
  error: { readonly code: string; readonly message: string; readonly hint?: string | undefined },
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(`${jsonLine({ error })}\n`, { status, headers: { ...JSON_HEADERS, ...headers } })
}

/** Answers with the failure of a route; a call's own failure is no such failure. */
export const refuseFor = (error: ToolError): Response =>
  refuse(STATUS[error.code] ?? 500, { code: error.code, message: error.message, hint: error.hint })

const STATUS: Partial<Readonly<Record<Code, number>>> = {
  invalid_input: 400,
  unknown_tool: 404,
  not_found: 404,
  denied: 403,
  rejected: 403,
  outside_workspace: 403,
  exists: 409,
  conflict: 409,
  too_large: 413,
  budget_exceeded: 429,
  quota: 429,
  unavailable: 503,
  timeout: 504,
}
