/** Splits into lines with their line ends; a last line may have none. */
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

/** Returns a line without its line end (LF or CRLF). */
export const bodyOf = (line: string): string => line.slice(0, line.length - endOf(line).length)

/** Returns the line end of a line: LF, CRLF, or none. */
export const endOf = (line: string): string => (line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : '')

/** Decodes bytes as UTF-8 for display. */
export const toText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
