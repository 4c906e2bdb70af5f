import type { Fix } from './fix.ts'
import { errorNames, sameName, type ErrorNames } from './text/error-names.ts'

/** How much words count: only a large overlap matters, since a small one misleads where words differ. */
const WORDS = 0.6
const NAMED = { code: 0.2, class: 0.1 }

/**
 * How alike two analyses have to be to say the same: the error, and what is said about it. The same in other words is
 * at 0.75, another cause of the same error below 0.4. A person decides, so that one too many does no harm.
 */
export const SAME_ERROR = 0.7
export const SAME_ANALYSIS = 0.7
export const MOST_DUPLICATES = 3

/** What of a query ranks a fix, besides the cosine. */
export interface Overlap {
  /** BM25 of the fix, divided by that of a text which holds all words of the query; 0 to 1. */
  readonly words: number
  readonly same: 'code' | 'class' | undefined
}

/** Returns the place of a fix in the order; without a cosine by words and names alone. */
export const scoreOf = ({ words, same }: Overlap, similarity = 0): number =>
  similarity + WORDS * Math.min(1, words) ** 2 + (same ? NAMED[same] : 0)

/** Returns the codes and classes that identify the error of a fix. */
export const namesOf = ({ errorType, errorDescription }: Pick<Fix, 'errorType' | 'errorDescription'>): ErrorNames => {
  const names = errorNames(`${errorType}\n${errorDescription}`)
  // What a person gave as the type names it, whatever it looks like.
  const isGiven = errorType !== '' && !names.codes.has(errorType) && !names.classes.has(errorType)
  return isGiven ? { ...names, classes: new Set([...names.classes, errorType]) } : names
}

export const sameError = (query: string, fix: Fix): Overlap['same'] => sameName(errorNames(query), namesOf(fix))

/** BM25's constant for repeated words. The length of a text does not count: a long analysis is no worse. */
const K1 = 1.2
/** In a large store, a word that many texts hold costs the most to look up and tells nothing beside the rarest one. */
const LARGE = 500
const LEAST_WEIGHT = 0.25

/** A word of the query: the texts that hold it, and how often. */
interface Posting<Key> {
  readonly word: string
  /** How many texts hold it. */
  readonly having: number
  /** Read only if the word counts. */
  readonly times: () => Iterable<readonly [key: Key, times: number]>
}

/**
 * Returns for each text that holds a word of the query its BM25, divided by that of a text which holds all of them
 * once: 0 to 1.
 */
export function bm25Shares<Key>(texts: number, postings: readonly Posting<Key>[]): Map<Key, number> {
  const weightedPostings = postings.map(posting => ({ ...posting, weight: idf(texts, posting.having) }))
  // A word that no text holds would outweigh all others.
  const most = Math.max(...weightedPostings.map(({ weight, having }) => (having > 0 ? weight : 0)))
  const countedPostings =
    texts < LARGE ? weightedPostings : weightedPostings.filter(({ weight }) => weight >= LEAST_WEIGHT * most)
  const fullWeight = countedPostings.reduce((sum, { weight }) => sum + weight, 0)
  const shares = new Map<Key, number>()
  for (const { weight, times } of countedPostings)
    for (const [key, count] of times()) {
      const share = (weight * count * (K1 + 1)) / (count + K1) / fullWeight
      shares.set(key, Math.min(1, (shares.get(key) ?? 0) + share))
    }
  return shares
}

/** Returns for each text the share of the query's words that it holds, for stores that have no index of words. */
export function wordShares(query: readonly string[], texts: readonly (readonly string[])[]): readonly number[] {
  const counts = texts.map(words => Map.groupBy(words, word => word))
  const shares = bm25Shares(
    texts.length,
    [...new Set(query)].map(word => {
      const times = counts.flatMap((count, at): readonly (readonly [number, number])[] => {
        const wordCount = count.get(word)?.length
        return wordCount === undefined ? [] : [[at, wordCount]]
      })
      return { word, having: times.length, times: () => times }
    }),
  )
  return texts.map((_, at) => shares.get(at) ?? 0)
}

/** The weight of a word that so many of all texts hold; never 0, so that the first fix of a store is found too. */
const idf = (texts: number, having: number): number => Math.log(1 + (texts - having + 0.5) / (having + 0.5))
