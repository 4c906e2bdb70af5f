/** A part of a text by character positions, end excluded. */
export interface Place {
  readonly start: number
  readonly end: number
}

interface Found {
  /** From the left, without overlaps. */
  readonly places: readonly Place[]
  /** A second, overlapping match of the only place found, like "aa" in "aaa": the place is then not unique. */
  readonly overlapping?: Place
  /** The text differs only in its line ends. */
  readonly loose: boolean
}

/** Finds a text exactly; if that fails, treats CRLF and LF as equal. */
export function findText(text: string, old: string): Found {
  const exact = occurrences(text, old)
  // A match that starts between CR and LF would split a line end: then line ends are matched as a whole.
  const divides = /^\n[^\r]*$/.test(old) && exact.some(at => text[at - 1] === '\r')
  if (exact.length > 0 && !divides) return foundPlaces(text, old, exact, at => at, false)
  if (!old.includes('\n') || (!text.includes('\r\n') && !old.includes('\r\n'))) return { places: [], loose: false }
  const plain = withoutCr(text)
  const oldWithLf = old.replaceAll('\r\n', '\n')
  return foundPlaces(plain.text, oldWithLf, occurrences(plain.text, oldWithLf), plain.original, true)
}

/** Returns the line of a position, 1-based. */
export function lineOf(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line++
  return line
}

function foundPlaces(
  text: string,
  old: string,
  starts: number[],
  original: (at: number) => number,
  loose: boolean,
): Found {
  const place = (at: number): Place => ({ start: original(at), end: original(at + old.length) })
  const places = starts.map(place)
  const [first] = starts
  if (starts.length !== 1 || first === undefined) return { places, loose }
  // Only a match that overlaps the first can have been skipped.
  const [second] = occurrences(text.slice(first + 1, first + 2 * old.length), old)
  return second === undefined ? { places, loose } : { places, overlapping: place(first + 1 + second), loose }
}

function occurrences(text: string, old: string): number[] {
  if (text.length * old.length > HARD) return occurrencesOfLong(text, old)
  const starts: number[] = []
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) starts.push(at)
  return starts
}

/** Above this product, `indexOf` could take minutes on a text of repeated characters. */
const HARD = 500_000_000

/** Knuth, Morris and Pratt: one look at each character for any text. */
function occurrencesOfLong(text: string, old: string): number[] {
  const back = new Int32Array(old.length)
  for (let i = 1, matchLength = 0; i < old.length; i++) {
    while (matchLength > 0 && old.charCodeAt(i) !== old.charCodeAt(matchLength))
      matchLength = back[matchLength - 1] ?? 0
    if (old.charCodeAt(i) === old.charCodeAt(matchLength)) matchLength++
    back[i] = matchLength
  }
  const starts: number[] = []
  for (let i = 0, matchLength = 0; i < text.length; i++) {
    while (matchLength > 0 && text.charCodeAt(i) !== old.charCodeAt(matchLength))
      matchLength = back[matchLength - 1] ?? 0
    if (text.charCodeAt(i) === old.charCodeAt(matchLength)) matchLength++
    if (matchLength < old.length) continue
    starts.push(i + 1 - matchLength)
    matchLength = 0
  }
  return starts
}

/** Returns a text with CRLF as LF, and maps positions back. Never splits a line end. */
function withoutCr(text: string): { text: string; original: (at: number) => number } {
  const removedAt: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2))
    removedAt.push(at - removedAt.length)
  const original = (at: number): number => {
    let low = 0
    let high = removedAt.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((removedAt[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    return at + low
  }
  return { text: text.replaceAll('\r\n', '\n'), original }
}
