import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'
import type { IndexEngine } from '../../index/types.ts'
import { KIND } from '../servers/lsp-schemas.ts'
import { headsOf } from '../../model/heads-of.ts'
import type { Declared } from '../types.ts'
import type { FileQueries } from './file-queries.ts'
import type { NamedSymbol } from './named-symbol.ts'

const KINDS = new Map<number, CodeSymbol['kind']>([
  [KIND.class, 'class'],
  [KIND.struct, 'class'],
  [KIND.interface, 'interface'],
  [KIND.enum, 'enum'],
  [KIND.method, 'method'],
  [KIND.constructor, 'method'],
  [KIND.function, 'function'],
  [KIND.namespace, 'module'],
  [KIND.module, 'module'],
])

/** A symbol at the server's position, completed with facts from the index. */
export async function declaredTarget(
  symbol: NamedSymbol,
  path: string,
  looks: FileQueries,
  index: Pick<IndexEngine, 'facts'>,
): Promise<Declared> {
  const from = symbol.range.start.line + 1
  const to = symbol.range.end.line + 1
  const facts = await index.facts(path)
  const within = symbol.name.split('.').slice(0, -1)
  const candidates = facts?.symbols.filter(one => one.name === symbol.plain && one.from <= to && one.to >= from) ?? []
  const fact = candidates.find(one => one.within.at(-1) === within.at(-1)) ?? candidates[0]
  const head = headsOf(path, looks.source(path).text, facts?.symbols ?? [])
  return {
    name: symbol.plain,
    kind: fact?.kind ?? KINDS.get(symbol.kind) ?? 'variable',
    from: fact?.from ?? from,
    to: fact?.to ?? to,
    within: fact?.within ?? within,
    exported: fact?.exported ?? false,
    path,
    signature: await head({ name: symbol.plain, within: fact?.within ?? within, from, to }),
  }
}
