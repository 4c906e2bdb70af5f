import type { CallToolRequest, CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'

/** What a tool call needs of the request that it answers. */
export interface CallRequest {
  readonly mcpReq: Pick<
    ServerContext['mcpReq'],
    '_meta' | 'envelope' | 'inputResponses' | 'notify' | 'requestState' | 'send' | 'signal'
  >
  /** No other request continues its call, which ends with its signal. */
  readonly isOnly?: true
}

/** Answers a request for a tool call. */
export type AnswerCall = (
  params: CallToolRequest['params'],
  request: CallRequest,
) => Promise<CallToolResult | InputRequiredResult>
