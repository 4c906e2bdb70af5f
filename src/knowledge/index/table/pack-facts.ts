import type { OwnFacts } from '../../model/facts/own-facts.ts'
import type { FileFacts } from '../types.ts'
import type { Entry, PackedFacts } from './entry.ts'
import { packSymbols, unpackSymbols } from './packed-symbols.ts'

/** Packs facts for the index. */
export const packFacts = ({ lost, ...facts }: OwnFacts): PackedFacts => ({
  ...facts,
  symbols: packSymbols(facts.symbols),
  ...(lost && { lost: lost.join('\n') }),
})

/** Unpacks facts for callers. */
export function unpackFacts({
  exports,
  facts,
  unparsed,
}: Pick<Entry, 'exports' | 'facts' | 'unparsed'>): FileFacts | undefined {
  if (!facts) return undefined
  const { language, tags, symbols } = facts
  return { language, exports, tags, symbols: unpackSymbols(symbols), ...(unparsed !== undefined && { unparsed }) }
}
