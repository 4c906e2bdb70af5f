import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { findSymbol, placeOf, type FoundSymbol } from '../find-symbol.ts'
import { indentAt, lineStartOf } from '../leading.ts'
import { sourcesOf } from '../../source.ts'
import type { Stretch } from '../../../model/syntax/syntax-file.ts'
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
    const isKept = made.span && (isWhole ? isAll(made.span, splice) : isInside(found, made, made.span))
    if (isKept && parses(syntax, made)) return refactored(found, splice)
    if (!isWhole || !failed) failed = made
  }
  if (!failed) throw new Error('There is always one way to try')
  if (lacksType(found)) throw inferred(found)
  throw brokenBy(source.path, failed)
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

/** Whether the symbol ends where it did, seen from the end of the file: nothing of the code fell out of it. */
function isInside({ source, span: before }: FoundSymbol, { text, syntax }: Tried, { end }: Stretch): boolean {
  const until = text.length - (source.text.length - before.end)
  if (end > until) return false
  const isComment = (at: number) => syntax.comments.some(each => each.start <= at && each.end > at)
  for (let at = end; at < until; at++) if (!isComment(at) && !/[\s;,]/.test(text[at] ?? '')) return false
  return true
}

/** A function that is one expression, whose type is that of the expression: a block would give nothing. */
function lacksType({ source: { text, path }, span: { nameAt, body } }: FoundSymbol): boolean {
  if (!body || text[body.start] !== '=' || !/\.kts?$/i.test(path)) return false
  return !/^\)\s*:/.test(afterParameters(text.slice(nameAt, body.start)))
}

/** What stands behind the brackets of the parameters, the last one included. */
function afterParameters(head: string): string {
  let depth = 0
  for (const [at, character] of [...head].entries()) {
    if (character === '(') depth++
    if (character === ')' && --depth === 0) return head.slice(at)
  }
  return head
}

const inferred = ({ span: { name } }: FoundSymbol): ToolError =>
  new ToolError(
    'invalid_input',
    `'${name}' has no written type, which statements need: it is that of its one expression`,
    {
      hint: 'Give one expression, or the whole declaration with its type',
    },
  )

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
  else if (isEndless(body))
    all.push(await direct(), await put(beforeSign(body), lines, indent + unit, eol, `${eol}${indent}end`))
  else if (/\.(pyi?|rb)$/i.test(source.path)) all.push(await put(afterBlanks(body), lines, indent + unit, eol, ''))
  else if (text[body.start] === '=') {
    const isSigned = /^[={]/.test(lines[0] ?? '')
    const isTyped = !lacksType(found)
    if (isSigned && (isTyped || lines[0]?.startsWith('='))) all.push(await direct())
    const sign = text.startsWith('=>', body.start) ? '=> ' : '= '
    if (!isSigned) all.push(await put(body, lines, closing, sign, ''))
    if (!isSigned && isTyped) all.push(await put(withEnd(body), lines, inner, `{${eol}`, `${eol}${closing}}`))
  } else all.push(await direct(), await block(''))
  const wrapped = inBrackets(body)
  if (wrapped) all.push(await put(wrapped, lines, inner, `{${eol}`, `${eol}${closing}}`))
  return all

  /** `def a = 1` of Ruby. */
  function isEndless({ start }: Stretch): boolean {
    return /\.rb$/i.test(source.path) && /[^=]=\s*$/.test(text.slice(span.nameAt, start))
  }

  function beforeSign({ start, end }: Stretch): Stretch {
    return { start: start - (/\s*=\s*$/.exec(text.slice(0, start))?.[0].length ?? 0), end }
  }

  /** The sign that ends an expression goes where a block takes its place. */
  function withEnd({ start, end }: Stretch): Stretch {
    return { start, end: end + (/^\s*;/.exec(text.slice(end, span.end))?.[0].length ?? 0) }
  }

  function afterBlanks({ start, end }: Stretch): Stretch {
    return { start: start - (/[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0), end }
  }

  /** What an arrow gives in brackets: `=> ({ a })`. */
  function inBrackets({ start, end }: Stretch): Stretch | undefined {
    const open = /(?<==>\s*)\(\s*$/.exec(text.slice(0, start))
    const close = /^\s*\)/.exec(text.slice(end))
    return open && close ? { start: open.index, end: end + close[0].length } : undefined
  }

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
