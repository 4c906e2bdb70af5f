import type { Loading } from '../kernel/loading.ts'
import type { Fix, NewFix } from '../knowledge/memory/fix.ts'
import type { Added, FixByWords, FixQuery, Found, FoundFix } from '../knowledge/memory/types.ts'

/** The memory of past fixes for one call. */
export interface FixEngine {
  get(id: string, time: FixTime): Promise<Fix>
  /** Searches by meaning and name. Fails if the query has no vector in time. */
  search(query: FixQuery, time: FixTime): Promise<Found<FoundFix>>
  /** The same, or by words alone if the query has no vector in time; then `byWords` says why. */
  find(query: FixQuery, time: FixTime): Promise<FoundSomehow>
  /** Stores a fix, or returns stored ones that say the same. `into` merges it into one of them. */
  remember(fix: NewFix, how: RememberOptions, time: FixTime): Promise<Added>
}

export interface FixTime {
  readonly signal: AbortSignal
  /** When the answer is due. */
  readonly withinMs: number
  /** Lets the model load before that time begins. */
  readonly loading?: Loading | undefined
  /** Says what the call is doing. */
  readonly tell?: ((text: string) => void) | undefined
}

export interface RememberOptions {
  readonly evenIfSimilar?: boolean | undefined
  readonly into?: string | undefined
}

interface FoundSomehow extends Found<FixByWords & Partial<Pick<FoundFix, 'similarity'>>> {
  readonly byWords?: string
}
