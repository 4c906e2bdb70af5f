import { languageAt } from '../../../../languages/registry.ts'
import { ToolError } from '../../../../kernel/error.ts'
import { findElision, hasDots, isProse } from '../../../../machine/text/elided-text.ts'
import { applySplices, type Splice } from '../../../../machine/text/edit/splice-text.ts'
import { sourceOf } from '../../source.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import type { Span, Stretch, SyntaxFile } from '../../../../languages/file-model/syntax-file.ts'
import type { Refactoring } from '../../types.ts'
import { placeOf, type FoundSymbol } from '../find-symbol.ts'
import { lineStartOf } from '../declaration-lines.ts'
import { givenLines, indentLines, plainLines, unitOf, withoutShift } from './indentation.ts'

/** The outcome of a trial edit. */
export interface TriedEdit {
  readonly text: string
  readonly syntax: SyntaxFile
  /** The symbol afterwards; undefined if it is gone. */
  readonly span?: Span
}

/** Applies a change and parses the result. */
export async function tryEdit({ source, span }: FoundSymbol, splice: Splice): Promise<TriedEdit> {
  const text = applySplices(source.path, source.text, [splice])
  const syntax = await parseSyntax(source.path, text)
  if (!syntax) throw new Error('A file whose symbols were found is one that is read')
  const shift = splice.end <= span.start ? splice.new.length - splice.old.length : 0
  const after = syntax.spans.find(({ name, start }) => name === span.name && start === span.start + shift)
  return { text, syntax, ...(after && { span: after }) }
}

/** Indentation and surrounding text of inserted code. */
export interface Around {
  readonly indent: string
  readonly before?: string
  readonly after?: string
}

/** Inserts code; lines within literals stay as given. */
export async function putCode(
  symbol: FoundSymbol,
  { start, end }: Stretch,
  newCode: string,
  { indent, before = '', after = '' }: Around,
): Promise<Splice> {
  const { source } = symbol
  const { text, path, eol } = source
  const lines = givenLines(newCode)
  const indentedCode = indentLines(plainLines(lines), indent, unitOf(text, path), eol)
  const isOnLine = !before.endsWith(eol) && lineStartOf(text, start) < start
  const code = isOnLine ? indentedCode.slice(indent.length) : indentedCode
  const splice = source.splice(start, end, before + code + after)
  const { literals } = (await tryEdit(symbol, splice)).syntax
  return { ...splice, new: before + withoutShift(code, lines, eol, start + before.length, literals) + after }
}

/** The result of replacing code. */
export const codeEdit = (symbol: FoundSymbol, splice: Splice): Refactoring => ({
  target: placeOf(symbol),
  edits: splice.old === splice.new ? [] : [{ kind: 'change', path: symbol.source.path, splices: [splice] }],
  basis: { by: 'syntax' },
  warnings: [],
})

/** Reports whether a change introduces no parse error. */
export const parses = (before: SyntaxFile, { syntax }: TriedEdit): boolean =>
  !syntax.error || before.error !== undefined

/** The error for a change that does. */
export function brokenBy(path: string, { text, syntax }: TriedEdit): ToolError {
  const line = syntax.error ? sourceOf(path, text).positionOf(syntax.error.at).line + 1 : undefined
  const where =
    line === undefined ? '' : `, line ${line} of the result: ${text.split(/\r?\n/)[line - 1]?.trim().slice(0, 120)}`
  return new ToolError('invalid_input', `${path} would not parse any more${where}`, {
    hint: syntax.error ? `${syntax.error.message}. Give the code whole` : 'Give the code whole',
  })
}

/** Refuses code with a placeholder for omitted code. */
export function ensureWhole(path: string, text: string, previous: string): void {
  if (text.trim() === '')
    throw new ToolError('invalid_input', 'The code is empty', { hint: 'To remove a symbol, delete it' })
  const elision = findElision(text, previous, {
    prose: isProse(path),
    dots: hasDots(path) || languageAt(path).dotsAreCode === true,
  })
  if (!elision) return
  throw new ToolError('invalid_input', `The code leaves something out at line ${elision.line}: ${elision.text}`, {
    hint: 'Write it out',
    details: { elided: elision },
  })
}
