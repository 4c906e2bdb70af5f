import type { DocumentationSource } from '../../kernel/documentation-sources.ts'

/** One place that a source found. All its texts were written by others. */
export interface Found {
  readonly title: string
  readonly text: string
  readonly url?: string
  /** The source's own judgement of the place, 0 to 1. */
  readonly quality?: number
  /** An installed package or a DevDocs documentation, and its version. */
  readonly package?: string
  readonly version?: string
  /** Relative to the workspace. */
  readonly path?: string
  readonly line?: number
  /** The text is that of the file from this line on, line by line. */
  readonly isVerbatim?: boolean
  readonly heading?: string
  /** The whole text, where neither a path nor an address gives it. */
  readonly whole?: string
}

/** What one source answered, best first. */
export interface SourceAnswer {
  readonly found: readonly Found[]
  /** Age of a kept answer in seconds. */
  readonly ageSeconds?: number
  /** What is not yet searched. */
  readonly note?: string
}

export interface DocumentationHit extends Omit<Found, 'quality' | 'whole' | 'isVerbatim'> {
  readonly source: DocumentationSource
  /** 0 to 1. */
  readonly relevance: number
  readonly ageSeconds?: number
  /** `ref:ID` of the whole text. */
  readonly ref?: string
}

/** A source that gave nothing, and why. */
export interface FailedSource {
  readonly source: DocumentationSource
  readonly code: 'quota' | 'timeout' | 'io' | 'denied' | 'unavailable'
  readonly message: string
  readonly retryAt?: string
}

interface DocumentationAnswer {
  readonly hits: readonly DocumentationHit[]
  /** Places found in all sources, each counted once, before the limit. */
  readonly total: number
  readonly failed: readonly FailedSource[]
  /** What is not yet searched, such as packages that are being indexed. */
  readonly notes: readonly string[]
}

export interface DocumentationQuestion {
  readonly query: string
  /** `docs` is what is installed, and DevDocs if configured, which is also the default. */
  readonly sources?: readonly (DocumentationSource | 'docs')[] | undefined
  /** Only installed packages with this name. */
  readonly package?: string | undefined
  readonly limit: number
  /** Throws `no_match` instead of returning nothing. */
  readonly needsHit?: boolean | undefined
  /** How long each source of the network may take; default 1.2 s. */
  readonly sourceMs?: number | undefined
  /** How long to wait for indexing and downloads; both continue afterwards. */
  readonly patienceMs: number
  readonly onProgress?: ((note: string) => void) | undefined
}

export interface DocumentationEngine {
  /** Asks the sources side by side. Throws only if none answered: `quota`, `io` or another code of theirs. */
  search(question: DocumentationQuestion, signal: AbortSignal): Promise<DocumentationAnswer>
}
