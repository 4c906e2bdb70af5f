import {
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server'

/** The SDK's transport of a session, which also knows what is in flight, and ends it. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #running = new Set<RequestId>()

  get isBusy(): boolean {
    return this.#running.size > 0
  }

  isRunning(id: RequestId): boolean {
    return this.#running.has(id)
  }

  begin(ids: readonly RequestId[]): void {
    for (const id of ids) this.#running.add(id)
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    try {
      await super.send(message, options)
    } finally {
      if (!('method' in message) && message.id !== undefined) this.#running.delete(message.id)
    }
  }

  /** Ends a request as its client would. */
  cancel(requestId: RequestId, reason: string): void {
    if (!this.#running.has(requestId)) return
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } })
    this.forget(requestId)
  }

  /** Closes the stream of a request that was cancelled: the SDK answers it no more, and would leave it open. */
  forget(requestId: RequestId): void {
    if (!this.#running.delete(requestId)) return
    // What is sent because of the cancellation still goes out.
    setImmediate(() => this.closeSSEStream(requestId))
  }
}
