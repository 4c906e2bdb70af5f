import type { CodeFault, UnfitCall } from '../../../kernel/edit-effects.ts'
import { parseModel } from '../../model/parse-model.ts'
import type { FileModel } from '../../../languages/file-model/file-model.ts'
import { linesOf } from '../../../languages/file-model/lines.ts'

/** A call of a changed symbol, from its name to its closing bracket. */
interface ChangedCall {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly written: string
  readonly calls: string
}

/** The errors of one file at calls of a changed symbol, aliases included. */
export async function mismatchedCalls(
  path: string,
  text: string,
  faults: readonly CodeFault[],
  changedNames: ReadonlySet<string>,
  others: ReadonlyMap<string, string> = new Map(),
): Promise<readonly UnfitCall[]> {
  const code = faults.length > 0 && changedNames.size > 0 ? await parseModel(path, Buffer.from(text)) : undefined
  if (!code) return []
  const meanings = new Map([...[...changedNames].map(name => [name, name] as const), ...others])
  for (const { local, name } of code.imports) {
    const symbolName = local === '' ? undefined : meanings.get(name)
    if (symbolName !== undefined && !meanings.has(local)) meanings.set(local, symbolName)
  }
  const offsetOf = (line: number, column: number) => [...text.split('\n', line - 1), ''].join('\n').length + column - 1
  const calls = changedCalls(code, text, meanings, others)
  const mismatches = faults.flatMap(({ line, column, code: fault }) => {
    const at = offsetOf(line, column)
    const callAt = calls.findLast(({ start, end }) => start <= at && at < end) ?? calls.find(each => leadsTo(at, each))
    const broken = callAt ? [{ ...callAt, line }] : callsOfImport(line, at)
    return broken.map(call => ({
      name: callerAt(code, call.line),
      path,
      line: call.line,
      calls: call.calls,
      code: fault,
    }))
  })
  return [...new Map(mismatches.map(one => [`${one.line} ${one.calls}`, one])).values()]

  /** The error may stand before the call: its result does not fit its target. */
  function leadsTo(at: number, { start }: ChangedCall): boolean {
    if (at >= start || start - at > FARTHEST) return false
    let between = text.slice(at, start).replace(/^[^{}();]*\}(?=\s*=)/, '')
    for (let before = ''; before !== between;) {
      before = between
      between = between.replaceAll(/\([^()]*\)|\[[^[\]]*\]|<[^<>]*>/g, '')
    }
    return /^(?:[^,;(){}[\]\n]|[=:?&|+]\s*\n|\n(?=\s*\.))*$/.test(between)
  }

  /** A broken import leaves every call of its name without a target. */
  function callsOfImport(line: number, at: number): readonly ChangedCall[] {
    const word = /^[\w$]*/.exec(text.slice(at, at + FARTHEST))?.[0]
    const isListed = /^[\w$\s,]*\}\s*from\b/.test(text.slice(at, at + FARTHEST))
    const binding = code?.imports.find(each => each.name === word && (each.line === line || isListed))
    return binding ? calls.filter(({ written }) => written === binding.local) : []
  }
}

const FARTHEST = 4_000

function changedCalls(
  { references, symbols }: FileModel,
  text: string,
  meanings: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): readonly ChangedCall[] {
  const callLines = new Set(references.flatMap(({ kind, line }) => (kind === 'use' ? [] : [line])))
  const declarationStarts = new Set(symbols.map(({ nameAt }) => nameAt))
  const calls: ChangedCall[] = []
  const { of: lineOf } = linesOf(text)
  for (const { 0: word, index: start } of text.matchAll(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu)) {
    const symbolName = meanings.get(word)
    if (symbolName === undefined || declarationStarts.has(start)) continue
    const line = lineOf(start)
    const end = start + word.length
    const over = callLines.has(line) ? callEnd(text, start, end) : undefined
    // A macro may call without brackets of its own.
    if (over !== undefined || others.has(word))
      calls.push({ line, start, end: over ?? end, written: word, calls: symbolName })
  }
  return calls
}

const OPENS = /\s*(?:[!?]\.?)?\s*(?:<[^;(){}]*>)?\s*[(`]/y
const MEMBER = /\s*[!?]*\.\s*[\w$]*/y

/** The end of a call of the name in this stretch, including members of its result; undefined if it is no call. */
function callEnd(text: string, start: number, end: number): number | undefined {
  if (text[start - 1] === '@') return end
  OPENS.lastIndex = end
  const isElement = text[start - 1] === '<'
  const openingEnd = isElement ? end : (OPENS.exec(text)?.[0].length ?? 0) + end
  if (openingEnd === end && !isElement) return undefined
  const closer = isElement ? '>' : text[openingEnd - 1] === '`' ? '`' : ')'
  let at = openingEnd
  for (let depth = 0; at < text.length && at - end < FARTHEST; at++) {
    const character = text[at] ?? ''
    if (depth === 0 && character === closer) break
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
  }
  MEMBER.lastIndex = at + 1
  return at + 1 + (MEMBER.exec(text)?.[0].length ?? 0)
}

const HOLD_CODE = new Set<string>(['function', 'method', 'class', 'test'])

/** The innermost function around a line. */
function callerAt({ symbols }: FileModel, line: number): string {
  const inner = symbols.findLast(({ from, to, kind }) => HOLD_CODE.has(kind) && from <= line && line <= to)
  if (!inner) return '<module>'
  const names = [inner.name]
  for (let at = symbols[inner.parent]; at; at = symbols[at.parent]) if (HOLD_CODE.has(at.kind)) names.unshift(at.name)
  return names.filter(name => name !== '').join('.')
}
