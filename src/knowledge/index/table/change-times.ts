/** When files last changed, so that each caller is told only of changes in what it may see. */
interface ChangeTimes {
  /** A change that all may know of. */
  begin(): void
  note(path: string): void
  /** Also of files that have gone. */
  paths(): Iterable<string>
  newest(leaveOut: ReadonlySet<string> | undefined): number
}

/** So many files are told apart; what changed before them counts for all. */
const MOST = 10_000

export function createChangeTimes(): ChangeTimes {
  /** The latest last. */
  const times = new Map<string, number>()
  let floor = Date.now()
  return {
    begin: () => void (floor = Date.now()),
    note(path) {
      times.delete(path)
      times.set(path, Date.now())
      if (times.size <= MOST) return
      const [[oldest, time] = []] = times
      if (oldest === undefined || time === undefined) return
      times.delete(oldest)
      floor = Math.max(floor, time)
    },
    paths: () => times.keys(),
    newest(leaveOut) {
      let newest = floor
      for (const [path, time] of times) if (time > newest && !leaveOut?.has(path)) newest = time
      return newest
    },
  }
}
