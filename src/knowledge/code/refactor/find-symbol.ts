import { isScripted } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import { isOverload, overloadName } from '../../model/overload-name.ts'
import { parseModel } from '../../model/parse-model.ts'
import { parseSyntax } from '../../model/syntax/parse-syntax.ts'
import type { Span, SyntaxFile } from '../../../languages/file-model/syntax-file.ts'
import { fileAt, notIndexed } from '../callers/ask-server.ts'
import { unreadMention } from '../callers/defining-file.ts'
import { timeLeft, within } from '../servers/deadline.ts'
import type { Source } from '../source.ts'
import type { RefactorQuestion } from '../types.ts'
import type { NamedPlace } from './occurrences/occurrence.ts'
import type { RefactorParts } from './refactor-parts.ts'

/** A symbol in its file. */
export interface FoundSymbol {
  readonly source: Source
  readonly syntax: SyntaxFile
  readonly span: Span
}

type SymbolQuery = Pick<RefactorQuestion, 'symbol' | 'path' | 'line'>
/** The declarations of a symbol. */
export type Found = readonly [FoundSymbol, ...FoundSymbol[]]

const MOST_FILES = 200
const MOST_NAMED = 20

/** The symbol of a name. Throws `ambiguous` with all candidates, `no_match` if there is none. */
export async function findSymbol(parts: RefactorParts, query: SymbolQuery): Promise<FoundSymbol> {
  const candidates = await findAll(parts, query)
  if (candidates.length === 1) return candidates[0]
  throw ambiguous(query, candidates)
}

/**
 * The declarations of one file that make up one symbol: a getter and its setter, a constant and a type of the same
 * name, merged interfaces. Throws `ambiguous` if they do not.
 */
export async function findDeclarations(parts: RefactorParts, query: SymbolQuery): Promise<Found> {
  const candidates = await findAll(parts, query)
  const [{ source, span }, ...others] = candidates
  if (others.length === 0) return candidates
  if (others.some(each => each.source.path !== source.path)) throw ambiguous(query, candidates)
  if (await areBeside(candidates)) return candidates
  const usePositions = await parts.ask(source.path, async ({ server }) => {
    const places = await server.references(source.path, source.positionOf(span.nameAt), { declarations: true })
    const here = places.filter(({ uri }) => server.pathOf(uri) === source.path)
    return new Set(here.map(({ range }) => source.offsetOf(range.start)))
  })
  if (others.every(each => usePositions.has(each.span.nameAt))) return candidates
  throw ambiguous(query, candidates)
}

async function areBeside(found: Found): Promise<boolean> {
  const spans = found.map(({ span }) => span)
  const { path, text } = found[0].source
  if (!isScripted(path) || spans.some(({ name }) => name !== spans[0]?.name)) return false
  const { isSameScope } = await import('../../model/syntax/same-scope.ts')
  return isSameScope(path, text, spans)
}

async function findAll(parts: RefactorParts, { symbol = '', path: given, line }: SymbolQuery): Promise<Found> {
  const defining =
    given === undefined ? await within(parts.deadline, definingFiles(parts, symbol), notIndexed) : undefined
  const { name, taken } = overloadName(symbol)
  const symbols: FoundSymbol[] = []
  for (const path of defining?.paths ?? [fileAt(parts, given ?? '')]) {
    const source = parts.sources(path)
    const syntax = await parseSyntax(path, source.text)
    if (!syntax && given !== undefined) throw notRead(path)
    const spans = syntax ? await ofOverload(source, candidateSpans(source, syntax, name, line), taken) : []
    if (syntax) symbols.push(...spans.map(span => ({ source, syntax, span })))
  }
  const [first, ...others] = symbols
  if (!first) throw (await defining?.lost()) ?? unknown(symbol, given, line)
  return [first, ...others]
}

/** The candidates in a file; prefers an outer symbol to a nested one. */
function candidateSpans(source: Source, syntax: SyntaxFile, symbol: string, line: number | undefined): readonly Span[] {
  const { name: searchName, word } = parseName(symbol)
  const spans = syntax.spans.filter(span => word === undefined || wordBefore(source.text, span) === word)
  const exact = spans.filter(({ name }) => name === searchName)
  const inner = spans.filter(({ name }) => name.endsWith(`.${searchName}`))
  if (line === undefined) return exact.length > 0 ? exact : inner
  const lineOf = (offset: number) => source.positionOf(offset).line + 1
  const all = spans.filter(span => exact.includes(span) || inner.includes(span))
  const here = all.filter(({ nameAt }) => lineOf(nameAt) === line)
  if (here.length > 0) return here
  return all
    .filter(({ start, end }) => lineOf(start) <= line && lineOf(end) >= line)
    .toSorted((one, other) => one.end - one.start - (other.end - other.start))
    .slice(0, 1)
}

/** Those with these parameter types; all if none are asked for. */
async function ofOverload({ path, text }: Source, spans: readonly Span[], taken?: string): Promise<readonly Span[]> {
  if (taken === undefined || spans.length === 0) return spans
  const code = await parseModel(path, Buffer.from(text))
  const places = code?.symbols.filter(each => isOverload(each, taken)).map(({ nameAt }) => nameAt)
  return spans.filter(({ nameAt }) => places?.includes(nameAt))
}

async function definingFiles(parts: RefactorParts, asked: string) {
  const { name } = parseName(overloadName(asked).name)
  const wish = { limit: MOST_FILES, waitMs: timeLeft(parts.deadline) }
  const indexAnswer = await parts.index.query({ by: 'symbol', value: plainName(name) }, wish)
  return {
    paths: indexAnswer.files.map(({ path }) => path).filter(parts.mayRead),
    lost: () => unreadMention(parts, name, indexAnswer),
  }
}

const WORDS = 'get|set|type|interface|class|namespace|module|enum|function|const|let|var'
const WORDED = new RegExp(`^(?:(?<outer>[^\\s]+\\.)?(?<word>${WORDS}) )(?<name>\\S+)$`)
const LAST = new RegExp(`\\b(${WORDS})\\b[\\s*]*$`)

/** A name, and the keyword before it if given: `get Cart.size` and `Cart.get size` are the same. */
export function parseName(symbol: string): { readonly name: string; readonly word?: string } {
  const { outer = '', word, name } = WORDED.exec(symbol)?.groups ?? {}
  return word === undefined ? { name: symbol } : { name: `${outer}${name}`, word }
}

/** The unqualified name. */
export const plainName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** The keyword before the name in a declaration, if it tells symbols of the same name apart. */
const wordBefore = (text: string, { headAt, nameAt }: Span) => LAST.exec(text.slice(headAt, nameAt))?.[1]

const notRead = (path: string): ToolError =>
  new ToolError('unavailable', `The symbols of ${path} are unknown: its language is not parsed`, {
    hint: 'Edit it by its text',
  })

function unknown(asked: string, path: string | undefined, line: number | undefined): ToolError {
  const where = path === undefined ? 'in the workspace' : line === undefined ? `in ${path}` : `at ${path}:${line}`
  return new ToolError('no_match', `Nothing ${where} is named '${asked}'`, {
    hint:
      path === undefined
        ? 'Look for it with symbols, or give the file that defines it'
        : 'symbols lists what it defines',
  })
}

function ambiguous({ symbol = '' }: SymbolQuery, found: Found): ToolError {
  const places = found.map(withKeyword(found))
  const placeTexts = places.slice(0, MOST_NAMED).map(({ name, path, line }) => `${name} (${path}:${line})`)
  const isWorded = new Set(places.map(({ name }) => name)).size === places.length
  const more = places.length > MOST_NAMED ? ` and ${places.length - MOST_NAMED} more` : ''
  return new ToolError('ambiguous', `'${symbol}' could be ${places.length} symbols: ${placeTexts.join(', ')}${more}`, {
    hint: isWorded
      ? `Say which one, as in ${places[0]?.name}, or with path and line`
      : 'Say which one with path, line, or Class.method',
    details: { candidates: places },
  })
}

/** Tells several symbols of one name, perhaps on one line, apart by the keyword before it. */
const withKeyword = (found: Found) => (one: FoundSymbol) => {
  const place = placeOf(one)
  const isAlone = found.every(each => each === one || each.span.name !== one.span.name)
  const word = isAlone ? undefined : wordBefore(one.source.text, one.span)
  return word === undefined ? place : { ...place, name: `${word} ${place.name}` }
}

/** The place of a symbol, for searching its occurrences. */
export function namedPlace(declarations: Found): NamedPlace {
  const [{ source, span, syntax }] = declarations
  const { path } = source
  const places = declarations.map(each => ({ path, position: source.positionOf(each.span.nameAt) }))
  return {
    name: span.name,
    old: plainName(span.name),
    path,
    position: source.positionOf(span.nameAt),
    places,
    scope: scopeOf(span.name, syntax.spans),
    head: source.text.slice(span.start, span.nameAt),
  }
}

/** A symbol in a function is local to it; a symbol in anything else is a member of that. */
export function scopeOf(name: string, spans: readonly Span[]): NamedPlace['scope'] {
  if (!name.includes('.')) return 'module'
  const outer = name.slice(0, name.lastIndexOf('.'))
  return spans.some(each => each.name === outer && /^(?:function|method)$/.test(each.kind)) ? 'local' : 'member'
}

/** How a result names a symbol. */
export function placeOf({ source, span }: Pick<FoundSymbol, 'source' | 'span'>) {
  return { name: span.name, path: source.path, line: source.positionOf(span.nameAt).line + 1 }
}
