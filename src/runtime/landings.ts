import { orAborted } from './or-aborted.ts'

/** What a call that is running has besides its place. */
export interface Turn {
  /**
   * Waits until no other command lands what it changed; from then on none does, until this call is over. Reports whether
   * one has since this call began.
   */
  land(signal?: AbortSignal): Promise<boolean>
}

/** The order in which commands that run side by side land what they changed: one at a time. */
export interface Landings {
  begin(): Turn & { end(): void }
}

export function createLandings(): Landings {
  let landed = 0
  let last = Promise.resolve()
  return {
    begin() {
      const since = landed
      const over = Promise.withResolvers<void>()
      let turn: Promise<boolean> | undefined
      const take = (): Promise<boolean> => {
        const before = last
        last = before.then(() => over.promise)
        return before.then(() => landed !== since)
      }
      return {
        async land(signal) {
          turn ??= take()
          await orAborted(turn, signal)
          signal?.throwIfAborted()
          return turn
        },
        end() {
          if (turn) landed++
          over.resolve()
        },
      }
    },
  }
}
