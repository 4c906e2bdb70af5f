import type { Splice } from '../../../text/edit/splice-text.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { findSymbol, placeOf, type FoundSymbol } from '../find-symbol.ts'
import { indentAt, lineStartOf } from '../leading.ts'
import { sourcesOf } from '../source.ts'
import type { Stretch } from '../syntax/syntax-file.ts'
import { indented, plainLines, unitOf, withoutShift } from './indentation.ts'
import { brokenBy, demandWhole, parses, tried, type Tried } from './tried.ts'

/** Another body for a symbol; code that declares the symbol itself takes the place of the whole declaration. */
export async function replaceBody(parts: CodeParts, question: RefactorQuestion): Promise<Refactoring> {
  const found = await findSymbol(parts, sourcesOf(parts), question)
  const { source, span, syntax } = found
  const { text = '' } = question
  demandWhole(source.path, text, source.text.slice(span.start, span.end))
  let failed: Tried | undefined
  for (const splice of await candidates(found, text)) {
    const made = await tried(found, splice)
    const isWhole = splice.start === span.start && splice.end === span.end
    const isKept = made.span !== undefined && (!isWhole || isAll(made.span, splice))
    if (isKept && parses(syntax, made)) return refactored(found, splice)
    if (!isWhole || !failed) failed = made
  }
  if (failed) throw brokenBy(source.path, failed)
  throw new Error('There is always one way to try')
}

const refactored = (found: FoundSymbol, splice: Splice): Refactoring => ({
  target: placeOf(found),
  edits: splice.old === splice.new ? [] : [{ kind: 'change', path: found.source.path, splices: [splice] }],
  basis: { by: 'syntax' },
  warnings: [],
})

/** Whether the code is the declaration and nothing else. */
const isAll = ({ start, end }: Stretch, splice: Splice): boolean =>
  splice.new.slice(end - start).replace(/^[;,\s]+/, '') === ''

async function candidates(found: FoundSymbol, given: string): Promise<readonly Splice[]> {
  const { source, span } = found
  const { text, eol } = source
  const unit = unitOf(text, source.path)
  const lines = plainLines(given)
  const indent = indentAt(text, span.start)
  const all: Splice[] = [await put(span, lines, indent, '', '')]
  const head = text.slice(span.start, span.headAt)
  if (head.trim() !== '' && !/^(@|export\b)/.test(lines[0] ?? '')) all.unshift(await put(span, lines, indent, head, ''))
  const { body } = span
  if (!body) return all
  const isBlock = text[body.start] === '{'
  const closing = indentAt(text, body.end - 1) || indentAt(text, span.headAt)
  const inner = closing + unit
  const block = (open: string) => put(body, lines, inner, `${open}{${eol}`, `${eol}${closing}}`)
  const direct = () => put(body, lines, closing, '', '')
  if (isBlock)
    all.push(...(lines[0]?.startsWith('{') ? [await direct(), await block('')] : [await block(''), await direct()]))
  else if (isIndented(body)) all.push(await put(body, lines, indentAt(text, body.start), '', ''))
  else if (/\.(pyi?|rb)$/i.test(source.path)) all.push(await put(body, lines, indent + unit, eol, ''))
  else if (text[body.start] === '=')
    all.push(await put(body, lines, closing, '= ', ''), await direct(), await block(''))
  else all.push(await direct(), await block(''))
  return all

  /** Its statements stand on lines of their own without brackets around them. */
  function isIndented({ start }: Stretch): boolean {
    const before = text.slice(lineStartOf(text, start), start)
    return before.trim() === '' && before !== ''
  }

  async function put(
    place: Stretch,
    code: readonly string[],
    at: string,
    before: string,
    after: string,
  ): Promise<Splice> {
    const shifted = indented(code, at, unit, eol)
    // What stands before it on its line is there already.
    const now = before.endsWith(eol) ? shifted : shifted.slice(at.length)
    const splice = source.splice(place.start, place.end, before + now + after)
    const { syntax } = await tried(found, splice)
    const kept = withoutShift(
      now,
      given.replace(/^(?:[ \t]*\r?\n)+/, '').split(/\r\n|\n|\r/),
      eol,
      place.start + before.length,
      syntax.literals,
    )
    return { ...splice, new: before + kept + after }
  }
}
