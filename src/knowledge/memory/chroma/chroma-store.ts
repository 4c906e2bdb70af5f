import type { Egress } from '../../../kernel/egress.ts'
import { ToolError } from '../../../kernel/error.ts'
import { callServer } from '../../../machine/web/call-server.ts'
import { systemNetwork, type Network } from '../../../machine/web/network.ts'
import { memoryError, memoryFailure } from '../failure.ts'
import { changedFix, checkFix, completeFix, type Fix } from '../fix.ts'
import { redactFix } from '../redact-fix.ts'
import type { Embedder, FixStore } from '../types.ts'
import { chromaApi, type ChromaApi, type ChromaPlace, type Collection, type SendToChroma } from './chroma-api.ts'
import { chromaDoctor } from './chroma-doctor.ts'
import { allOf, chromaSearch, demandEmbedder, EMBEDDER, filterIn } from './chroma-search.ts'
import { fixOf, isWhole, partIds, recordsOf, staleIds, textsOf, type FieldNames } from './fix-records.ts'

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
  const api = chromaApi(place, senderOf(options))
  const search = chromaSearch({ api, names, embedder, redact })

  /** Embeds before anything is written, so that a failure leaves nothing behind. */
  const write = async (verb: 'add' | 'upsert', fixes: readonly Fix[], signal: AbortSignal): Promise<void> => {
    demandOwn(names)
    const texts = fixes.map(textsOf)
    const vectors = await embedder.embed(texts.flat(), signal)
    const { id } = await ownCollection(api, embedder, signal)
    let at = 0
    const records = fixes.flatMap((fix, which) => {
      const own = vectors.slice(at, (at += texts[which]?.length ?? 0))
      return recordsOf(fix, own, verb === 'add')
    })
    if (records.length > 0) await api.write(verb, id, records, signal)
    const stale = fixes.flatMap((fix, which) => staleIds(fix.id, texts[which]?.length ?? 0))
    if (verb === 'upsert' && stale.length > 0) await api.remove(id, stale, signal)
  }

  const get: FixStore['get'] = async (id, signal) => {
    const collection = await collectionOr(api, signal)
    const [record] = collection ? await api.get(collection.id, { ids: [id] }, signal) : []
    return record && isWhole(record) ? fixOf(record, names) : undefined
  }
  const demanded = async (id: string, signal: AbortSignal): Promise<Fix> => {
    const fix = await get(id, signal)
    if (fix) return fix
    throw new ToolError('not_found', `There is no fix '${id}'`, { hint: 'toolwright fixes list shows them' })
  }

  return {
    async add(given, { evenIfSimilar = false }, signal) {
      demandOwn(names)
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
      demandOwn(names)
      const known = await demanded(id, signal)
      const fix = redactFix(changedFix(known, change), redact)
      await write('upsert', [fix], signal)
      return fix
    },
    async remove(id, signal) {
      demandOwn(names)
      const fix = await demanded(id, signal)
      const { id: collection } = await api.collection(signal)
      await api.remove(collection, partIds(id), signal)
      return fix
    },
    get,
    async list({ filter, limit, skip = 0 }, signal) {
      const collection = await collectionOr(api, signal)
      if (!collection) return { fixes: [], total: 0 }
      const where = await filterIn(api, collection.id, filter, names, signal)
      // Chroma keeps no order but its own: all that pass are read, and the newest picked.
      const records = await allOf(api, collection.id, where, signal)
      const fixes = records.map(record => fixOf(record, names))
      const sorted = fixes.toSorted(
        (one, other) => other.createdAt.localeCompare(one.createdAt) || one.id.localeCompare(other.id),
      )
      return { fixes: sorted.slice(skip, skip + limit), total: sorted.length }
    },
    search: (query, signal) => search.byMeaning(query, signal),
    searchWords: (query, signal) => search.byWords(query, signal),
    nearDuplicates: (fix, signal) => search.nearDuplicates(redactFix(completeFix(fix), redact), signal),
    async status(signal) {
      const collection = await collectionOr(api, signal)
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
    close: async () => {},
  }
}

/** Returns the collection of ours, made if it is missing; refuses one whose vectors another embedder made. */
async function ownCollection(api: ChromaApi, embedder: Embedder, signal: AbortSignal): Promise<Collection> {
  return demandEmbedder(await api.made({ [EMBEDDER]: embedder.name }, signal), embedder)
}

function embedderOf({ metadata, dimension }: Collection, { name: configured }: Embedder) {
  const name = metadata[EMBEDDER]
  return dimension === undefined ? undefined : { name: typeof name === 'string' ? name : configured, dimension }
}

/** Reading finds nothing in a collection that the first fix will make. */
const collectionOr = (api: ChromaApi, signal: AbortSignal): Promise<Collection | undefined> =>
  api.collection(signal).catch((error: unknown) => {
    if (memoryFailure(error) === 'collection_missing') return undefined
    throw error
  })

/** A collection made elsewhere belongs to another program, which may not know our fields. */
function demandOwn(names: FieldNames | undefined): void {
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
