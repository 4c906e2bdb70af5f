import { timeLimit } from '../../../machine/web/time-limit.ts'
import { ignoreMissing, memoryError, nothingFound } from '../failure.ts'
import type { Fix } from '../fix.ts'
import { loadModel } from '../load-model.ts'
import { EMBED_MS, queryVector } from '../query-vector.ts'
import { MOST_DUPLICATES, SAME_ANALYSIS, SAME_ERROR, sameError, scoreOf, wordShares } from '../rank.ts'
import { embeddingTexts, searchedText } from '../text/embedding-texts.ts'
import { errorNames } from '../text/error-names.ts'
import { wordsOf } from '../text/words.ts'
import type { Embedder, FixByWords, FixQuery, Found, FoundFix } from '../types.ts'
import type { ChromaApi, ChromaRecord, Collection, Where } from './chroma-api.ts'
import { fixIdOf, fixOf, isWhole, partIds, whereOf, type FieldNames } from './fix-records.ts'
import { recordsIn, selectionOf, type Passing } from './select-records.ts'

interface SearchParts {
  readonly api: ChromaApi
  readonly names: FieldNames | undefined
  readonly embedder: Embedder
  readonly redact: (text: string) => string
  /** Longest time of a whole search, the query's vector included. */
  readonly searchMs: number
}

interface ChromaSearch {
  byMeaning(query: FixQuery, signal: AbortSignal): Promise<Found<FoundFix>>
  byWords(query: FixQuery, signal: AbortSignal): Promise<Found<FixByWords>>
  nearDuplicates(fix: Fix, signal: AbortSignal): Promise<readonly FoundFix[]>
  /** Returns the fixes of these ids in their order; those removed meanwhile are missing. */
  fixesOf(id: string, ids: readonly string[], signal: AbortSignal): Promise<readonly Fix[]>
  /** Counts all fixes. */
  count(id: string, signal: AbortSignal): Promise<number>
}

/** Records that are ranked: more than a page shows, since the order of the server knows no words. */
const CANDIDATES = 80
const NAMED = 40
const WORDS = 12
/** An embedder that leaves the server less than this is what made a search late. */
const SERVER_MS = 150

/** Searches a collection: the server finds what is near, and the order is made here, as for every store. */
export function chromaSearch({ api, names, embedder, redact, searchMs }: SearchParts): ChromaSearch {
  /** The server's own count knows no condition, and ours hold several records for a fix. */
  const countFixes = async (id: string, { where, ids }: Passing, signal: AbortSignal): Promise<number> => {
    if (ids) return ids.length
    return where ? (await api.ids(id, { where }, signal)).length : api.count(id, signal)
  }

  /** Limits all requests of a search together: a server that answers each a little late is late too. */
  const inTime = async <T>(signal: AbortSignal, work: (limited: AbortSignal) => Promise<T>): Promise<T> => {
    const limit = timeLimit(searchMs, signal)
    try {
      return await work(limit.signal)
    } finally {
      limit.end()
    }
  }

  /** Returns the candidates of a query: the nearest, and those that name the same error. */
  const candidates = async (
    id: string,
    { vector, text, filter = {} }: Pick<FixQuery, 'text' | 'filter'> & { readonly vector: Float32Array },
    wholes: Passing,
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> => {
    const { codes, classes } = errorNames(text)
    const nameTexts = [...codes, ...classes].slice(0, WORDS)
    if (wholes.ids?.length === 0) return []
    const parts = names ? wholes : { where: whereOf(filter, false) }
    const [near, same] = await Promise.all([
      api.nearest(id, { ...parts, vector: [...vector], most: CANDIDATES }, signal),
      nameTexts.length === 0
        ? []
        : api.get(id, { ...wholes, where_document: holding(nameTexts), limit: NAMED }, signal),
    ])
    const ids = names ? [] : lackingIds(near, same)
    const more = ids.length === 0 ? [] : await api.get(id, { ids }, signal)
    return candidatesOf([...near, ...same, ...more], vector, names)
  }

  const fixesOf: ChromaSearch['fixesOf'] = async (id, ids, signal) => {
    const records = ids.length === 0 ? [] : await api.get(id, { ids }, signal, 'text')
    const fixesById = new Map(records.map(record => [record.id, fixOf(record, names)]))
    return ids.flatMap(each => fixesById.get(each) ?? [])
  }

  return {
    fixesOf,
    count: async (id, signal) => countFixes(id, await selectionOf(api, id, undefined, names, signal), signal),
    async byMeaning(given, signal) {
      await loadModel(embedder, signal, given.loading)
      return inTime(signal, async limited => {
        const query = { ...given, text: redact(given.text) }
        const [{ vector, embeddedAt }, { id, passing }] = await Promise.all([
          // It has a limit of its own, so that its failure is not taken for one of the server.
          queryVector(embedder, query.text, signal, Math.min(query.embedWithinMs ?? EMBED_MS, searchMs)).then(made => ({
            vector: made,
            embeddedAt: performance.now(),
          })),
          api.collection(limited).then(async collection => {
            const collectionId = ensureEmbedder(collection, embedder).id
            return { id: collectionId, passing: await selectionOf(api, collectionId, query.filter, names, limited) }
          }),
        ])
        const [candidateFixes, totalFound] = await Promise.all([
          candidates(id, { ...query, vector }, passing, limited),
          countFixes(id, passing, limited),
        ]).catch((cause: unknown) => {
          const isLate = limited.aborted && !signal.aborted && performance.now() - embeddedAt < SERVER_MS
          throw isLate ? lateVector(embedder, cause) : cause
        })
        return firstResults(query, orderBest(query.text, candidateFixes), totalFound)
      })
    },
    byWords: (given, signal) =>
      inTime(signal, async limited => {
        const query = { ...given, text: redact(given.text) }
        const { id } = await api.collection(limited)
        const words = tellingWords(query.text)
        if (words.length === 0) throw nothingFound(query)
        const passing = await selectionOf(api, id, query.filter, names, limited)
        if (passing.ids?.length === 0) throw nothingFound(query)
        const selection = { ...passing, where_document: holding(words) }
        const wholeFixes: { readonly fix: Fix }[] = []
        for await (const record of recordsIn(api, id, selection, limited, 'text')) {
          // A diff is not compared, and those of a whole collection may be too much to hold.
          const { diff: _, ...fix } = fixOf(record, names)
          if (isWhole(record)) wholeFixes.push({ fix })
        }
        const sharing = orderBest(query.text, wholeFixes).filter(({ score }) => score > 0)
        const { results, totalFound } = firstResults(query, sharing, sharing.length)
        const byId = new Map(results.map(result => [result.fix.id, result]))
        const resultsWithFix = (await fixesOf(id, [...byId.keys()], limited)).flatMap(fix => {
          const result = byId.get(fix.id)
          return result ? { ...result, fix } : []
        })
        return firstResults(query, resultsWithFix, totalFound)
      }),
    nearDuplicates: (fix, signal) => nearDuplicates({ api, names, embedder }, fix, signal),
  }
}

/** Names the fixes of which another vector was near, and the other vectors of those that were named. */
function lackingIds(near: readonly ChromaRecord[], same: readonly ChromaRecord[]): readonly string[] {
  const presentIds = new Set([...near, ...same].map(record => record.id))
  const nearIds = new Set(near.map(fixIdOf))
  const wantedIds = [
    ...nearIds,
    ...same.filter(record => !nearIds.has(record.id)).flatMap(record => partIds(record.id)),
  ]
  return wantedIds.filter(each => !presentIds.has(each))
}

/** Returns the fixes whose error and analysis are near those of this one. */
async function nearDuplicates(
  { api, names, embedder }: Pick<SearchParts, 'api' | 'names' | 'embedder'>,
  fix: Fix,
  signal: AbortSignal,
): Promise<readonly FoundFix[]> {
  const collection = await api.collection(signal).catch(ignoreMissing)
  if (!collection) return []
  const [error, analysis] = await embedder.embed(embeddingTexts(fix).slice(0, 2), signal)
  if (!error || !analysis) return []
  const wholes = await selectionOf(api, collection.id, undefined, names, signal)
  const near = await api.nearest(collection.id, { ...wholes, vector: [...error], most: CANDIDATES }, signal)
  const same = near.filter(record => record.id !== fix.id && cosine(error, record.embedding) >= SAME_ERROR)
  if (same.length === 0) return []
  const others = await api.get(collection.id, { ids: same.map(({ id }) => partIds(id)[1] ?? '') }, signal)
  const isSame = new Set(others.filter(each => cosine(analysis, each.embedding) >= SAME_ANALYSIS).map(fixIdOf))
  return same
    .filter(record => isSame.has(record.id))
    .map(record => ({ record, similarity: cosine(error, record.embedding) }))
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, MOST_DUPLICATES)
    .map(({ record, similarity }) => ({ fix: fixOf(record, names), similarity, score: similarity, sameError: true }))
}

const lateVector = ({ name }: Embedder, cause: unknown) =>
  memoryError('embedding_failed', `${name} gave a vector too late to search with it`, 'Retry', cause)

/** Returns the words of a query that the server looks for, those that tell most first. */
function tellingWords(text: string): readonly string[] {
  const { codes, classes } = errorNames(text)
  const longest = [...new Set(text.match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].toSorted(
    (one, other) => other.length - one.length,
  )
  const words = [...codes, ...classes, ...longest.flatMap(word => [word, word.toLowerCase()])]
  return [...new Set(words)].slice(0, 3 * WORDS)
}

/** What a collection of ours says about its vectors. */
export const EMBEDDER = 'toolwright:embedder'

/** Reports whether another embedder made the vectors: of the same length, they compare, but mean nothing. */
const isOfAnother = ({ metadata: { [EMBEDDER]: name } }: Collection, embedder: Embedder): boolean =>
  typeof name === 'string' && name !== embedder.name

/** Refuses a collection whose vectors another embedder made. */
export function ensureEmbedder(collection: Collection, embedder: Embedder): Collection {
  if (!isOfAnother(collection, embedder)) return collection
  throw memoryError(
    'embedding_failed',
    `The collection holds vectors of ${collection.metadata[EMBEDDER]}, and ${embedder.name} is configured`,
    'Configure that embedder, or export the fixes and import them into a new collection',
  )
}

interface Candidate {
  readonly fix: Fix
  /** That of its nearest vector. */
  readonly similarity: number
}

function candidatesOf(
  records: readonly ChromaRecord[],
  vector: Float32Array,
  names: FieldNames | undefined,
): readonly Candidate[] {
  return [...Map.groupBy(records, fixIdOf).values()].flatMap(own => {
    const whole = own.find(isWhole)
    if (!whole) return []
    const similarity = Math.max(...own.map(({ embedding }) => cosine(vector, embedding)))
    return { fix: fixOf(whole, names), similarity }
  })
}

function cosine(one: Float32Array, other: readonly number[]): number {
  let [dot, squares, its] = [0, 0, 0]
  for (const [at, value] of other.entries()) {
    const mine = one[at] ?? 0
    dot += mine * value
    squares += mine * mine
    its += value * value
  }
  return squares > 0 && its > 0 ? Math.max(-1, Math.min(1, dot / Math.sqrt(squares * its))) : 0
}

/** Orders candidates as every store does, the best first. */
function orderBest<One extends { readonly fix: Fix; readonly similarity?: number }>(
  query: string,
  found: readonly One[],
): readonly (Pick<One, 'fix' | 'similarity'> & { readonly score: number; readonly sameError: boolean })[] {
  const shares = wordShares(
    wordsOf(query),
    found.map(({ fix }) => wordsOf(searchedText(fix))),
  )
  return found
    .map(({ fix, similarity }, at) => {
      const same = sameError(query, fix)
      const score = scoreOf({ words: shares[at] ?? 0, same }, similarity)
      return { fix, ...(similarity !== undefined && { similarity }), score, sameError: same !== undefined }
    })
    .toSorted((one, other) => other.score - one.score) as never
}

function firstResults<One>(query: FixQuery, results: readonly One[], totalFound: number): Found<One> {
  if (results.length === 0) throw nothingFound(query)
  return { results: results.slice(0, query.limit), totalFound }
}

/** The words of a document are compared as they are written. */
const holding = (words: readonly string[]): Where =>
  words.length === 1 ? { $contains: words[0] } : { $or: words.map(word => ({ $contains: word })) }
