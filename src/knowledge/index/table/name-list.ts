/** Names that can be found by a substring. */
interface NameList {
  /** Adds a new name. */
  note(name: string): void
  /**
   * Returns the names with this substring, regardless of case. May include removed names. Returns undefined if there
   * are too many.
   */
  containing(part: string): ReadonlySet<string> | undefined
}

/** New names before the text is rebuilt. */
const MOST_NEW = 5_000
const MOST_FOUND = 10_000

/** Builds one text of all names on the first request; a search of it takes a millisecond or two. */
export function createNameList(all: () => Iterable<string>): NameList {
  let nameList: { readonly names: readonly string[]; readonly starts: Uint32Array; readonly text: string } | undefined
  let newNames: string[] = []
  return {
    note(name) {
      if (nameList) newNames.push(name)
    },
    containing(part) {
      const { names, starts, text } = nameList && newNames.length <= MOST_NEW ? nameList : (nameList = make())
      const matches = new Set<string>()
      if (part.includes('\n')) return matches
      for (let at = text.indexOf(part); at >= 0 && matches.size <= MOST_FOUND;) {
        const which = placeOf(starts, at)
        matches.add(names[which] ?? '')
        const next = starts[which + 1]
        at = next === undefined ? -1 : text.indexOf(part, next)
      }
      for (const name of newNames) if (name.toLowerCase().includes(part)) matches.add(name)
      return matches.size > MOST_FOUND ? undefined : matches
    },
  }

  function make() {
    const names = [...all()]
    const lower = names.map(name => name.toLowerCase())
    const starts = new Uint32Array(names.length)
    let at = 0
    for (const [which, name] of lower.entries()) {
      starts[which] = at
      at += name.length + 1
    }
    newNames = []
    return { names, starts, text: lower.join('\n') }
  }
}

/** Returns the last position that starts at or before this offset. */
function placeOf(starts: Uint32Array, at: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}
