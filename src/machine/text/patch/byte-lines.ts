/** Lines with their line ends; a last line without one is a line too. */
export function linesOf(text: string): string[] {
  const lines: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    const next = end < 0 ? text.length : end + 1
    lines.push(text.slice(start, next))
    start = next
  }
  return lines
}

/** A line without its line end, be it LF or CRLF. */
export const bodyOf = (line: string): string => line.slice(0, line.length - endOf(line).length)

/** The line end of a line: LF, CRLF, or none. */
export const endOf = (line: string): string => (line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : '')

/** What a person or a model reads: bytes as UTF-8. */
export const toText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
