import * as z from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import type { ServerAnswer } from '../../../machine/web/call-server.ts'
import { ignoreMissing, memoryError } from '../failure.ts'

/** Where a collection is. */
export interface ChromaPlace {
  readonly url: string
  readonly collection: string
  readonly tenant?: string | undefined
  readonly database?: string | undefined
}

type ApiMethod = 'GET' | 'POST'

interface ChromaRequest {
  readonly method: ApiMethod
  readonly url: string
  readonly body?: unknown
}

/** Sends one request to the server. */
export type SendToChroma = (request: ChromaRequest, signal: AbortSignal) => Promise<ServerAnswer>

export type Metadata = Readonly<Record<string, string | number | boolean | null>>

/** A condition on metadata in Chroma's own form. */
export type Where = Readonly<Record<string, unknown>>

export interface ChromaRecord {
  readonly id: string
  readonly document: string
  readonly metadata: Metadata
  readonly embedding: readonly number[]
}

export interface Selection {
  readonly ids?: readonly string[] | undefined
  readonly where?: Where | undefined
  readonly where_document?: Where | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export interface Collection {
  readonly id: string
  /** Length of its vectors; undefined until the first record. */
  readonly dimension: number | undefined
  readonly metadata: Metadata
}

/** What of its records a request returns: all, all but the vectors, or ids and metadata. */
export type RecordParts = 'all' | 'text' | 'metadata'

/** The part of Chroma's HTTP interface (version 2) that a store of fixes uses. */
export interface ChromaApi {
  /** Throws `collection_missing`. */
  collection(signal: AbortSignal): Promise<Collection>
  /** Returns the collection, made with cosine and without an embedding function if it is missing. */
  made(metadata: Metadata, signal: AbortSignal): Promise<Collection>
  /** An update leaves out records that are not there. */
  write(
    verb: 'add' | 'upsert' | 'update',
    id: string,
    records: readonly ChromaRecord[],
    signal: AbortSignal,
  ): Promise<void>
  remove(id: string, ids: readonly string[], signal: AbortSignal): Promise<void>
  /** Returns records; `parts` is all unless given. */
  get(id: string, selection: Selection, signal: AbortSignal, parts?: RecordParts): Promise<readonly ChromaRecord[]>
  /** Returns the ids alone. */
  ids(id: string, selection: Selection, signal: AbortSignal): Promise<readonly string[]>
  /** Returns the records nearest to a vector, with their vectors. */
  nearest(
    id: string,
    query: Pick<Selection, 'ids' | 'where'> & { readonly vector: readonly number[]; readonly most: number },
    signal: AbortSignal,
  ): Promise<readonly ChromaRecord[]>
  count(id: string, signal: AbortSignal): Promise<number>
}

const metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]).catch(null)).nullish()
const createdCollection = z.object({ id: z.string(), dimension: z.number().nullish(), metadata })
const records = z.object({
  ids: z.array(z.string()),
  documents: z.array(z.string().nullable()).nullish(),
  metadatas: z.array(metadata).nullish(),
  embeddings: z.array(z.array(z.number()).nullable()).nullish(),
})
const queryResult = z.object({
  ids: z.array(z.array(z.string())),
  documents: z.array(z.array(z.string().nullable())),
  metadatas: z.array(z.array(metadata)),
  embeddings: z.array(z.array(z.array(z.number()).nullable())),
})

const INCLUDED: Readonly<Record<RecordParts, readonly string[]>> = {
  all: ['documents', 'metadatas', 'embeddings'],
  text: ['documents', 'metadatas'],
  metadata: ['metadatas'],
}

const DEFAULTS = { tenant: 'default_tenant', database: 'default_database' }

export function chromaApi(place: ChromaPlace, send: SendToChroma): ChromaApi {
  const { collection: name, tenant = DEFAULTS.tenant, database = DEFAULTS.database } = place
  const origin = new URL(place.url).origin
  const part = encodeURIComponent
  const collections = `${place.url.replace(/\/+$/, '')}/api/v2/tenants/${part(tenant)}/databases/${part(database)}/collections`
  const ask = async <T>(method: ApiMethod, path: string, body: unknown, form: z.ZodType<T>, signal: AbortSignal) => {
    const request = { method, url: `${collections}${path}`, ...(body !== undefined && { body }) }
    const answer = await send(request, signal).catch((cause: unknown) => {
      throw unreachable(origin, cause)
    })
    if (answer.status < 200 || answer.status > 299) throw refusal(answer, { origin, name, tenant, database })
    const parsedBody = form.safeParse(answer.body)
    if (!parsedBody.success) throw notChroma(origin)
    return parsedBody.data
  }
  const all = async (id: string, selection: Selection, include: readonly string[], signal: AbortSignal) =>
    ask('POST', `/${id}/get`, { ...selection, include }, records, signal)
  const collection = async (signal: AbortSignal): Promise<Collection> =>
    collectionOf(await ask('GET', `/${part(name)}`, undefined, createdCollection, signal))
  return {
    collection,
    async made(described, signal) {
      const configuration = { hnsw: { space: 'cosine' }, embedding_function: null }
      // With get_or_create the server would give a collection that another made meanwhile our metadata.
      const body = { name, get_or_create: false, configuration, metadata: described }
      try {
        return collectionOf(await ask('POST', '', body, createdCollection, signal))
      } catch (cause) {
        const other = await collection(signal).catch(ignoreMissing)
        if (other) return other
        throw cause
      }
    },
    async write(verb, id, given, signal) {
      const body = {
        ids: given.map(record => record.id),
        documents: given.map(record => record.document),
        metadatas: given.map(record => record.metadata),
        embeddings: given.map(record => record.embedding),
      }
      await ask('POST', `/${id}/${verb}`, body, z.unknown(), signal)
    },
    async remove(id, ids, signal) {
      await ask('POST', `/${id}/delete`, { ids }, z.unknown(), signal)
    },
    async get(id, selection, signal, parts = 'all') {
      const { ids, documents, metadatas, embeddings } = await all(id, selection, INCLUDED[parts], signal)
      return ids.map((each, at) => ({
        id: each,
        document: documents?.[at] ?? '',
        metadata: metadatas?.[at] ?? {},
        embedding: embeddings?.[at] ?? [],
      }))
    },
    async ids(id, selection, signal) {
      return (await all(id, selection, [], signal)).ids
    },
    async nearest(id, { vector, most, ...selection }, signal) {
      const body = { ...selection, query_embeddings: [vector], n_results: most, include: INCLUDED.all }
      const { ids, documents, metadatas, embeddings } = await ask('POST', `/${id}/query`, body, queryResult, signal)
      return (ids[0] ?? []).map((each, at) => ({
        id: each,
        document: documents[0]?.[at] ?? '',
        metadata: metadatas[0]?.[at] ?? {},
        embedding: embeddings[0]?.[at] ?? [],
      }))
    },
    count: (id, signal) => ask('GET', `/${id}/count`, undefined, z.number(), signal),
  }
}

interface Asked {
  readonly origin: string
  readonly name: string
  readonly tenant: string
  readonly database: string
}

/** Says why the server did not do what it was asked. */
function refusal({ status, body }: ServerAnswer, asked: Asked): ToolError {
  const { origin, name, tenant, database } = asked
  const reason = saidBy(body)
  if (status === 401 || status === 403)
    return memoryError(
      'store_unreachable',
      `ChromaDB at ${origin} refuses the request (status ${status})`,
      'Check memory.chroma.token, and what it may do on the server',
    )
  if (status === 404 && !isOwnNotFound(body)) return notChroma(origin)
  if (status === 404)
    return memoryError(
      'collection_missing',
      `ChromaDB at ${origin} has no collection '${name}' in database '${database}' of tenant '${tenant}'`,
      'Check memory.chroma in your configuration. Run toolwright fixes add to make the collection',
    )
  if (/dimension/i.test(reason))
    return memoryError(
      'embedding_failed',
      `The vectors of collection '${name}' have another length: ${reason}`,
      'Configure the embedder that made the collection, or import the fixes into a new collection',
    )
  return memoryError('store_unreachable', `ChromaDB at ${origin} failed with status ${status}: ${reason}`, TRY_AGAIN)
}

const notChroma = (origin: string): ToolError =>
  memoryError('store_unreachable', `${origin} does not answer like ChromaDB`, CHECK_URL)

const collectionOf = ({ id, dimension, metadata: described }: z.output<typeof createdCollection>): Collection => ({
  id,
  dimension: dimension ?? undefined,
  metadata: described ?? {},
})

const CHECK_URL = 'Check memory.chroma.url in your configuration'
const TRY_AGAIN = 'Try again; if it stays, look at the log of the server'

/** A cancelled call and a refusal by a rule stay what they are. */
function unreachable(origin: string, cause: unknown): unknown {
  if (!(cause instanceof ToolError) || cause.code === 'cancelled' || cause.code === 'denied') return cause
  if (cause.code === 'timeout')
    return memoryError('store_unreachable', `ChromaDB at ${origin} did not answer in time`, TRY_AGAIN, cause)
  const { reason } = cause.details ?? {}
  const why = typeof reason === 'string' ? reason : cause.message
  return memoryError(
    'store_unreachable',
    `ChromaDB at ${origin} cannot be reached: ${why}`,
    `Start the server, or correct memory.chroma.url in your configuration`,
    cause,
  )
}

/** Any HTTP server answers 404 at an address that it does not know; Chroma names the error too. */
const isOwnNotFound = (body: unknown): boolean => {
  const { error, message } = Object(body)
  return typeof message === 'string' && typeof error === 'string' && /^\w+(?:Error|Exception)$/.test(error)
}

const saidBy = (body: unknown): string => {
  const { message, error } = Object(body)
  const reason = [message, error].find(text => typeof text === 'string')
  return typeof reason === 'string' ? reason.slice(0, 300) : 'no reason given'
}
