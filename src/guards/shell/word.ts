import { readBackquoted, readCommands, readDollar } from './expansion.ts'
import { doubt, giveUp, isNext, peek, take, type Reader } from './reader.ts'
import type { Piece, Word } from './script.ts'

const ENDS = new Set(['', ' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')'])

export const isWordEnd = (char: string): boolean => ENDS.has(char)

/** Reads one word; undefined if none begins here. At the beginning of a word, `#` begins a comment. */
export function readWord(reader: Reader): Word | undefined {
  const pieces: Piece[] = []
  if (peek(reader) === '#') return undefined
  const start = reader.at
  for (let char = peek(reader); ; char = peek(reader)) {
    if ((char === '<' || char === '>') && isNext(reader, `${char}(`)) {
      take(reader)
      pieces.push({ kind: 'other', text: `${char}()`, quoted: true, commands: readCommands(reader) })
    } else if (ENDS.has(char)) break
    else readPiece(reader, pieces)
  }
  if (pieces.length === 0) return undefined
  if (reader.awaited.length > 0 && reader.text.slice(start, reader.at).includes('\n'))
    giveUp('a word continues on the next line')
  if (pieces.some(isUnusual)) doubt(reader, 'an unusual character outside quotes')
  return { source: reader.text.slice(start, reader.at), pieces: settleBrackets(pieces), brace: hasBraces(pieces) }
}

/** Reports whether a piece has characters that look like operators or blanks to people. */
const isUnusual = (piece: Piece): boolean =>
  piece.kind === 'text' && !piece.quoted && /[^\p{ASCII}\p{L}\p{M}\p{N}]/u.test(piece.text)

function readPiece(reader: Reader, pieces: Piece[]): void {
  const char = take(reader)
  if (char === "'") pieces.push({ kind: 'text', text: readSingle(reader), quoted: true })
  else if (char === '"') readDouble(reader, pieces)
  else if (char === '\\') {
    const next = reader.text[reader.at++] ?? giveUp('it ends in a backslash')
    pieces.push({ kind: 'text', text: next, quoted: true })
  } else if (char === '$') pieces.push(readDollar(reader, false))
  else if (char === '`') pieces.push(readBackquoted(reader, false))
  else if (char === '*' || char === '?' || char === '[') pieces.push({ kind: 'glob', text: char })
  else if (char === '~' && beginsHome(pieces)) pieces.push({ kind: 'other', text: '~', quoted: true })
  else addText(pieces, char, false)
}

function readSingle(reader: Reader): string {
  const end = reader.text.indexOf("'", reader.at)
  if (end < 0) giveUp('a quote is not closed')
  const text = reader.text.slice(reader.at, end)
  reader.at = end + 1
  return text
}

function readDouble(reader: Reader, pieces: Piece[]): void {
  pieces.push({ kind: 'text', text: '', quoted: true })
  for (;;) {
    const char = take(reader)
    if (char === '') giveUp('a quote is not closed')
    if (char === '"') return
    const next = reader.text[reader.at] ?? ''
    if (char === '\\' && next !== '' && '$`"\\'.includes(next)) {
      addText(pieces, next, true)
      reader.at++
    } else if (char === '$') pieces.push(readDollar(reader, true))
    else if (char === '`') pieces.push(readBackquoted(reader, true))
    else addText(pieces, char, true)
  }
}

function addText(pieces: Piece[], text: string, quoted: boolean): void {
  const last = pieces.at(-1)
  if (last?.kind === 'text' && last.quoted === quoted) pieces[pieces.length - 1] = { ...last, text: last.text + text }
  else pieces.push({ kind: 'text', text, quoted })
}

/** A tilde means a home directory at the beginning, and after `=` and `:` if the word could be an assignment. */
function beginsHome(pieces: readonly Piece[]): boolean {
  const last = pieces.at(-1)
  return last === undefined || (last.kind === 'text' && !last.quoted && /[=:]$/.test(last.text))
}

/** An opening bracket that nothing closes is literal. */
function settleBrackets(pieces: readonly Piece[]): readonly Piece[] {
  const lastClosing = pieces.findLastIndex(piece => piece.kind === 'text' && !piece.quoted && piece.text.includes(']'))
  return pieces.map((piece, at) =>
    piece.kind === 'glob' && piece.text === '[' && at > lastClosing
      ? { kind: 'text', text: '[', quoted: false }
      : piece,
  )
}

function hasBraces(pieces: readonly Piece[]): boolean {
  const open: boolean[] = []
  for (const piece of pieces) {
    if (piece.kind !== 'text' || piece.quoted) continue
    for (let at = 0; at < piece.text.length; at++) {
      const char = piece.text[at]
      if (char === '{') open.push(false)
      else if (char === '}' && open.pop()) return true
      else if (open.length > 0 && (char === ',' || piece.text.startsWith('..', at))) open[open.length - 1] = true
    }
  }
  return false
}
