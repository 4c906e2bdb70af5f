/** Unfinished frames of all clients together. */
export interface UnfinishedFrames {
  /** Counts for one client. Disconnect it when `onTooMuch` is called. */
  client(onTooMuch: () => void): { hold(bytes: number): void; leave(): void }
}

/** Requests are small except for lists of paths, and few of those come at once. */
const MOST_BYTES = 128 * 1024 ** 2
/** On one machine whole requests arrive at once; one that takes longer never will. */
const LONGEST_MS = 10_000

export function unfinishedFrames({ mostBytes = MOST_BYTES, longestMs = LONGEST_MS } = {}): UnfinishedFrames {
  let all = 0
  return {
    client(onTooMuch) {
      let clientBytes = 0
      let late: NodeJS.Timeout | undefined
      const hold = (bytes: number): void => {
        all += bytes - clientBytes
        clientBytes = bytes
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
