import { deeper, doubt, eat, giveUp, isNext, peek, readWithin, take, type Reader } from './reader.ts'
import type { Piece, Simple } from './script.ts'

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
function readQuotedEscape(reader: Reader): Piece {
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

/** Reads an expansion; the reader is after the dollar sign. */
export function readDollar(reader: Reader, inQuotes: boolean): Piece {
  const char = peek(reader)
  if (char === '(') return isNext(reader, '((') ? readArithmetic(reader, inQuotes) : readOutput(reader, inQuotes)
  if (char === '{') return readBraced(reader, inQuotes)
  if (char === '[') giveUp('$[ ] is obsolete arithmetic')
  if (char === "'" && !inQuotes) return readQuotedEscape(reader)
  if (char === '"' && !inQuotes) {
    doubt(reader, 'a $"text" is translated')
    return { kind: 'text', text: '', quoted: true }
  }
  if (/[A-Za-z_]/.test(char)) return { kind: 'variable', name: readName(reader), quoted: inQuotes }
  if (char !== '' && '0123456789@*#?$!-'.includes(char))
    return { kind: 'variable', name: take(reader), quoted: inQuotes }
  return { kind: 'text', text: '$', quoted: true }
}

/** Reads the commands between backquotes; the reader is after the first. */
export function readBackquoted(reader: Reader, inQuotes: boolean): Piece {
  let text = ''
  for (;;) {
    const char = reader.text[reader.at++]
    if (char === undefined) giveUp('a backquote is not closed')
    if (char === '`') break
    const next = reader.text[reader.at]
    if (char === '\\') doubt(reader, 'a backslash between backquotes')
    if (char === '\\' && (next === '`' || next === '\\' || next === '$' || (inQuotes && next === '"'))) {
      text += next
      reader.at++
    } else text += char
  }
  return { kind: 'output', commands: readWithin(reader, text, inner => inner.list(inner, '')), quoted: inQuotes }
}

/** Reads `( commands )` after a dollar sign, or after `<` and `>` for a process substitution. */
export function readCommands(reader: Reader): readonly Simple[] {
  // A here-document whose text is still to come is uncertain while other lines are read.
  if (reader.awaited.length > 0) giveUp('commands are between a here-document and its text')
  const start = reader.commands.length
  take(reader)
  deeper(reader, () => reader.list(reader, ')'))
  if (reader.awaited.length > 0) giveUp('the text of a here-document is missing')
  if (!eat(reader, ')')) giveUp('a bracket is not closed')
  return reader.commands.slice(start)
}

const readOutput = (reader: Reader, quoted: boolean): Piece => ({
  kind: 'output',
  commands: readCommands(reader),
  quoted,
})

/** Digits and operators alone are certain. A name is looked up, and its value is evaluated in turn. */
function readArithmetic(reader: Reader, quoted: boolean): Piece {
  const [whole, inner] = arithmeticAt(reader) ?? giveUp('the arithmetic is not understood')
  if (/[A-Za-z_]/.test(inner ?? '')) doubt(reader, 'arithmetic with names')
  reader.at += whole.length
  return { kind: 'other', text: whole, quoted }
}

function arithmeticAt({ text, at }: Reader): RegExpExecArray | null {
  const pattern = /\(\(([\w\s+\-*/%<>=!&|^~?:,]*(?:\([\w\s+\-*/%<>=!&|^~?:,]*\)[\w\s+\-*/%<>=!&|^~?:,]*)*)\)\)/y
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** `${NAME}` is the variable. With an operator its value is unknown, and commands in it are collected. */
function readBraced(reader: Reader, quoted: boolean): Piece {
  const start = reader.at
  take(reader)
  if (/[A-Za-z_]/.test(peek(reader))) {
    const name = readName(reader)
    if (eat(reader, '}')) return { kind: 'variable', name, quoted }
  }
  reader.at = start
  take(reader)
  doubt(reader, '${…} with an operator')
  deeper(reader, () => skipBraced(reader, quoted))
  return { kind: 'other', text: reader.text.slice(start, reader.at), quoted }
}

function skipBraced(reader: Reader, quoted: boolean): void {
  let inQuotes = false
  for (;;) {
    const char = take(reader)
    if (char === '') giveUp('a brace is not closed')
    if (char === '}' && !inQuotes) return
    // The meaning of a quote here depends on the operator.
    if ((char === "'" && (quoted || inQuotes)) || (char === '"' && quoted))
      giveUp('quotes are within ${…} within quotes')
    if (char === '\\') reader.at++
    else if (char === '"') inQuotes = !inQuotes
    else if (char === "'" && !quoted && !inQuotes) skipSingle(reader)
    else if (char === '`') readBackquoted(reader, quoted || inQuotes)
    else if (char === '$') readDollar(reader, quoted || inQuotes)
    else if ((char === '<' || char === '>') && peek(reader) === '(' && !quoted && !inQuotes) readCommands(reader)
  }
}

function skipSingle(reader: Reader): void {
  const end = reader.text.indexOf("'", reader.at)
  if (end < 0) giveUp('a quote is not closed')
  reader.at = end + 1
}

function readName(reader: Reader): string {
  let name = ''
  while (/\w/.test(peek(reader))) name += take(reader)
  return name
}
