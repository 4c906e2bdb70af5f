import { orAborted } from './or-aborted.ts'

/** The rights of a running call besides its place in the queue. */
export interface Turn {
  /**
   * Waits until no other command lands its changes, and blocks them until this call is over. Reports whether one has
   * landed since this call began.
   */
  land(signal?: AbortSignal): Promise<boolean>
}

/** Makes commands that run side by side land their changes one at a time. */
export interface Landings {
  begin(): Turn & { end(): void }
}

export function createLandings(): Landings {
  let landingCount = 0
  let last = Promise.resolve()
  return {
    begin() {
      const since = landingCount
      const over = Promise.withResolvers<void>()
      let turn: Promise<boolean> | undefined
      const take = (): Promise<boolean> => {
        const before = last
        last = before.then(() => over.promise)
        return before.then(() => landingCount !== since)
      }
      return {
        async land(signal) {
          turn ??= take()
          await orAborted(turn, signal)
          signal?.throwIfAborted()
          return turn
        },
        end() {
          if (turn) landingCount++
          over.resolve()
        },
      }
    },
  }
}
