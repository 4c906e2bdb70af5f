/** What clients have begun to send and not finished, of all of them together. */
export interface UnfinishedFrames {
  /** Counts for one client; it is to be cut off where `onTooMuch` is called. */
  client(onTooMuch: () => void): { hold(bytes: number): void; leave(): void }
}

/** Requests are small but for lists of paths; nobody needs many of those at once. */
const MOST_BYTES = 128 * 1024 ** 2
/** On one machine whole requests come at once: one that does not is never going to. */
const LONGEST_MS = 10_000

export function unfinishedFrames({ mostBytes = MOST_BYTES, longestMs = LONGEST_MS } = {}): UnfinishedFrames {
  let all = 0
  return {
    client(onTooMuch) {
      let own = 0
      let late: NodeJS.Timeout | undefined
      const hold = (bytes: number): void => {
        all += bytes - own
        own = bytes
        if (bytes === 0) {
          clearTimeout(late)
          late = undefined
        } else late ??= setTimeout(onTooMuch, longestMs).unref()
        if (all > mostBytes) onTooMuch()
      }
      return { hold, leave: () => hold(0) }
    },
  }
}
