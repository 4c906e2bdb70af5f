import { MOST_DUPLICATES, SAME_ANALYSIS, SAME_ERROR, scoreOf, type Overlap } from '../rank.ts'
import { reduceTrace } from '../text/reduce-trace.ts'
import { nothingFound } from '../failure.ts'
import type { FixByWords, FixQuery, Found, FoundFix } from '../types.ts'
import type { OpenFixes } from './open-fixes.ts'
import type { Space } from './spaces.ts'
import { dot } from './vector-scan.ts'

/** The vector of a query in one space. */
export interface QueryIn {
  readonly space: Space
  readonly vector: Float32Array
}

/** Ranks the fixes that pass the filter. A fix that the first space does not have yet is compared in the next. */
export function searchByMeaning(fixes: OpenFixes, query: FixQuery, vectors: readonly QueryIn[]): Found<FoundFix> {
  const { tables } = fixes
  const passing = tables.passing(query.filter)
  const similarities = new Map<number, number>()
  for (const { space, vector } of vectors)
    for (const [row, similarity] of fixes
      .scan(space, query.dueAt)
      .similarities(vector, each => !similarities.has(each) && (passing?.has(each) ?? true)))
      similarities.set(row, similarity)
  const overlapOf = overlaps(fixes, query)
  const best = top(query.limit, similarities, (row, similarity) => scoreOf(overlapOf(row), similarity))
  if (best.length === 0) throw nothingFound(query)
  return {
    totalFound: passing?.size ?? tables.count(),
    results: best.map(({ row, score }) => ({
      fix: tables.fixOf(row),
      similarity: cosine(similarities.get(row) ?? 0),
      score,
      sameError: overlapOf(row).same !== undefined,
    })),
  }
}

/** Ranks the fixes that share a word or the name of an error with the query. */
export function searchByWords(fixes: OpenFixes, query: FixQuery): Found<FixByWords> {
  const { tables } = fixes
  const passing = tables.passing(query.filter)
  const overlapOf = overlaps(fixes, query)
  const matchingRows = new Map(overlapOf.rows().map(row => [row, 0]))
  if (passing) for (const row of matchingRows.keys()) if (!passing.has(row)) matchingRows.delete(row)
  const best = top(query.limit, matchingRows, row => scoreOf(overlapOf(row)))
  if (best.length === 0) throw nothingFound(query)
  return {
    totalFound: matchingRows.size,
    results: best.map(({ row, score }) => ({
      fix: tables.fixOf(row),
      score,
      sameError: overlapOf(row).same !== undefined,
    })),
  }
}

/** Returns stored fixes that say the same as one with these vectors, the most similar first. */
export function findDuplicates(fixes: OpenFixes, space: Space, vectors: readonly Float32Array[]): readonly FoundFix[] {
  const [error, analysis] = vectors
  if (!error || !analysis) return []
  const scan = fixes.scan(space)
  const duplicates: { readonly row: number; readonly similarity: number }[] = []
  for (const row of scan.rows()) {
    const [otherError, otherAnalysis] = scan.vectorsOf(row)
    if (!otherError || !otherAnalysis) continue
    const similarity = dot(otherError, 0, error)
    if (similarity >= SAME_ERROR && dot(otherAnalysis, 0, analysis) >= SAME_ANALYSIS)
      duplicates.push({ row, similarity })
  }
  return duplicates
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, MOST_DUPLICATES)
    .map(({ row, similarity }) => ({
      fix: fixes.tables.fixOf(row),
      similarity: cosine(similarity),
      score: similarity,
      sameError: true,
    }))
}

function overlaps(
  fixes: OpenFixes,
  { text, dueAt }: FixQuery,
): ((row: number) => Overlap) & { rows(): readonly number[] } {
  const words = fixes.tables.wordShares(reduceTrace(text, { keepsValues: true }), dueAt)
  const same = fixes.tables.sameErrors(text)
  return Object.assign((row: number) => ({ words: words.get(row) ?? 0, same: same.get(row) }), {
    rows: () => [...new Set([...words.keys(), ...same.keys()])],
  })
}

interface Ranked {
  readonly row: number
  readonly score: number
}

/** Returns the best rows; of two that score the same, the newer. */
function top(
  limit: number,
  rows: ReadonlyMap<number, number>,
  scored: (row: number, similarity: number) => number,
): readonly Ranked[] {
  const best: Ranked[] = []
  for (const [row, similarity] of rows) {
    const score = scored(row, similarity)
    const last = best[limit - 1]
    if (last && (score < last.score || (score === last.score && row < last.row))) continue
    const at = best.findIndex(other => other.score < score || (other.score === score && other.row < row))
    best.splice(at < 0 ? best.length : at, 0, { row, score })
    if (best.length > limit) best.pop()
  }
  return best
}

/** Rounding must not lead out of the range. */
const cosine = (value: number): number => Math.max(-1, Math.min(1, value))
