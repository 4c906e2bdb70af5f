import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Asked, OpenCall } from './open-call.ts'

interface Parked {
  readonly call: OpenCall
  readonly asked: Asked
  /** When the question was sent. */
  readonly since: number
}

/** Calls whose question is with the client, each under a name that only the client knows. */
interface ParkedCalls {
  park(call: OpenCall, asked: Asked): string
  /** Takes a call back, once, for the same tool and the same input. Returns undefined if there is none. */
  take(state: unknown, name: string, input: unknown): Parked | undefined
  endAll(): void
}

/** `late` settles a question that was not answered within `waitMs`. */
export function createParkedCalls(waitMs: number, late: (asked: Asked) => void): ParkedCalls {
  const callsByState = new Map<unknown, Parked & { readonly timer: NodeJS.Timeout }>()
  return {
    park(call, asked) {
      const state = randomUUID()
      const timer = setTimeout(() => {
        callsByState.delete(state)
        late(asked)
      }, waitMs).unref()
      callsByState.set(state, { call, asked, since: performance.now(), timer })
      return state
    },
    take(state, name, input) {
      const parkedCall = callsByState.get(state)
      if (!parkedCall || parkedCall.call.name !== name || !isDeepStrictEqual(parkedCall.call.input, input))
        return undefined
      callsByState.delete(state)
      clearTimeout(parkedCall.timer)
      return parkedCall
    },
    endAll() {
      for (const { call, timer } of callsByState.values()) {
        clearTimeout(timer)
        call.end()
      }
      callsByState.clear()
    },
  }
}
