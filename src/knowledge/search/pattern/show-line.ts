import { isAscii } from 'node:buffer'

const [NEWLINE, RETURN] = [10, 13]
const LONGEST = 1000
/** More than so many bytes are not looked at for what a reader takes for one character. */
const WIDEST = 64
const OMITTED = ' [... omitted end of long line]'

/** A line as an answer shows it: without its end, and where it is long by its first thousand characters. */
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

/** The first thousand characters, as a reader sees characters. */
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

/** No character up to the end of what is shown is joined with the next: none that could be is among them. */
function isSimple(line: string): boolean {
  if (line.length <= LONGEST) return false
  for (let at = 0; at <= LONGEST; at++) {
    const code = line.charCodeAt(at)
    if (code === RETURN || (code >= 0x300 && (code < 0x4e00 || code > 0x9fff))) return false
  }
  return true
}
