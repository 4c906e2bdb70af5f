import type { Fix } from './fix.ts'
import { errorNames, sameName, type ErrorNames } from './text/error-names.ts'

/** How much words count: only a large overlap matters, since a small one misleads where words differ. */
const WORDS = 0.6
const NAMED = { code: 0.2, class: 0.1 }

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

/** BM25 with the usual constants. */
const [K1, B] = [1.2, 0.75]

/** Returns for each text the share of the query's words that it holds, for stores that have no index of words. */
export function wordShares(query: readonly string[], texts: readonly (readonly string[])[]): readonly number[] {
  const wanted = [...new Set(query)]
  const counts = texts.map(words => Map.groupBy(words, word => word))
  const average = texts.reduce((sum, { length }) => sum + length, 0) / (texts.length || 1) || 1
  const weights = wanted.map(word => idf(texts.length, counts.filter(count => count.has(word)).length))
  const own = weights.reduce((sum, weight) => sum + weight, 0)
  return texts.map(({ length }, at) => {
    const score = wanted.reduce((sum, word, place) => {
      const times = counts[at]?.get(word)?.length ?? 0
      return sum + ((weights[place] ?? 0) * times * (K1 + 1)) / (times + K1 * (1 - B + (B * length) / average))
    }, 0)
    return own > 0 ? Math.min(1, score / own) : 0
  })
}

/** The weight of a word that so many of all texts hold, as SQLite's bm25 computes it. */
export const idf = (texts: number, having: number): number =>
  Math.max(1e-6, Math.log((texts - having + 0.5) / (having + 0.5)))
