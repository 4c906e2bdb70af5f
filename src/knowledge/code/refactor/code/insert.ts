import { languageAt } from '../../../../languages/registry.ts'
import { ToolError } from '../../../../kernel/error.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { findSymbol, type FoundSymbol } from '../find-symbol.ts'
import { indentAt, leadingStart, lineEndOf, lineEnds, lineStartOf } from '../declaration-lines.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import { givenLines } from './indentation.ts'
import { brokenBy, codeEdit, ensureWhole, parses, putCode, tryEdit } from './try-edit.ts'

/** Inserts code right before or after a symbol, with its indentation and the spacing of its neighbours. */
export async function insert(parts: RefactorParts, question: RefactorQuestion): Promise<Refactoring> {
  const symbol = await findSymbol(parts, question)
  const { source, span, syntax } = symbol
  const { text, eol, path } = source
  const { text: newCode = '', kind } = question
  ensureWhole(path, newCode, '')
  if (span.shares)
    throw new ToolError('invalid_input', `'${span.name}' is declared together with others`, {
      hint: 'Name a symbol that is alone in its statement, or edit by text',
    })
  const indent = indentAt(text, span.start)
  const top = leadingStart(source, syntax.comments, span.start)
  const { at, before, after } = kind === 'insert-before' ? above(symbol, top, indent) : below(symbol, indent)
  const isAlone = before === '' && after === ''
  const gap = eol.repeat(isAlone ? emptyLinesAround(symbol, top, givenLines(newCode).length) + 1 : 1)
  const around = kind === 'insert-before' ? { before, after: gap + after } : { before: before + gap, after }
  const splice = await putCode(symbol, { start: at, end: at }, newCode, { indent, ...around })
  const triedEdit = await tryEdit(symbol, splice)
  if (!triedEdit.span || !parses(syntax, triedEdit)) throw brokenBy(path, triedEdit)
  return codeEdit(symbol, splice)
}

interface Place {
  readonly at: number
  readonly before: string
  readonly after: string
}

function above({ source: { text, eol } }: FoundSymbol, top: number, indent: string): Place {
  const start = lineStartOf(text, top)
  if (text.slice(start, top).trim() === '') return { at: start, before: '', after: '' }
  return { at: top, before: eol, after: indent }
}

/** After the closing comma or semicolon, and comments on its line. */
function below({ source: { text, eol }, span }: FoundSymbol, indent: string): Place {
  const rest = /^[ \t]*[;,]?(?:[ \t]*(?:\/\/|#)[^\r\n]*)?/.exec(text.slice(span.end))?.[0] ?? ''
  const at = span.end + rest.trimEnd().length
  const end = lineEndOf(text, at)
  if (text.slice(at, end).trim() === '') return { at, before: '', after: '' }
  return { at, before: '', after: eol + indent }
}

const NEAR = new Set(['variable', 'property'])

/** The number of empty lines above the symbol, else below it; the usual number if it stands alone. */
function emptyLinesAround({ source: { text, path }, span }: FoundSymbol, top: number, lines: number): number {
  const head = text.slice(0, lineStartOf(text, top))
  const [, gapAbove = ''] = /\n((?:[ \t]*\r?\n)*)$/.exec(head) ?? []
  const previous = head.trimEnd()
  const isNeighbour = previous !== '' && !/[{([:]$/.test(previous) && !isImport(previous)
  if (isNeighbour) return lineEnds(gapAbove)
  const tail = text.slice(lineEndOf(text, span.end))
  const [, gapBelow = ''] = /^\r?\n((?:[ \t]*\r?\n)*)(?=[ \t]*[^\s})\]])/.exec(tail) ?? []
  const next = tail.trimStart()
  if (next !== '' && indentOf(tail) === indentAt(text, span.start) && !/^[})\]]/.test(next)) return lineEnds(gapBelow)
  if (NEAR.has(span.kind) && lines === 1) return 0
  return languageAt(path).isIndented && !span.name.includes('.') ? 2 : 1
}

const indentOf = (tail: string): string => /^(?:[ \t]*\r?\n)*([ \t]*)/.exec(tail)?.[1] ?? ''
const isImport = (text: string): boolean => /(^|\n)[ \t]*(import|from|#include|use|using|package)\b[^\n]*$/.test(text)
