import { isAscii } from 'node:buffer'

const [NEWLINE, RETURN] = [10, 13]
/** A line with more bytes is not shown whole. */
export const LONGEST_SHOWN = 1000
/** Most bytes examined to find one visible character. */
const WIDEST = 64
/** Marks of a line that is shown in part. */
export const OMITTED_END = ' [... omitted end of long line]'
const OMITTED_BEGINNING = '[... omitted beginning of long line] '

/** Formats a line for an answer: without its line end, and cut to a thousand characters. */
export function showLine(text: Buffer, start: number, end: number): string {
  const isEnded = text[end] === NEWLINE
  const last = isEnded && end > start && text[end - 1] === RETURN ? end - 1 : end
  if (end - start + (isEnded ? 1 : 0) <= LONGEST_SHOWN) return text.toString('utf8', start, last)
  const first = text.subarray(start, start + LONGEST_SHOWN + 1)
  if (last - start > LONGEST_SHOWN && isAscii(first) && !first.includes(RETURN))
    return `${first.toString('latin1', 0, LONGEST_SHOWN)}${OMITTED_END}`
  return `${beginning(text.toString('utf8', start, Math.min(last, start + LONGEST_SHOWN * WIDEST)))}${OMITTED_END}`
}

/** Formats a long line from about this byte on, or from further ahead if the rest is short. */
export function showFrom(line: Buffer, from: number): string {
  let start = Math.max(0, Math.min(from, line.length - LONGEST_SHOWN))
  // Not within a character.
  for (let back = 0; back < 3 && ((line[start] ?? 0) & 0xc0) === 0x80; back++) start--
  return `${OMITTED_BEGINNING}${showLine(line, start, line.length)}`
}

let segmenter: Intl.Segmenter | undefined

/** Returns the first thousand characters as a reader sees them. */
function beginning(line: string): string {
  if (isSimple(line)) return line.slice(0, LONGEST_SHOWN)
  let length = 0
  let count = 0
  segmenter ??= new Intl.Segmenter('en')
  for (const { segment } of segmenter.segment(line)) {
    if (count++ === LONGEST_SHOWN) break
    length += segment.length
  }
  return line.slice(0, length)
}

/** Reports whether no character in the shown part can combine with the next. */
function isSimple(line: string): boolean {
  if (line.length <= LONGEST_SHOWN) return false
  for (let at = 0; at <= LONGEST_SHOWN; at++) {
    const code = line.charCodeAt(at)
    if (code === RETURN || (code >= 0x300 && (code < 0x4e00 || code > 0x9fff))) return false
  }
  return true
}
