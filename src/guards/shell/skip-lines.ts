import { peek, skipBlanks, type Reader, giveUp, readWithin, type Awaited } from './reader.ts'
import { readBackquoted, readDollar } from './expansion.ts'

/** Skips a comment, if one begins here. */
export function skipComment(reader: Reader): void {
  skipBlanks(reader)
  if (peek(reader) !== '#') return
  const end = reader.text.indexOf('\n', reader.at)
  reader.at = end < 0 ? reader.text.length : end
}

/** Skips blanks, comments and line ends. The text of a here-document follows the end of its line. */
export function skipLines(reader: Reader): void {
  for (;;) {
    skipComment(reader)
    if (peek(reader) !== '\n') return
    reader.at++
    readHereDocuments(reader)
  }
}

/** Reads the texts of all here-documents of the finished line; the reader is at the beginning of the next line. */
function readHereDocuments(reader: Reader): void {
  const documents = reader.awaited
  reader.awaited = []
  for (const [at, document] of documents.entries()) {
    if (at > 0) reader.at++
    const body = readBody(reader, document)
    document.done(document.quoted ? body : expand(reader, body))
  }
}

function readBody(reader: Reader, { delimiter, tabs }: Awaited): string {
  const lines: string[] = []
  for (;;) {
    if (reader.at >= reader.text.length) giveUp('a here-document has no end')
    const lineBreak = reader.text.indexOf('\n', reader.at)
    const end = lineBreak < 0 ? reader.text.length : lineBreak
    const raw = reader.text.slice(reader.at, end)
    const line = tabs ? raw.replace(/^\t+/, '') : raw
    reader.at = end + 1
    if (line === delimiter) {
      // The line end belongs to the commands after it.
      reader.at = end
      return lines.map(text => `${text}\n`).join('')
    }
    // In a command substitution, bash also ends the text at a line that begins with the delimiter and has a `)` anywhere
    // after it, and runs the rest of that line. Other shells differ.
    const rest = line.startsWith(delimiter) ? line.slice(delimiter.length) : undefined
    if (rest !== undefined && (rest.includes(')') || !/^\w/.test(rest)))
      giveUp('the end of a here-document is not certain')
    lines.push(line)
  }
}

/** Collects the commands in the text; its value is certain only if nothing in it is special. */
function expand(reader: Reader, body: string): string | undefined {
  if (body.includes('\\\n')) giveUp('a here-document with joined lines')
  if (!/[$`\\]/.test(body)) return body
  readWithin(reader, body, inner => {
    while (inner.at < body.length) {
      const char = body[inner.at++]
      if (char === '\\') inner.at++
      else if (char === '$') readDollar(inner, true)
      else if (char === '`') readBackquoted(inner, true)
    }
  })
  return undefined
}
