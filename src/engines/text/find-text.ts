/** A part of a text by its character positions, the end not included. */
export interface Place {
  readonly start: number
  readonly end: number
}

export interface Found {
  /** From the left, none overlapping another. */
  readonly places: readonly Place[]
  /** A second way to lay the text over the only place found, as "aa" has in "aaa": it is not unique then. */
  readonly overlapping?: Place
  /** The text is there but for its line ends. */
  readonly loose: boolean
}

/** Where a text occurs: as it is, and where it does so nowhere, with CRLF and LF taken for the same. */
export function findText(text: string, old: string): Found {
  const exact = occurrences(text, old)
  const whole = old.includes('\r') || !old.startsWith('\n') ? exact : exact.filter(at => text[at - 1] !== '\r')
  if (whole.length > 0) return found(text, old, whole, at => at, false)
  if (!old.includes('\n') || (!text.includes('\r\n') && !old.includes('\r\n'))) return { places: [], loose: false }
  const plain = withoutCr(text)
  const wanted = old.replaceAll('\r\n', '\n')
  return found(plain.text, wanted, occurrences(plain.text, wanted), plain.original, true)
}

/** The line of a position, 1-based. */
export function lineOf(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line++
  return line
}

function found(text: string, old: string, starts: number[], original: (at: number) => number, loose: boolean): Found {
  const place = (at: number): Place => ({ start: original(at), end: original(at + old.length) })
  const places = starts.map(place)
  const [first] = starts
  const second = starts.length === 1 && first !== undefined ? text.indexOf(old, first + 1) : -1
  return second === -1 ? { places, loose } : { places, overlapping: place(second), loose }
}

function occurrences(text: string, old: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) starts.push(at)
  return starts
}

/** A text with its CRLF as LF, and the way back from its positions; a line end is never divided. */
function withoutCr(text: string): { text: string; original: (at: number) => number } {
  const removed: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) removed.push(at - removed.length)
  const original = (at: number): number => {
    let low = 0
    let high = removed.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((removed[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    return at + low
  }
  return { text: text.replaceAll('\r\n', '\n'), original }
}
