import { AsyncLocalStorage } from 'node:async_hooks'
import {
  PROTOCOL_VERSION_META_KEY,
  type CallToolResult,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server'

/** What a fixture tool sees of the request that it answers: our own tools see nothing of it. */
export interface RequestContext {
  readonly request: ServerContext
  readonly isModern: boolean
  /** Announces changes of the lists. */
  readonly notify: Pick<ServerNotifier, 'toolsChanged' | 'promptsChanged'>
  /** Set if the tool ends with an error of the protocol, which is no failure of a call. */
  protocolError?: unknown
}

const contexts = new AsyncLocalStorage<RequestContext>()

export const withRequest = contexts.run.bind(contexts) as <T>(context: RequestContext, work: () => T) => T

export function requestContext(): RequestContext {
  const context = contexts.getStore()
  if (!context) throw new Error('No request is being answered')
  return context
}

/** Reports whether a request is of the protocol of 2026-07-28. */
export const isModern = ({ mcpReq }: ServerContext): boolean =>
  mcpReq.envelope !== undefined && PROTOCOL_VERSION_META_KEY in Object(mcpReq.envelope)

export type Content = CallToolResult['content']

export const text = (words: string): Content => [{ type: 'text', text: words }]
