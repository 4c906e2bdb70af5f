import type { Position } from '../../servers/lsp-words.ts'
import type { Named } from '../named.ts'

/** What a class says that it derives from. */
export interface WrittenBases {
  /** Where the name of each base begins, without what stands before its dots. */
  readonly names: readonly { readonly name: string; readonly position: Position }[]
  /** One of them is no name: a call, or several at once. */
  readonly isUnsure: boolean
}

/** More lines than the head of any class has. */
const HEAD_LINES = 60

const BASE = /^\s*((?:\w+\s*\.\s*)*)(\w+)\s*(?:\[|$)/u
const KEYWORD = /^\s*\w+\s*=(?!=)/u

/** The bases of a class of Python, read behind its name. */
export function writtenBases(lines: readonly string[], { selection: { end } }: Pick<Named, 'selection'>): WrittenBases {
  const head = lines.slice(end.line, end.line + HEAD_LINES).map(withoutTexts)
  const text = head.join('\n').slice(end.character)
  const names: { name: string; position: Position }[] = []
  let isUnsure = false
  for (const { start, written } of argumentsIn(text)) {
    const found = BASE.exec(written)
    if (found?.[2] !== undefined) {
      const at = start + found[0].lastIndexOf(found[2])
      names.push({ name: found[2], position: positionOf(text.slice(0, at), end) })
    } else if (!KEYWORD.test(written) && written.trim() !== '') isUnsure = true
  }
  return { names, isUnsure }
}

/** A line with blanks for its texts and its comment, so that no bracket in them counts. */
const withoutTexts = (line: string): string =>
  line.replaceAll(/(["'])(?:\\.|(?!\1)[^\\])*\1|#.*$/gu, found => ' '.repeat(found.length))

/** What stands between the brackets behind the name of a class, piece by piece; nothing where there are none. */
function argumentsIn(text: string): readonly { readonly start: number; readonly written: string }[] {
  const pieces: { start: number; written: string }[] = []
  let depth = 0
  let start: number | undefined
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    // Parameters of its type come before its bases.
    const isOpening = sign === '(' || sign === '[' || sign === '{'
    if (isOpening && ++depth === 1 && sign === '(') start = at + 1
    const isClosing = sign === ')' || sign === ']' || sign === '}'
    if (isClosing) depth--
    if (depth === 0 && sign === ':') return pieces
    if (start === undefined || !((isClosing && depth === 0) || (sign === ',' && depth === 1))) continue
    pieces.push({ start, written: text.slice(start, at) })
    if (depth === 0) return pieces
    start = at + 1
  }
  return pieces
}

function positionOf(before: string, from: Position): Position {
  const rows = before.split('\n')
  const last = rows.at(-1) ?? ''
  return rows.length === 1
    ? { line: from.line, character: from.character + last.length }
    : { line: from.line + rows.length - 1, character: last.length }
}
