import type { Loading } from '../../kernel/loading.ts'
import type { ChangeOf, Fix, NewFix } from './fix.ts'

/** Turns texts into vectors of length 1. */
export interface Embedder {
  /** Model and source, stored with the vectors: `all-MiniLM-L6-v2-int8`, `ollama:nomic-embed-text`. */
  readonly name: string
  /** Length of its vectors; undefined until an embedder elsewhere has answered once. */
  readonly dimension: number | undefined
  /** Directory of its model on this machine, which answers for its vectors after another embedder is configured. */
  readonly directory?: string
  /** Where it sends texts, for the claims of a call; undefined if they stay on this machine. */
  readonly origin?: string
  /**
   * Returns one vector for each text, in order. Throws `embedding_failed`. Work in the background waits for all other
   * and does not keep the process alive.
   */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
    options?: { readonly isBackground?: boolean },
  ): Promise<readonly Float32Array[]>
  /** Settles when its model can embed; missing if it is a service elsewhere. Throws `embedding_failed`. */
  load?(signal: AbortSignal): Promise<void>
  /** Stops its thread, if any. A later call starts it again. */
  close(): Promise<void>
}

/** Applied before ranking. */
export interface FixFilter {
  /** Compared regardless of case. */
  readonly language?: string | undefined
  /** Compared regardless of case. */
  readonly errorType?: string | undefined
  /** On the stored confidence, never on the similarity. */
  readonly minConfidence?: number | undefined
  readonly userValidated?: boolean | undefined
}

/** How a call waits for a model that loads, outside its own time. */
export interface ModelWait extends Loading {
  /** Says what the call is doing. */
  readonly tell?: ((text: string) => void) | undefined
}

export interface FixQuery {
  /** An error message, a stack trace or a description in other words. */
  readonly text: string
  readonly filter?: FixFilter | undefined
  readonly limit: number
  /** Longest wait for the query's vector; default 1700. */
  readonly embedWithinMs?: number | undefined
  /** Lets the model load before that time begins. */
  readonly loading?: ModelWait | undefined
  /**
   * Time by `performance.now()` when nobody waits for the answer any more. A store on this machine blocks its thread, so
   * it looks at the clock by itself and throws `timeout`; what it has loaded serves the next search.
   */
  readonly dueAt?: number | undefined
}

/** A fix found by meaning. */
export interface FoundFix {
  readonly fix: Fix
  /** The plain cosine of the query's vector and the fix's vector. */
  readonly similarity: number
  /** What the order follows: cosine, shared words, and an identical error code or exception class. */
  readonly score: number
  /** The query names the same error code or exception class. */
  readonly sameError: boolean
}

/** A fix found by words alone: there is no similarity to report. */
export type FixByWords = Omit<FoundFix, 'similarity'>

export interface Found<One> {
  /** Best first, at most `limit`; never empty: nothing found is `no_results`. */
  readonly results: readonly One[]
  /** How many fixes pass the filter; for words alone, how many of them share a word with the query. */
  readonly totalFound: number
}

interface ListedFixes {
  /** Newest first. */
  readonly fixes: readonly Fix[]
  /** How many pass the filter. */
  readonly total: number
}

/** A new fix was stored, or some stored ones say the same: then nothing was stored. */
export type Added =
  | { readonly stored: Fix }
  /** The most similar first. */
  | { readonly duplicates: readonly FoundFix[] }

interface StoreStatus {
  readonly kind: 'embedded' | 'chroma'
  /** The file, or the address and collection. */
  readonly place: string
  readonly fixes: number
  /** The embedder whose vectors answer now; undefined for an empty store. */
  readonly embedder: { readonly name: string; readonly dimension: number } | undefined
  /** The fixes that the configured embedder has embedded, while it replaces another. */
  readonly reembedding: { readonly name: string; readonly done: number; readonly total: number } | undefined
  readonly bytes: number | undefined
}

/** One check of `doctor`. */
export interface StoreCheck {
  readonly name: string
  readonly ok: boolean
  readonly message: string
  /** What to do if it is not ok. */
  readonly hint?: string
}

/** Told after each step how many fixes of all are embedded. */
type OnProgress = (done: number, total: number) => void

/**
 * The past fixes of a team. Secrets are redacted before anything is stored or embedded. A failure is a ToolError that
 * `memoryFailure` tells apart.
 */
export interface FixStore {
  /** Stores a fix. Stores nothing if a near duplicate exists, unless `evenIfSimilar`. Throws `exists` for a taken id. */
  add(fix: NewFix, options: { readonly evenIfSimilar?: boolean }, signal: AbortSignal): Promise<Added>
  /** Stores complete fixes, all or none. Replaces those of the same id. For import. */
  put(fixes: readonly Fix[], signal: AbortSignal): Promise<void>
  /** Throws `not_found` for an unknown id. */
  change(id: string, change: ChangeOf, signal: AbortSignal): Promise<Fix>
  /** Returns the removed fix. Throws `not_found` for an unknown id. */
  remove(id: string, signal: AbortSignal): Promise<Fix>
  get(id: string, signal: AbortSignal): Promise<Fix | undefined>
  list(
    options: { readonly filter?: FixFilter | undefined; readonly limit: number; readonly skip?: number | undefined },
    signal: AbortSignal,
  ): Promise<ListedFixes>
  /** Yields every fix that passes, in no order; what others store or remove meanwhile may be missing. */
  each(filter: FixFilter | undefined, signal: AbortSignal): AsyncIterable<Fix>
  /** Searches by meaning and name. Throws `embedding_failed` if the query has no vector in time. */
  search(query: FixQuery, signal: AbortSignal): Promise<Found<FoundFix>>
  /** Searches by words alone; needs no embedder. */
  searchWords(query: FixQuery, signal: AbortSignal): Promise<Found<FixByWords>>
  /** Returns stored fixes that say the same as this one, the most similar first. */
  nearDuplicates(fix: NewFix, signal: AbortSignal): Promise<readonly FoundFix[]>
  status(signal: AbortSignal): Promise<StoreStatus>
  /** Missing for a server, which its own tools check. */
  doctor?(signal: AbortSignal): Promise<readonly StoreCheck[]>
  /** Settles when every fix has vectors of the configured embedder; missing for a server. */
  reembedded?(signal: AbortSignal, onProgress?: OnProgress): Promise<void>
  close(): Promise<void>
}
