import { passes } from '../knowledge/memory/chroma/fix-records.ts'
import { nothingFound, unknownFix } from '../knowledge/memory/failure.ts'
import { changedFix, completeFix, newFixSchema, type Fix } from '../knowledge/memory/fix.ts'
import { sameError, wordShares } from '../knowledge/memory/rank.ts'
import { searchedText } from '../knowledge/memory/text/embedding-texts.ts'
import { wordsOf } from '../knowledge/memory/text/words.ts'
import type { FixQuery, FixStore, Found, FoundFix } from '../knowledge/memory/types.ts'

/** Fixes in memory, for tests of tools: the share of common words stands for the cosine, so that no model is loaded. */
export function fakeFixes(initialFixes: readonly object[] = []): FixStore {
  const fixes = new Map<string, Fix>()
  for (const each of initialFixes) {
    const fix = completeFix(newFixSchema.parse(each))
    fixes.set(fix.id, fix)
  }
  const rankFixes = (text: string, among: readonly Fix[]): readonly FoundFix[] => {
    const shares = wordShares(
      wordsOf(text),
      among.map(fix => wordsOf(searchedText(fix))),
    )
    return among
      .map((fix, at) => {
        const share = shares[at] ?? 0
        return { fix, similarity: share, score: share, sameError: sameError(text, fix) !== undefined }
      })
      .toSorted((one, other) => other.score - one.score)
  }
  const passing = ({ filter = {} }: Pick<FixQuery, 'filter'>): readonly Fix[] =>
    [...fixes.values()].filter(fix => passes(fix, filter))
  const search = async (query: FixQuery): Promise<Found<FoundFix>> => {
    const among = passing(query)
    if (among.length === 0) throw nothingFound(query)
    return { results: rankFixes(query.text, among).slice(0, query.limit), totalFound: among.length }
  }
  const same = (fix: Pick<Fix, 'errorDescription'>): readonly FoundFix[] =>
    rankFixes(fix.errorDescription, [...fixes.values()]).filter(
      each => each.fix.errorDescription === fix.errorDescription,
    )
  const requireFix = (id: string): Fix => {
    const fix = fixes.get(id)
    if (!fix) throw unknownFix(id)
    return fix
  }
  return {
    async add(fix, { evenIfSimilar }) {
      const storedFix = completeFix(fix)
      const duplicates = evenIfSimilar ? [] : same(storedFix)
      if (duplicates.length > 0) return { duplicates }
      fixes.set(storedFix.id, storedFix)
      return { stored: storedFix }
    },
    put: async all => all.forEach(fix => fixes.set(fix.id, fix)),
    async change(id, change) {
      const fix = changedFix(requireFix(id), change)
      fixes.set(id, fix)
      return fix
    },
    async remove(id) {
      const fix = requireFix(id)
      fixes.delete(id)
      return fix
    },
    get: async id => fixes.get(id),
    async list({ filter, limit, skip = 0 }) {
      const all = passing({ filter })
      return { fixes: all.slice(skip, skip + limit), total: all.length }
    },
    async *each(filter) {
      yield* passing({ filter })
    },
    search,
    searchWords: search,
    nearDuplicates: async fix => same(fix),
    status: async () => ({
      kind: 'embedded',
      place: 'memory',
      fixes: fixes.size,
      embedder: undefined,
      reembedding: undefined,
      bytes: undefined,
    }),
    doctor: async () => [],
    close: async () => {},
  }
}
