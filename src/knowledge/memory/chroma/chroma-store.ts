import type { Egress } from '../../../kernel/egress.ts'
import { ToolError } from '../../../kernel/error.ts'
import { callServer } from '../../../machine/web/call-server.ts'
import { systemNetwork, type Network } from '../../../machine/web/network.ts'
import { changedByOthers, ignoreMissing, memoryError, takenId, unknownFix } from '../failure.ts'
import { changedFix, checkFix, completeFix, type Fix } from '../fix.ts'
import { redactFix } from '../redact-fix.ts'
import { embeddingTexts } from '../text/embedding-texts.ts'
import type { Embedder, FixStore } from '../types.ts'
import { chromaApi, type ChromaApi, type ChromaPlace, type Collection, type SendToChroma } from './chroma-api.ts'
import { chromaSearch, EMBEDDER, ensureEmbedder } from './chroma-search.ts'
import { embeddedRecords, fixOf, isWhole, partIds, staleIds, type FieldNames } from './fix-records.ts'
import { passingFixes, recordsIn, selectionOf } from './select-records.ts'

export interface ChromaStoreOptions {
  readonly place: ChromaPlace & { readonly fields?: FieldNames | undefined }
  readonly token?: string | undefined
  readonly network: Network | 'system' | 'none'
  readonly egress: Egress
  readonly embedder: Embedder
  /** Replaces secrets in a text. */
  readonly redact: (text: string) => string
  /** Longest wait for one answer, and for all of a search. */
  readonly requestMs: number
}

const MOST_BYTES = 256 * 1024 * 1024
const MOST_TRIES = 5

/** What reading and writing need. */
interface StoreParts extends Pick<ChromaStoreOptions, 'embedder' | 'redact'> {
  readonly api: ChromaApi
  readonly names: FieldNames | undefined
  readonly search: ReturnType<typeof chromaSearch>
}

/** Past fixes in a collection of a ChromaDB server. One that another program made is only searched. */
export function openChromaStore(options: ChromaStoreOptions): FixStore {
  const { place, embedder, redact } = options
  const { fields: names } = place
  const api = chromaApi(place, senderOf(options))
  const search = chromaSearch({ api, names, embedder, redact, searchMs: options.requestMs })
  const parts = { api, names, embedder, redact, search }
  const reading = readsFixes(parts)
  return {
    ...reading,
    ...writesFixes(parts, reading.get),
    search: (query, signal) => search.byMeaning(query, signal),
    searchWords: (query, signal) => search.byWords(query, signal),
    nearDuplicates: (fix, signal) => search.nearDuplicates(redactFix(completeFix(fix), redact), signal),
    async status(signal) {
      const collection = await api.collection(signal).catch(ignoreMissing)
      const fixes = collection ? await search.count(collection.id, signal) : 0
      return {
        kind: 'chroma',
        place: `${place.url}, collection '${place.collection}'`,
        fixes,
        embedder: collection && embedderOf(collection, embedder),
        reembedding: undefined,
        bytes: undefined,
      }
    },
    close: async () => {},
  }
}

function readsFixes({ api, names, search }: StoreParts): Pick<FixStore, 'get' | 'each' | 'list'> {
  return {
    async get(id, signal) {
      const collection = await api.collection(signal).catch(ignoreMissing)
      const [record] = collection ? await api.get(collection.id, { ids: [id] }, signal, 'text') : []
      return record && isWhole(record) ? fixOf(record, names) : undefined
    },
    async *each(filter, signal) {
      const collection = await api.collection(signal).catch(ignoreMissing)
      if (!collection) return
      const selection = await selectionOf(api, collection.id, filter, names, signal)
      for await (const record of recordsIn(api, collection.id, selection, signal, 'text')) yield fixOf(record, names)
    },
    async list({ filter, limit, skip = 0 }, signal) {
      const collection = await api.collection(signal).catch(ignoreMissing)
      if (!collection) return { fixes: [], total: 0 }
      // Chroma keeps no order but its own: the dates of all that pass are read, then the fixes of the page.
      const dates: Pick<Fix, 'id' | 'createdAt'>[] = []
      for await (const { id, createdAt } of passingFixes(api, collection.id, filter, names, signal))
        dates.push({ id, createdAt })
      const page = dates
        .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt) || one.id.localeCompare(other.id))
        .slice(skip, skip + limit)
        .map(({ id }) => id)
      return { fixes: await search.fixesOf(collection.id, page, signal), total: dates.length }
    },
  }
}

function writesFixes(
  { api, names, embedder, redact, search }: StoreParts,
  get: FixStore['get'],
): Pick<FixStore, 'add' | 'put' | 'change' | 'remove'> {
  /** Embeds before anything is written, so that a failure leaves nothing behind. */
  const write = async (verb: 'add' | 'upsert', fixes: readonly Fix[], signal: AbortSignal): Promise<void> => {
    ensureOwn(names)
    const records = await embeddedRecords(embedder, fixes, { isNew: verb === 'add' }, signal)
    const { id } = await ownCollection(api, embedder, signal)
    if (records.length > 0) await api.write(verb, id, records, signal)
    const stale = fixes.flatMap(staleIds)
    if (verb === 'upsert' && stale.length > 0) await api.remove(id, stale, signal)
  }
  const requireFix = async (id: string, signal: AbortSignal): Promise<Fix> => {
    const fix = await get(id, signal)
    if (!fix) throw unknownFix(id)
    return fix
  }
  /**
   * Stores a changed fix, unless another has changed it meanwhile. Chroma has no transactions: what another writes
   * between the last look and the write that follows at once is overwritten. A fix removed then stays removed, since
   * an update makes no record; only what was newly said about attempts is left, and no search returns that alone.
   */
  const replace = async (before: Fix, fix: Fix, signal: AbortSignal): Promise<boolean> => {
    const records = await embeddedRecords(embedder, [fix], { isNew: false }, signal)
    const { id } = ensureEmbedder(await api.collection(signal), embedder)
    const [currentRecord] = await api.get(id, { ids: [fix.id] }, signal, 'text')
    if (!currentRecord || JSON.stringify(fixOf(currentRecord, names)) !== JSON.stringify(before)) return false
    await api.write('update', id, records, signal)
    // A part that the fix had not before is no record yet.
    const newRecords = records.slice(embeddingTexts(before).length)
    if (newRecords.length > 0) await api.write('upsert', id, newRecords, signal)
    const stale = staleIds(fix)
    if (stale.length > 0) await api.remove(id, stale, signal)
    return true
  }
  return {
    async add(given, { evenIfSimilar = false }, signal) {
      ensureOwn(names)
      const fix = redactFix(completeFix(given), redact)
      if (await get(fix.id, signal)) throw takenId(fix.id)
      const duplicates = evenIfSimilar ? [] : await search.nearDuplicates(fix, signal)
      if (duplicates.length > 0) return { duplicates }
      await write('add', [fix], signal)
      return { stored: fix }
    },
    put: async (fixes, signal) =>
      write('upsert', [...new Map(fixes.map(fix => [fix.id, redactFix(checkFix(fix), redact)])).values()], signal),
    async change(id, change, signal) {
      ensureOwn(names)
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const before = await requireFix(id, signal)
        const fix = redactFix(changedFix(before, change), redact)
        if (await replace(before, fix, signal)) return fix
      }
      throw changedByOthers(id)
    },
    async remove(id, signal) {
      ensureOwn(names)
      const fix = await requireFix(id, signal)
      const { id: collection } = await api.collection(signal)
      await api.remove(collection, partIds(id), signal)
      return fix
    },
  }
}

/** Returns the collection of ours, made if it is missing; refuses one whose vectors another embedder made. */
async function ownCollection(api: ChromaApi, embedder: Embedder, signal: AbortSignal): Promise<Collection> {
  const existing = await api.collection(signal).catch(ignoreMissing)
  return ensureEmbedder(existing ?? (await api.made({ [EMBEDDER]: embedder.name }, signal)), embedder)
}

function embedderOf({ metadata, dimension }: Collection, { name: configured }: Embedder) {
  const name = metadata[EMBEDDER]
  return dimension === undefined ? undefined : { name: typeof name === 'string' ? name : configured, dimension }
}

/** A collection made elsewhere belongs to another program, which may not know our fields. */
function ensureOwn(names: FieldNames | undefined): void {
  if (!names) return
  throw new ToolError('denied', 'The configured collection was made by another program and is only searched', {
    hint: 'Leave out memory.chroma.fields and name a collection of your own to record fixes',
  })
}

function senderOf({ network, egress, token, requestMs }: ChromaStoreOptions): SendToChroma {
  if (network === 'none')
    throw memoryError(
      'store_unreachable',
      'The configured memory is on a server, and there is no network here',
      'Deterministic mode reaches no host; run the call without it',
    )
  const parts = { network: network === 'system' ? systemNetwork : network, egress }
  // Chroma takes a token in either header, as its server is configured.
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}`, 'x-chroma-token': token }
  return (request, signal) =>
    callServer({ ...request, headers, timeoutMs: requestMs, maxBytes: MOST_BYTES }, { ...parts, signal })
}
