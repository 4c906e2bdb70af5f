import { languageAt } from '../../../../languages/registry.ts'
import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { findSymbol, type FoundSymbol } from '../find-symbol.ts'
import { indentAt, lineStartOf } from '../declaration-lines.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import { givenLines, unitOf } from './indentation.ts'
import { brokenBy, codeEdit, ensureWhole, parses, putCode, tryEdit, type Around, type TriedEdit } from './try-edit.ts'

/** Replaces the body of a symbol; code that declares the symbol itself replaces the whole declaration. */
export async function replaceBody(parts: RefactorParts, question: RefactorQuestion): Promise<Refactoring> {
  const symbol = await findSymbol(parts, question)
  const { source, span, syntax } = symbol
  const { text = '' } = question
  ensureWhole(source.path, text, source.text.slice(span.start, span.end))
  let firstFailure: TriedEdit | undefined
  for (const [place, around] of candidates(symbol, text)) {
    const splice = await putCode(symbol, place, text, around)
    const triedEdit = await tryEdit(symbol, splice)
    const isWhole = place === span
    const isKept =
      triedEdit.span && (isWhole ? isAll(triedEdit.span, splice) : isInside(symbol, triedEdit, triedEdit.span))
    if (isKept && parses(syntax, triedEdit)) return codeEdit(symbol, splice)
    if (!isWhole || !firstFailure) firstFailure = triedEdit
  }
  if (!firstFailure) throw new Error('There is always one way to try')
  if (lacksType(symbol)) throw noWrittenType(span.name)
  throw brokenBy(source.path, firstFailure)
}

/** Reports whether the code is exactly the declaration. */
const isAll = ({ start, end }: Stretch, splice: Splice): boolean =>
  splice.new.slice(end - start).replace(/^[;,\s]+/, '') === ''

/** Reports whether the symbol ends at the same distance from the end of the file: no code fell out of it. */
function isInside({ source, span: before }: FoundSymbol, { text, syntax }: TriedEdit, { end }: Stretch): boolean {
  const until = text.length - (source.text.length - before.end)
  if (end > until) return false
  const isComment = (at: number) => syntax.comments.some(each => each.start <= at && each.end > at)
  for (let at = end; at < until; at++) if (!isComment(at) && !/[\s;,]/.test(text[at] ?? '')) return false
  return true
}

/** A function of one expression with an inferred type: a block would return nothing. */
function lacksType({ source: { text, path }, span: { nameAt, body } }: FoundSymbol): boolean {
  if (!body || text[body.start] !== '=' || !languageAt(path).expressionsNeedTypes) return false
  return !/^\)\s*:/.test(afterParameters(text.slice(nameAt, body.start)))
}

/** The text after the parameter list, its closing bracket included. */
function afterParameters(head: string): string {
  let depth = 0
  for (const [at, character] of [...head].entries()) {
    if (character === '(') depth++
    if (character === ')' && --depth === 0) return head.slice(at)
  }
  return head
}

const noWrittenType = (name: string): ToolError =>
  new ToolError(
    'invalid_input',
    `'${name}' has no written type, which statements need: it is that of its one expression`,
    { hint: 'Give one expression, or the whole declaration with its type' },
  )

/** Possible targets for the code and the text needed around it, the likeliest first. */
function* candidates(found: FoundSymbol, given: string): Generator<readonly [Stretch, Around]> {
  const { source, span } = found
  const { text, eol, path } = source
  const { body } = span
  const [first = ''] = givenLines(given).map(line => line.trimStart())
  const indent = indentAt(text, span.start)
  const head = text.slice(span.start, span.headAt)
  if (head.trim() !== '' && !/^(@|export\b)/.test(first)) yield [span, { indent, before: head }]
  yield [span, { indent }]
  if (!body) return
  const unit = unitOf(text, path)
  const { endsBlocks, isIndented } = languageAt(path)
  const closing = indentAt(text, body.end - 1) || indentAt(text, span.headAt)
  const direct = { indent: closing }
  const block = { indent: closing + unit, before: `{${eol}`, after: `${eol}${closing}}` }
  const [before, after] = [text.slice(0, body.start), text.slice(body.end)]
  const onLine = text.slice(lineStartOf(text, body.start), body.start)
  if (text[body.start] === '{') {
    const ways = [block, direct]
    for (const way of first.startsWith('{') ? ways.toReversed() : ways) yield [body, way]
  }
  // Statements on their own lines without brackets.
  else if (onLine.trim() === '' && onLine !== '') yield [body, { indent: onLine }]
  // `def a = 1`.
  else if (endsBlocks !== undefined && /[^=]=\s*$/.test(text.slice(span.nameAt, body.start))) {
    yield [body, direct]
    yield [
      { start: before.replace(/\s*=\s*$/, '').length, end: body.end },
      { indent: indent + unit, before: eol, after: `${eol}${indent}${endsBlocks}` },
    ]
  } else if (endsBlocks !== undefined || isIndented)
    yield [
      { start: before.replace(/[ \t]*$/, '').length, end: body.end },
      { indent: indent + unit, before: eol },
    ]
  else if (text[body.start] === '=') {
    const isTyped = !lacksType(found)
    if (first.startsWith('=') || (first.startsWith('{') && isTyped)) yield [body, direct]
    if (!/^[={]/.test(first)) {
      yield [body, { indent: closing, before: text.startsWith('=>', body.start) ? '=> ' : '= ' }]
      // A block replaces the expression and its terminator.
      const end = body.end + (/^\s*;/.exec(text.slice(body.end, span.end))?.[0].length ?? 0)
      if (isTyped) yield [{ start: body.start, end }, block]
    }
  } else {
    yield [body, direct]
    yield [body, block]
  }
  // The result of an arrow function in brackets: `=> ({ a })`.
  const open = /(?<==>\s*)\(\s*$/.exec(before)
  const close = /^\s*\)/.exec(after)
  if (open && close) yield [{ start: open.index, end: body.end + close[0].length }, block]
}
