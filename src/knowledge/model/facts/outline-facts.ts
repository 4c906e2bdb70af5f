import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'
import type { Declaration, Outline } from '../../../languages/file-model/file-model.ts'
import { namesAround } from '../names-around.ts'
import type { OwnFacts } from './own-facts.ts'

/** The part of an outline that the index stores. */
export const outlineFacts = ({
  language,
  symbols,
  exportNames,
  defaultName,
  stars,
  tags,
  lost,
}: Outline): OwnFacts => ({
  language,
  exports: exportNames,
  ...(defaultName !== undefined && { defaultName }),
  stars,
  tags,
  symbols: listedSymbols(symbols),
  ...(lost && { lost }),
})

function listedSymbols(symbols: readonly Declaration[]): readonly CodeSymbol[] {
  const within = namesAround(symbols)
  const outlineSymbols: CodeSymbol[] = []
  for (const symbol of symbols) {
    if (!isListed(symbol)) continue
    const { name, kind, from, to, exported } = symbol
    outlineSymbols.push({ name, kind, from, to, within: within(symbol), exported })
  }
  return outlineSymbols
}

type Listed = Declaration & { readonly kind: CodeSymbol['kind'] }

/** Leaves out tests, fields and unnamed classes, which only special questions need. */
const isListed = (symbol: Declaration): symbol is Listed =>
  symbol.kind !== 'test' && symbol.kind !== 'property' && symbol.name !== ''
