import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'
import type { FoundSymbol, SymbolsOptions } from '../../index/types.ts'
import type { CodeParts } from '../code-parts.ts'
import { visibleText } from '../visible-text.ts'
import { parseSyntax } from '../../model/syntax/parse-syntax.ts'
import { headsOf } from '../../model/heads-of.ts'
import { wholeName } from '../../model/whole-name.ts'
import type { Declared, FoundSymbols } from '../types.ts'
import { fileAt } from './ask-server.ts'
import { computedName } from './defining-file.ts'

/** Symbols whose name contains the query, exact matches first. */
export async function symbols(
  parts: CodeParts,
  query: string,
  { path, ...options }: SymbolsOptions & { readonly path?: string },
): Promise<FoundSymbols> {
  if (path !== undefined) return symbolsIn(parts, fileAt(parts, path), query, options.limit)
  const indexAnswer = await parts.index.symbols(query, options)
  const computedError = indexAnswer.symbols.length === 0 ? computedName(query) : undefined
  if (computedError) throw computedError
  const plain = query.slice(query.lastIndexOf('.') + 1)
  const unparsedPaths = indexAnswer.unparsed.map(file => file.path).filter(file => mentions(parts, file, plain))
  const unread = [...new Set([...unparsedPaths, ...indexAnswer.damaged])].toSorted()
  return {
    symbols: await withHeads(parts, indexAnswer.symbols),
    partial: !indexAnswer.current || unread.length > 0,
    unread,
  }
}

async function symbolsIn(parts: CodeParts, path: string, query: string, limit: number): Promise<FoundSymbols> {
  const exact = (symbol: CodeSymbol) => symbol.name === query || wholeName(symbol) === query
  const lowerQuery = query.toLowerCase()
  const facts = await parts.index.facts(path)
  const matching = facts?.symbols.filter(symbol => wholeName(symbol).toLowerCase().includes(lowerQuery)) ?? []
  const bestMatches = matching.toSorted((one, other) => Number(exact(other)) - Number(exact(one))).slice(0, limit)
  const text = textOf(parts, path)
  const head = headsOf(path, text, facts?.symbols ?? [])
  // Around a syntax error declarations may be lost, also of names that the index could not read.
  const isUnread = facts?.unparsed !== undefined || (await parseSyntax(path, text))?.error !== undefined
  return {
    symbols: await Promise.all(bestMatches.map(async symbol => ({ ...symbol, path, signature: await head(symbol) }))),
    partial: isUnread,
    unread: isUnread ? [path] : [],
  }
}

/** The same with their heads, read from their files. */
async function withHeads(parts: CodeParts, found: readonly FoundSymbol[]): Promise<readonly Declared[]> {
  const heads = new Map<string, (symbol: CodeSymbol) => Promise<string>>()
  for (const [path, fileSymbols] of Map.groupBy(found, each => each.path))
    heads.set(path, await headsIn(parts, path, fileSymbols))
  return Promise.all(
    found.map(async symbol => ({ ...symbol, signature: (await heads.get(symbol.path)?.(symbol)) ?? '' })),
  )
}

/** If several begin on one line, all symbols of the file are needed. */
async function headsIn(parts: CodeParts, path: string, found: readonly FoundSymbol[]) {
  const facts = found.some(({ sharesLine }) => sharesLine) ? await parts.index.facts(path) : undefined
  const all = facts?.symbols ?? found
  const symbolByKey = new Map(all.map(symbol => [keyOf(symbol), symbol]))
  const head = headsOf(path, textOf(parts, path), all)
  return (symbol: CodeSymbol) => head(symbolByKey.get(keyOf(symbol)) ?? symbol)
}

const keyOf = (symbol: CodeSymbol): string => `${symbol.from} ${wholeName(symbol)}`

const textOf = ({ root, staging }: CodeParts, path: string): string => visibleText(root, staging, path) ?? ''

/** A file that is too large to be parsed is still searched for a name. */
const LARGEST_UNPARSED = 64 * 1024 ** 2

const mentions = ({ root, staging, mayRead }: CodeParts, path: string, name: string): boolean =>
  mayRead(path) &&
  (visibleText(root, staging, path, LARGEST_UNPARSED)?.toLowerCase().includes(name.toLowerCase()) ?? false)
