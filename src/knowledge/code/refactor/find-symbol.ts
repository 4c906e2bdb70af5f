import { ToolError } from '../../../kernel/error.ts'
import { fileAt } from '../callers/put-question.ts'
import { unreadMention } from '../callers/unread-mention.ts'
import type { CodeParts } from '../code-parts.ts'
import { deadlineOf, within } from '../servers/deadline.ts'
import type { RefactorQuestion } from '../types.ts'
import { askedName, wordBefore } from './asked-name.ts'
import type { Source, Sources } from '../source.ts'
import type { Span, SyntaxFile } from '../../model/syntax/syntax-file.ts'
import { parseSyntax } from '../../model/syntax/parse-syntax.ts'

/** A symbol where it is written. */
export interface FoundSymbol {
  readonly source: Source
  readonly syntax: SyntaxFile
  readonly span: Span
}

type Asked = Pick<RefactorQuestion, 'symbol' | 'path' | 'line' | 'deadlineMs' | 'signal'>

const MOST_FILES = 200
const MOST_NAMED = 20

/** The symbol that a name means; `ambiguous` with every place that could be meant, `no_match` where there is none. */
export async function findSymbol(parts: CodeParts, sources: Sources, asked: Asked): Promise<FoundSymbol> {
  const found = await findSymbols(parts, sources, asked)
  const [only, ...others] = found
  if (only && others.length === 0) return only
  throw ambiguous(asked.symbol ?? '', found)
}

/** Every symbol that a name can mean; `no_match` where there is none. */
export async function findSymbols(parts: CodeParts, sources: Sources, asked: Asked): Promise<readonly FoundSymbol[]> {
  const { symbol = '', path: given } = asked
  const deadline = deadlineOf(asked)
  const defining = given === undefined ? await within(deadline, definingFiles(parts, symbol), notIndexed) : undefined
  const paths = defining?.paths ?? [fileAt(parts, given ?? '')]
  const found: FoundSymbol[] = []
  for (const path of paths) {
    const source = sources(path)
    const syntax = await parseSyntax(path, source.text)
    if (!syntax && given !== undefined) throw notRead(path)
    if (syntax) found.push(...meant(source, syntax, symbol, asked.line).map(span => ({ source, syntax, span })))
  }
  if (found.length === 0) throw defining?.lost ?? unknown(symbol, given, asked.line)
  return found
}

/** Those of a file that the name can mean: an outer one rather than one that is in something. */
function meant(source: Source, syntax: SyntaxFile, symbol: string, line: number | undefined): readonly Span[] {
  const { name: asked, word } = askedName(symbol)
  const spans = syntax.spans.filter(span => word === undefined || wordBefore(source.text, span) === word)
  const exact = spans.filter(({ name }) => name === asked)
  const named = exact.length > 0 ? exact : spans.filter(({ name }) => name.endsWith(`.${asked}`))
  if (line === undefined) return named
  const lineOf = (offset: number) => source.positionOf(offset).line + 1
  const all = spans.filter(({ name }) => name === asked || name.endsWith(`.${asked}`))
  const here = all.filter(({ nameAt }) => lineOf(nameAt) === line)
  if (here.length > 0) return here
  return all
    .filter(({ start, end }) => lineOf(start) <= line && lineOf(end) >= line)
    .toSorted((one, other) => one.end - one.start - (other.end - other.start))
    .slice(0, 1)
}

async function definingFiles(parts: CodeParts, asked: string) {
  const { name } = askedName(asked)
  const plain = name.slice(name.lastIndexOf('.') + 1)
  const found = await parts.index.query({ by: 'symbol', value: plain }, { limit: MOST_FILES })
  return {
    paths: found.files.map(({ path }) => path).filter(parts.mayRead),
    lost: unreadMention(parts, name, found),
  }
}

const notIndexed = (): ToolError =>
  new ToolError('timeout', 'The index was still being built when the time for this question was over', {
    hint: 'Give the file, or ask again: in the process of a workspace (toolwright up) it goes on meanwhile',
  })

const notRead = (path: string): ToolError =>
  new ToolError(
    'unavailable',
    `Nobody knows where the symbols of ${path} stand: its language is not one that is read`,
    {
      hint: 'Edit it by its text',
    },
  )

function unknown(asked: string, path: string | undefined, line: number | undefined): ToolError {
  const where = path === undefined ? 'in the workspace' : line === undefined ? `in ${path}` : `at ${path}:${line}`
  return new ToolError('no_match', `Nothing ${where} is named '${asked}'`, {
    hint:
      path === undefined
        ? 'Look for it with symbols, or give the file that defines it'
        : 'symbols lists what it defines',
  })
}

/** What is said where several could be meant. */
export function ambiguous(asked: string, found: readonly FoundSymbol[]): ToolError {
  const places = found.map(worded(found))
  const named = places.slice(0, MOST_NAMED).map(({ name, path, line }) => `${name} (${path}:${line})`)
  const isWorded = new Set(places.map(({ name }) => name)).size === places.length
  const more = places.length > MOST_NAMED ? ` and ${places.length - MOST_NAMED} more` : ''
  return new ToolError('ambiguous', `'${asked}' could be ${places.length} symbols: ${named.join(', ')}${more}`, {
    hint: isWorded
      ? `Say which one, as in ${places[0]?.name}, or with path and line`
      : 'Say which one with path, line, or Class.method',
    details: { candidates: places },
  })
}

/** Several of one name in a file, perhaps on one line, are told apart by what they say before it. */
const worded = (found: readonly FoundSymbol[]) => (one: FoundSymbol) => {
  const place = placeOf(one)
  const isAlone = found.every(each => each === one || each.span.name !== one.span.name)
  const word = isAlone ? undefined : wordBefore(one.source.text, one.span)
  return word === undefined ? place : { ...place, name: `${word} ${place.name}` }
}

/** How an answer names a symbol. */
export function placeOf({ source, span }: Pick<FoundSymbol, 'source' | 'span'>) {
  return { name: span.name, path: source.path, line: source.positionOf(span.nameAt).line + 1 }
}
