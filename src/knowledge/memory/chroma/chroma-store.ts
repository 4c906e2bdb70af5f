import type { Egress } from '../../../kernel/egress.ts'
import { ToolError } from '../../../kernel/error.ts'
import { callServer } from '../../../machine/web/call-server.ts'
import { systemNetwork, type Network } from '../../../machine/web/network.ts'
import { ignoreMissing, memoryError, unknownFix } from '../failure.ts'
import { changedFix, checkFix, completeFix, type Fix } from '../fix.ts'
import { redactFix } from '../redact-fix.ts'
import type { Embedder, FixStore } from '../types.ts'
import { chromaApi, type ChromaApi, type ChromaPlace, type Collection, type SendToChroma } from './chroma-api.ts'
import { configuredCollection, reembedCollection, type ApiOf } from './chroma-reembed.ts'
import { chromaDoctor } from './chroma-doctor.ts'
import { chromaSearch, EMBEDDER, ensureEmbedder, recordsIn, selectionOf } from './chroma-search.ts'
import { embeddedRecords, fixOf, isWhole, partIds, staleIds, type FieldNames } from './fix-records.ts'

export interface ChromaStoreOptions {
  readonly place: ChromaPlace & { readonly fields?: FieldNames | undefined }
  readonly token?: string | undefined
  readonly network: Network | 'system' | 'none'
  readonly egress: Egress
  readonly embedder: Embedder
  /** Replaces secrets in a text. */
  readonly redact: (text: string) => string
  /** Longest wait for one answer. */
  readonly requestMs: number
}

const MOST_BYTES = 256 * 1024 * 1024

/** Past fixes in a collection of a ChromaDB server. One that another program made is only searched. */
export function openChromaStore(options: ChromaStoreOptions): FixStore {
  const { place, embedder, redact } = options
  const { fields: names } = place
  const send = senderOf(options)
  const apiOf: ApiOf = collection => chromaApi({ ...place, collection }, send)
  const api: ChromaApi = {
    ...apiOf(place.collection),
    collection: signal => configuredCollection(apiOf, place.collection, signal),
  }
  const search = chromaSearch({ api, names, embedder, redact })

  /** Embeds before anything is written, so that a failure leaves nothing behind. */
  const write = async (verb: 'add' | 'upsert', fixes: readonly Fix[], signal: AbortSignal): Promise<void> => {
    ensureOwn(names)
    const records = await embeddedRecords(embedder, fixes, { isNew: verb === 'add' }, signal)
    const { id } = await ownCollection(api, embedder, signal)
    if (records.length > 0) await api.write(verb, id, records, signal)
    const stale = fixes.flatMap(staleIds)
    if (verb === 'upsert' && stale.length > 0) await api.remove(id, stale, signal)
  }

  const get: FixStore['get'] = async (id, signal) => {
    const collection = await api.collection(signal).catch(ignoreMissing)
    const [record] = collection ? await api.get(collection.id, { ids: [id] }, signal) : []
    return record && isWhole(record) ? fixOf(record, names) : undefined
  }
  const known = async (id: string, signal: AbortSignal): Promise<Fix> => {
    const fix = await get(id, signal)
    if (!fix) throw unknownFix(id)
    return fix
  }
  const each: FixStore['each'] = async function* (filter, signal) {
    const collection = await api.collection(signal).catch(ignoreMissing)
    if (!collection) return
    const selection = await selectionOf(api, collection.id, filter, names, signal)
    for await (const record of recordsIn(api, collection.id, selection, signal, { isBare: true }))
      yield fixOf(record, names)
  }

  return {
    async add(given, { evenIfSimilar = false }, signal) {
      ensureOwn(names)
      const fix = redactFix(completeFix(given), redact)
      if (await get(fix.id, signal))
        throw new ToolError('exists', `There is already a fix '${fix.id}'`, { hint: 'Give another id, or none' })
      const duplicates = evenIfSimilar ? [] : await search.nearDuplicates(fix, signal)
      if (duplicates.length > 0) return { duplicates }
      await write('add', [fix], signal)
      return { stored: fix }
    },
    put: async (fixes, signal) =>
      write('upsert', [...new Map(fixes.map(fix => [fix.id, redactFix(checkFix(fix), redact)])).values()], signal),
    async change(id, change, signal) {
      ensureOwn(names)
      const fix = redactFix(changedFix(await known(id, signal), change), redact)
      await write('upsert', [fix], signal)
      return fix
    },
    async remove(id, signal) {
      ensureOwn(names)
      const fix = await known(id, signal)
      const { id: collection } = await api.collection(signal)
      await api.remove(collection, partIds(id), signal)
      return fix
    },
    get,
    each,
    async list({ filter, limit, skip = 0 }, signal) {
      // Chroma keeps no order but its own: all that pass are read, and the newest picked.
      const fixes: Fix[] = []
      for await (const fix of each(filter, signal)) fixes.push(fix)
      const sorted = fixes.toSorted(
        (one, other) => other.createdAt.localeCompare(one.createdAt) || one.id.localeCompare(other.id),
      )
      return { fixes: sorted.slice(skip, skip + limit), total: sorted.length }
    },
    search: (query, signal) => search.byMeaning(query, signal),
    searchWords: (query, signal) => search.byWords(query, signal),
    nearDuplicates: (fix, signal) => search.nearDuplicates(redactFix(completeFix(fix), redact), signal),
    async status(signal) {
      const collection = await api.collection(signal).catch(ignoreMissing)
      const fixes = collection ? await search.count(collection.id, undefined, signal) : 0
      return {
        kind: 'chroma',
        place: `${place.url}, collection '${place.collection}'`,
        fixes,
        embedder: collection && embedderOf(collection, embedder),
        reembedding: undefined,
        bytes: undefined,
      }
    },
    doctor: signal => chromaDoctor({ api, place, embedder, count: search.count }, signal),
    ...(!names && {
      reembedded: (signal: AbortSignal) => reembedCollection({ apiOf, name: place.collection, embedder }, signal),
    }),
    close: async () => {},
  }
}

/** Returns the collection of ours, made if it is missing; refuses one whose vectors another embedder made. */
async function ownCollection(api: ChromaApi, embedder: Embedder, signal: AbortSignal): Promise<Collection> {
  const found = await api.collection(signal).catch(ignoreMissing)
  return ensureEmbedder(found ?? (await api.made({ [EMBEDDER]: embedder.name }, signal)), embedder)
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
