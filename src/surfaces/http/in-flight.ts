import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '../../kernel/error.ts'

/** The requests that are being answered. */
export interface InFlight {
  /** How many of them end by themselves. */
  count(): number
  /** Answers a request. Its signal ends if the client leaves before the whole answer is sent. */
  run(request: AnsweredRequest, work: (signal: AbortSignal) => Promise<Response>): Promise<Response>
  /** Ends endless answers at once, waits for the others this long, then asks them to end too. */
  finish(mostMs: number): Promise<void>
}

interface AnsweredRequest {
  readonly outgoing: ServerResponse
  /** Its answer ends only when the client leaves. */
  readonly isEndless: boolean
}

interface Open {
  readonly sent: Promise<void>
  readonly isEndless: boolean
}

/** How long a request may take to end after it was asked to. */
const END_MS = 5_000

export function trackRequests(): InFlight {
  const open = new Map<AbortController, Open>()
  const ending = (): readonly Open[] => [...open.values()].filter(({ isEndless }) => !isEndless)
  const allSent = (): Promise<unknown> => Promise.all(Array.from(open.values(), ({ sent }) => sent))
  return {
    count: () => ending().length,
    run({ outgoing, isEndless }, work) {
      const controller = new AbortController()
      const { promise: whenSent, resolve } = Promise.withResolvers<void>()
      const onClose = (): void => {
        if (!outgoing.writableFinished) controller.abort(new ToolError('cancelled', 'The client left'))
        open.delete(controller)
        resolve()
      }
      open.set(controller, { sent: whenSent, isEndless })
      if (outgoing.destroyed) onClose()
      else outgoing.once('close', onClose)
      return work(controller.signal)
    },
    async finish(mostMs) {
      const stop = (): ToolError => new ToolError('cancelled', 'The server stops')
      for (const [controller, { isEndless }] of open) if (isEndless) controller.abort(stop())
      await Promise.race([allSent(), pause(mostMs, undefined, { ref: false })])
      for (const controller of open.keys()) controller.abort(stop())
      await Promise.race([allSent(), pause(END_MS, undefined, { ref: false })])
    },
  }
}
