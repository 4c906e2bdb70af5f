import type { CodeSymbol } from '../../model/code-symbol.ts'
import type { FileFacts } from '../../index/types.ts'
import type { CodeParts } from '../code-parts.ts'
import { seenText } from '../seen-text.ts'
import { headsOf } from '../../model/heads-of.ts'
import type { Declared, FoundSymbols } from '../types.ts'
import { fileAt } from './put-question.ts'

const AT_ONCE = 500

/** Symbols whose name holds the query, those that are named exactly so first. */
export async function symbols(
  parts: CodeParts,
  query: string,
  { limit, path }: { readonly limit: number; readonly path?: string },
): Promise<FoundSymbols> {
  const exact = (symbol: CodeSymbol) => symbol.name === query || wholeName(symbol) === query
  const wanted = query.toLowerCase()
  const like = (symbol: CodeSymbol) => wholeName(symbol).toLowerCase().includes(wanted)
  if (path !== undefined) {
    const file = fileAt(parts, path)
    const facts = await parts.index.facts(file)
    const matching = facts?.symbols.filter(like) ?? []
    const sorted = matching.toSorted((one, other) => Number(exact(other)) - Number(exact(one)))
    const isUnread = facts?.unparsed !== undefined
    return {
      symbols: await withHeads(parts, file, facts, sorted.slice(0, limit)),
      partial: isUnread,
      unread: isUnread ? [file] : [],
    }
  }
  const found = new Map<string, Declared>()
  const plain = query.slice(query.lastIndexOf('.') + 1)
  const first = await parts.index.query({ by: 'symbol', value: plain }, { limit })
  let { current } = first
  for (const file of first.files) await take(file.path, exact)
  for (let skip = 0; found.size < limit; skip += AT_ONCE) {
    const page = await parts.index.query({ by: 'all' }, { limit: AT_ONCE, skip })
    current &&= page.current
    for (const file of page.files) if (found.size < limit) await take(file.path, like)
    if (skip + AT_ONCE >= page.total) break
  }
  const unread = first.unparsed.map(file => file.path).filter(file => mentions(parts, file, plain))
  return { symbols: [...found.values()].slice(0, limit), partial: !current || unread.length > 0, unread }

  async function take(file: string, matches: (symbol: CodeSymbol) => boolean): Promise<void> {
    const facts = await parts.index.facts(file)
    const matching = facts?.symbols.filter(matches).slice(0, limit) ?? []
    for (const each of await withHeads(parts, file, facts, matching))
      found.set(`${file}:${each.from} ${wholeName(each)}`, each)
  }
}

const mentions = ({ root, staging, mayRead }: CodeParts, path: string, name: string): boolean =>
  mayRead(path) && (seenText(root, staging, path)?.includes(name) ?? false)

const wholeName = ({ name, within }: CodeSymbol): string => [...within, name].join('.')

async function withHeads(
  { root, staging }: CodeParts,
  path: string,
  facts: FileFacts | undefined,
  found: readonly CodeSymbol[],
): Promise<readonly Declared[]> {
  if (found.length === 0) return []
  const head = headsOf(path, seenText(root, staging, path) ?? '', facts?.symbols ?? [])
  return Promise.all(found.map(async symbol => ({ ...symbol, path, signature: await head(symbol) })))
}
