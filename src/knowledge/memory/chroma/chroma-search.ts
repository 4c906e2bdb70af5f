import { MOST_DUPLICATES, nothingFound, SAME_ANALYSIS, SAME_ERROR } from '../embedded/search-fixes.ts'
import { memoryError, memoryFailure } from '../failure.ts'
import type { Fix } from '../fix.ts'
import { queryVector } from '../query-vector.ts'
import { sameError, scoreOf, wordShares } from '../rank.ts'
import { searchedText } from '../text/embedding-texts.ts'
import { errorNames } from '../text/error-names.ts'
import { wordsOf } from '../text/words.ts'
import type { Embedder, FixByWords, FixFilter, FixQuery, Found, FoundFix } from '../types.ts'
import type { ChromaApi, ChromaRecord, Collection, Where } from './chroma-api.ts'
import { fixIdOf, fixOf, isWhole, partIds, textsOf, whereOf, type FieldNames } from './fix-records.ts'

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
    const where = await filterIn(api, id, filter, names, signal)
    return where === undefined ? api.count(id, signal) : (await api.ids(id, { where }, signal)).length
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
    const [parts, wholes] = await Promise.all([
      filterIn(api, id, filter, names, signal, false),
      filterIn(api, id, filter, names, signal),
    ])
    const [near, same] = await Promise.all([
      api.nearest(id, { vector: [...vector], most: CANDIDATES, where: parts }, signal),
      named.length === 0 ? [] : api.get(id, { where: wholes, where_document: holding(named), limit: NAMED }, signal),
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
        api.collection(signal).then(collection => demandEmbedder(collection, embedder)),
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
      const where = await filterIn(api, id, query.filter, names, signal)
      const selection = { where, where_document: holding(words.slice(0, 3 * WORDS)), limit: PAGE }
      const found = (await api.get(id, selection, signal))
        .filter(isWhole)
        .map(record => ({ fix: fixOf(record, names) }))
      const sharing = ordered(query.text, found).filter(({ score }) => score > 0)
      return ranked(query, sharing, sharing.length)
    },
    async nearDuplicates(fix, signal) {
      const collection = await api.collection(signal).catch(missing)
      if (!collection) return []
      const [error, analysis] = await embedder.embed(textsOf(fix).slice(0, 2), signal)
      if (!error || !analysis) return []
      const where = await filterIn(api, collection.id, undefined, names, signal)
      const near = await api.nearest(collection.id, { vector: [...error], most: CANDIDATES, where }, signal)
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

/** Refuses a collection whose vectors another embedder made: of the same length, they compare, but mean nothing. */
export function demandEmbedder(collection: Collection, embedder: Embedder): Collection {
  const { [EMBEDDER]: name } = collection.metadata
  if (typeof name !== 'string' || name === embedder.name) return collection
  throw memoryError(
    'embedding_failed',
    `The collection holds vectors of ${name}, and ${embedder.name} is configured`,
    'Configure that embedder, or move: fixes export, another collection in memory.chroma, fixes import',
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

/** Returns the condition for fixes that pass a filter; `wholeOnly` for the records that hold all of one. */
export async function filterIn(
  api: ChromaApi,
  id: string,
  filter: FixFilter = {},
  names: FieldNames | undefined,
  signal: AbortSignal,
  wholeOnly = true,
): Promise<Where | undefined> {
  const key = names?.confidence ?? 'confidence'
  // A field that no record of another program has cannot filter.
  const isOpen = names !== undefined && filter.minConfidence !== undefined
  const some = isOpen ? await api.ids(id, { where: { [key]: { $gte: -0.5 } }, limit: 1 }, signal) : [id]
  return whereOf(filter, names, { wholeOnly, has: () => some.length > 0 })
}

/** Returns every record that holds all of a fix. */
export async function allOf(
  api: ChromaApi,
  id: string,
  where: Where | undefined,
  signal: AbortSignal,
): Promise<readonly ChromaRecord[]> {
  const all: ChromaRecord[] = []
  for (let offset = 0; ; offset += PAGE) {
    const page = await api.get(id, { where, limit: PAGE, offset }, signal)
    all.push(...page.filter(isWhole))
    if (page.length < PAGE) return all
  }
}

function missing(error: unknown): undefined {
  if (memoryFailure(error) !== 'collection_missing') throw error
  return undefined
}
