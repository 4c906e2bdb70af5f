import { readHereDocuments } from './here-document.ts'
import { peek, skipBlanks, type Reader } from './reader.ts'

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
