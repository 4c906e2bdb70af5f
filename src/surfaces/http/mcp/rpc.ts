import { PROTOCOL_VERSION_META_KEY, type RequestId } from '@modelcontextprotocol/server'
import { requestIdOf } from '../../mcp/request-id.ts'
import { JSON_HEADERS } from '../refusal.ts'

/** Returns the messages of a body: one, or a batch. */
export const messagesIn = (body: unknown): readonly unknown[] =>
  Array.isArray(body) ? body : body === undefined ? [] : [body]

export const methodOf = (message: unknown): unknown => Object(message).method

/** Returns the ids of the requests among these messages. */
export const requestIds = (messages: readonly unknown[]): readonly RequestId[] =>
  messages.map(requestIdOf).filter(id => id !== undefined)

/** Reports whether a message brings its own version and capabilities, as every request does since 2026-07-28. */
export function hasEnvelope(message: unknown): boolean {
  const meta: unknown = Object(Object(message).params)['_meta']
  return typeof meta === 'object' && meta !== null && PROTOCOL_VERSION_META_KEY in meta
}

export const INVALID_REQUEST = -32_600
export const SESSION_NOT_FOUND = -32_001
export const SERVER_ERROR = -32_000

/** Answers with an error of JSON-RPC. */
export const refuseRpc = (
  status: number,
  { code, message, id = null }: { readonly code: number; readonly message: string; readonly id?: RequestId | null },
): Response =>
  new Response(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }), { status, headers: JSON_HEADERS })
