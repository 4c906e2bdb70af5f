/** A file in the middle of an edit has one or two errors; each costs a few attempts of the parser. */
const MOST_LOOKS = 32
/** A line that begins in the first column, closes nothing and is no comment. */
const BEGINNING = /^(?!\/[/*])[^\s)\]};,*]/gm

/**
 * A parsable text of the same length and lines, without the erroneous part: the parser rejects a whole file for one
 * missing word. Blanks the inside of a statement before the statement itself. Returns undefined if that does not help.
 */
export function repairedText(text: string, gaveUpAt: (text: string) => number | undefined): string | undefined {
  const begins = [...text.matchAll(BEGINNING)].map(({ index }) => index)
  let [bestText, at] = [text, gaveUpAt(text)]
  for (let looks = 1; at !== undefined && looks < MOST_LOOKS;) {
    let further: { readonly text: string; readonly at: number | undefined } | undefined
    for (const candidate of attempts(bestText, begins, at)) {
      const next = gaveUpAt(candidate)
      if (next === undefined || next > at) further = { text: candidate, at: next }
      if (further || ++looks >= MOST_LOOKS) break
    }
    if (!further) return undefined
    bestText = further.text
    at = further.at
  }
  return at === undefined ? bestText : undefined
}

/** If a statement is not closed, the parser fails in the next one. */
function* attempts(text: string, begins: readonly number[], at: number): Generator<string> {
  const statementIndex = begins.findLastIndex(begin => begin <= at)
  for (const place of begins[statementIndex] === at
    ? [statementIndex - 1, statementIndex]
    : [statementIndex, statementIndex - 1]) {
    const from = begins[place]
    if (from === undefined) continue
    const to = begins[place + 1] ?? text.length
    const inside = insideOf(text, from, to)
    if (inside) yield blankRange(text, ...inside)
    yield blankRange(text, from, to)
  }
}

/** From the end of its first line to the line that closes it. */
function insideOf(text: string, from: number, to: number): readonly [number, number] | undefined {
  const first = text.indexOf('\n', from)
  const close = text.slice(from, to).search(/^[)\]}]/m)
  const end = close < 0 ? to : from + close
  return first >= 0 && first < end ? [first, end] : undefined
}

const blankRange = (text: string, from: number, to: number): string =>
  text.slice(0, from) + text.slice(from, to).replaceAll(/[^\r\n]/g, ' ') + text.slice(to)
