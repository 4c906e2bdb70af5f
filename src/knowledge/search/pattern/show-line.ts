import { isAscii } from 'node:buffer'

const [NEWLINE, RETURN] = [10, 13]
const LONGEST = 1000
/** Most bytes examined to find one visible character. */
const WIDEST = 64
const OMITTED = ' [... omitted end of long line]'

/** Formats a line for an answer: without its line end, and cut to a thousand characters. */
export function showLine(text: Buffer, start: number, end: number): string {
  const isEnded = text[end] === NEWLINE
  const last = isEnded && end > start && text[end - 1] === RETURN ? end - 1 : end
  if (end - start + (isEnded ? 1 : 0) <= LONGEST) return text.toString('utf8', start, last)
  const first = text.subarray(start, start + LONGEST + 1)
  if (last - start > LONGEST && isAscii(first) && !first.includes(RETURN))
    return `${first.toString('latin1', 0, LONGEST)}${OMITTED}`
  return `${beginning(text.toString('utf8', start, Math.min(last, start + LONGEST * WIDEST)))}${OMITTED}`
}

let segmenter: Intl.Segmenter | undefined

/** Returns the first thousand characters as a reader sees them. */
function beginning(line: string): string {
  if (isSimple(line)) return line.slice(0, LONGEST)
  let length = 0
  let count = 0
  segmenter ??= new Intl.Segmenter('en')
  for (const { segment } of segmenter.segment(line)) {
    if (count++ === LONGEST) break
    length += segment.length
  }
  return line.slice(0, length)
}

/** Reports whether no character in the shown part can combine with the next. */
function isSimple(line: string): boolean {
  if (line.length <= LONGEST) return false
  for (let at = 0; at <= LONGEST; at++) {
    const code = line.charCodeAt(at)
    if (code === RETURN || (code >= 0x300 && (code < 0x4e00 || code > 0x9fff))) return false
  }
  return true
}
