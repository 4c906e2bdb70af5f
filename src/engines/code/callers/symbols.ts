import type { CodeSymbol } from '../../index/types.ts'
import type { CodeParts } from '../code-parts.ts'
import { seenText } from '../seen-text.ts'
import { headsOf } from '../symbols/heads-of.ts'
import type { Declared } from '../types.ts'
import { fileAt } from './put-question.ts'

const AT_ONCE = 500

/** Symbols whose name holds the query, those that are named exactly so first. */
export async function symbols(
  parts: CodeParts,
  query: string,
  { limit, path }: { readonly limit: number; readonly path?: string },
): Promise<readonly Declared[]> {
  const exact = (symbol: CodeSymbol) => symbol.name === query || wholeName(symbol) === query
  const wanted = query.toLowerCase()
  const like = (symbol: CodeSymbol) => wholeName(symbol).toLowerCase().includes(wanted)
  if (path !== undefined) {
    const found = await inFile(parts, fileAt(parts, path), like)
    return found.toSorted((one, other) => Number(exact(other)) - Number(exact(one))).slice(0, limit)
  }
  const found = new Map<string, Declared>()
  const plain = query.slice(query.lastIndexOf('.') + 1)
  const { files } = await parts.index.query({ by: 'symbol', value: plain }, { limit })
  for (const file of files) await take(file.path, exact)
  for (let skip = 0; found.size < limit; skip += AT_ONCE) {
    const page = await parts.index.query({ by: 'all' }, { limit: AT_ONCE, skip })
    for (const file of page.files) if (found.size < limit) await take(file.path, like)
    if (skip + AT_ONCE >= page.total) break
  }
  return [...found.values()].slice(0, limit)

  async function take(file: string, matches: (symbol: CodeSymbol) => boolean): Promise<void> {
    for (const each of await inFile(parts, file, matches)) found.set(`${file}:${each.from} ${wholeName(each)}`, each)
  }
}

const wholeName = ({ name, within }: CodeSymbol): string => [...within, name].join('.')

async function inFile(
  { index, root, staging }: CodeParts,
  path: string,
  matches: (symbol: CodeSymbol) => boolean,
): Promise<readonly Declared[]> {
  const facts = await index.facts(path)
  const found = facts?.symbols.filter(matches) ?? []
  if (found.length === 0) return []
  const head = headsOf(path, seenText(root, staging, path) ?? '', facts?.symbols ?? [])
  return Promise.all(found.map(async symbol => ({ ...symbol, path, signature: await head(symbol) })))
}
