/** Times of changes per file, so that each caller learns only of changes in files it may see. */
export interface ChangeTimes {
  /** Records a change that every caller may know of. */
  begin(): void
  note(path: string): void
  /** Includes removed files. */
  paths(): Iterable<string>
  newest(leaveOut: ReadonlySet<string> | undefined): number
}

/** Number of files to distinguish; older changes count for all. */
const MOST = 10_000

export function createChangeTimes(): ChangeTimes {
  /** Newest last. */
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
