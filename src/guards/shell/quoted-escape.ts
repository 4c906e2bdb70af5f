import { doubt, giveUp, type Reader } from './reader.ts'
import type { Piece } from './script.ts'

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
}

const ESCAPE = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|([^]))/y

/**
 * Reads `'…'` after a dollar sign and decodes its escapes. One that depends on the locale or ends a string has no
 * certain value.
 */
export function readQuotedEscape(reader: Reader): Piece {
  const start = reader.at++
  let text = ''
  let certain = true
  for (;;) {
    const char = reader.text[reader.at]
    if (char === undefined) giveUp('a quote is not closed')
    if (char === "'") break
    if (char === '\\') {
      // In other shells than bash, this ends the quotes.
      if (reader.text[reader.at + 1] === "'") doubt(reader, "a \\' between $'…'")
      const character = decodeAt(reader)
      if (character === undefined) certain = false
      text += character ?? ''
    } else {
      text += char
      reader.at++
    }
  }
  reader.at++
  if (certain) return { kind: 'text', text, quoted: true }
  return { kind: 'other', text: reader.text.slice(start, reader.at), quoted: true }
}

function decodeAt(reader: Reader): string | undefined {
  ESCAPE.lastIndex = reader.at
  const [whole, hex, short, long, octal, letter = ''] = ESCAPE.exec(reader.text) ?? giveUp('a quote is not closed')
  reader.at += whole.length
  if (letter !== '') return SIMPLE[letter]
  const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8)
  return code > 0 && code < 128 ? String.fromCodePoint(code) : undefined
}
