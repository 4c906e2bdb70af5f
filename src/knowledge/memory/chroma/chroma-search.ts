import { MOST_DUPLICATES, nothingFound, SAME_ANALYSIS, SAME_ERROR } from '../embedded/search-fixes.ts'
import { ignoreMissing, memoryError } from '../failure.ts'
import type { Fix } from '../fix.ts'
import { queryVector } from '../query-vector.ts'
import { sameError, scoreOf, wordShares } from '../rank.ts'
import { searchedText } from '../text/embedding-texts.ts'
import { errorNames } from '../text/error-names.ts'
import { wordsOf } from '../text/words.ts'
import type { Embedder, FixByWords, FixFilter, FixQuery, Found, FoundFix } from '../types.ts'
import type { ChromaApi, ChromaRecord, Collection, Selection, Where } from './chroma-api.ts'
import { fixIdOf, fixOf, isWhole, partIds, passes, textsOf, whereOf, type FieldNames } from './fix-records.ts'

interface SearchParts {
  readonly api: ChromaApi
  readonly names: FieldNames | undefined
  readonly embedder: Embedder
  readonly redact: (text: string) => string
}

interface ChromaSearch {
  byMeaning(query: FixQuery, signal: AbortSignal): Promise<Found<FoundFix>>
  byWords(query: FixQuery, signal: AbortSignal): Promise<Found<FixByWords>>
  nearDuplicates(fix: Fix, signal: AbortSignal): Promise<readonly FoundFix[]>
  /** Counts the fixes that pass a filter. */
  count(id: string, filter: FixFilter | undefined, signal: AbortSignal): Promise<number>
}

/** Records that are ranked: more than a page shows, since the order of the server knows no words. */
const CANDIDATES = 80
const NAMED = 40
const WORDS = 12
const PAGE = 500

/** Searches a collection: the server finds what is near, and the order is made here, as for every store. */
export function chromaSearch({ api, names, embedder, redact }: SearchParts): ChromaSearch {
  const count: ChromaSearch['count'] = async (id, filter, signal) => {
    const { where, ids } = await selectionOf(api, id, filter, names, signal)
    if (ids) return ids.length
    return where ? (await api.ids(id, { where }, signal)).length : api.count(id, signal)
  }

  /** Returns the candidates of a query: the nearest, and those that name the same error. */
  const candidates = async (
    id: string,
    { vector, text }: { readonly vector: Float32Array; readonly text: string },
    filter: FixFilter | undefined,
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> => {
    const { codes, classes } = errorNames(text)
    const named = [...codes, ...classes].slice(0, WORDS)
    const wholes = await selectionOf(api, id, filter, names, signal)
    if (wholes.ids?.length === 0) return []
    const parts = names ? wholes : { where: whereOf(filter ?? {}, false) }
    const [near, same] = await Promise.all([
      api.nearest(id, { ...parts, vector: [...vector], most: CANDIDATES }, signal),
      named.length === 0 ? [] : api.get(id, { ...wholes, where_document: holding(named), limit: NAMED }, signal),
    ])
    return grouped([...near, ...same, ...(await lacking(id, near, same, signal))], vector, names)
  }

  /** Returns all of the fixes of which another vector was near, and the other vectors of those that were named. */
  const lacking = async (
    id: string,
    near: readonly ChromaRecord[],
    same: readonly ChromaRecord[],
    signal: AbortSignal,
  ): Promise<readonly ChromaRecord[]> => {
    const known = new Set([...near, ...same].map(record => record.id))
    const isNear = new Set(near.map(fixIdOf))
    const wanted = [...isNear, ...same.filter(record => !isNear.has(record.id)).flatMap(record => partIds(record.id))]
    const ids = wanted.filter(each => !known.has(each))
    return ids.length === 0 || names ? [] : api.get(id, { ids }, signal)
  }

  return {
    count,
    async byMeaning(given, signal) {
      const query = { ...given, text: redact(given.text) }
      const [vector, { id }] = await Promise.all([
        queryVector(embedder, query.text, signal, query.embedWithinMs),
        api.collection(signal).then(collection => ensureEmbedder(collection, embedder)),
      ])
      const [found, totalFound] = await Promise.all([
        candidates(id, { vector, text: query.text }, query.filter, signal),
        count(id, query.filter, signal),
      ])
      return ranked(query, ordered(query.text, found), totalFound)
    },
    async byWords(given, signal) {
      const query = { ...given, text: redact(given.text) }
      const { id } = await api.collection(signal)
      const { codes, classes } = errorNames(query.text)
      const longest = [...new Set(query.text.match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].toSorted(
        (one, other) => other.length - one.length,
      )
      const words = [...new Set([...codes, ...classes, ...longest.flatMap(word => [word, word.toLowerCase()])])]
      if (words.length === 0) throw nothingFound(query)
      const passing = await selectionOf(api, id, query.filter, names, signal)
      if (passing.ids?.length === 0) throw nothingFound(query)
      const selection = { ...passing, where_document: holding(words.slice(0, 3 * WORDS)), limit: PAGE }
      const found = (await api.get(id, selection, signal, { isBare: true }))
        .filter(isWhole)
        .map(record => ({ fix: fixOf(record, names) }))
      const sharing = ordered(query.text, found).filter(({ score }) => score > 0)
      return ranked(query, sharing, sharing.length)
    },
    async nearDuplicates(fix, signal) {
      const collection = await api.collection(signal).catch(ignoreMissing)
      if (!collection) return []
      const [error, analysis] = await embedder.embed(textsOf(fix).slice(0, 2), signal)
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
        .map(({ record, similarity }) => ({
          fix: fixOf(record, names),
          similarity,
          score: similarity,
          sameError: true,
        }))
    },
  }
}

/** What a collection of ours says about its vectors. */
export const EMBEDDER = 'toolwright:embedder'

/** Reports whether another embedder made the vectors: of the same length, they compare, but mean nothing. */
export const isOfAnother = ({ metadata: { [EMBEDDER]: name } }: Collection, embedder: Embedder): boolean =>
  typeof name === 'string' && name !== embedder.name

/** Refuses a collection whose vectors another embedder made. */
export function ensureEmbedder(collection: Collection, embedder: Embedder): Collection {
  if (!isOfAnother(collection, embedder)) return collection
  throw memoryError(
    'embedding_failed',
    `The collection holds vectors of ${collection.metadata[EMBEDDER]}, and ${embedder.name} is configured`,
    'Configure that embedder, or make new vectors: toolwright fixes doctor --repair',
  )
}

interface Candidate {
  readonly fix: Fix
  /** That of its nearest vector. */
  readonly similarity: number
}

function grouped(
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
  let [dot, own, its] = [0, 0, 0]
  for (const [at, value] of other.entries()) {
    const mine = one[at] ?? 0
    dot += mine * value
    own += mine * mine
    its += value * value
  }
  return own > 0 && its > 0 ? Math.max(-1, Math.min(1, dot / Math.sqrt(own * its))) : 0
}

/** Orders candidates as every store does, the best first. */
function ordered<One extends { readonly fix: Fix; readonly similarity?: number }>(
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

function ranked<One>(query: FixQuery, results: readonly One[], totalFound: number): Found<One> {
  if (results.length === 0) throw nothingFound(query)
  return { results: results.slice(0, query.limit), totalFound }
}

/** The words of a document are compared as they are written. */
const holding = (words: readonly string[]): Where =>
  words.length === 1 ? { $contains: words[0] } : { $or: words.map(word => ({ $contains: word })) }

/**
 * Returns what selects the records that hold all of a fix that passes: a condition, or the ids in a collection made
 * elsewhere. Chroma's conditions know neither missing fields, which have defaults, nor other cases of letters.
 */
export async function selectionOf(
  api: ChromaApi,
  id: string,
  filter: FixFilter = {},
  names: FieldNames | undefined,
  signal: AbortSignal,
): Promise<Pick<Selection, 'ids' | 'where'>> {
  if (!names) return { where: whereOf(filter, true) }
  if (Object.values(filter).every(value => value === undefined)) return {}
  const ids: string[] = []
  for await (const record of recordsIn(api, id, {}, signal, { isBare: true }))
    if (passes(fixOf(record, names), filter)) ids.push(record.id)
  return { ids }
}

/** Yields the records of a selection. What is written meanwhile moves none of them to another page. */
export async function* recordsIn(
  api: ChromaApi,
  id: string,
  { ids: given, where }: Pick<Selection, 'ids' | 'where'>,
  signal: AbortSignal,
  options?: { readonly isBare?: boolean },
): AsyncGenerator<ChromaRecord> {
  const ids = given ?? (await api.ids(id, { where }, signal))
  for (let at = 0; at < ids.length; at += PAGE)
    yield* await api.get(id, { ids: ids.slice(at, at + PAGE) }, signal, options)
}
