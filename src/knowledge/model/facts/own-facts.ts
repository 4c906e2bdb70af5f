import type { CodeSymbol } from '../code-symbol.ts'

/** What one file says of itself, before other files are asked what its `export *` stand for. */
export interface OwnFacts {
  readonly language: string
  /** In the order of the source; `default` stands for a default export. */
  readonly exports: readonly string[]
  /** What the default export is called inside the file. */
  readonly defaultName?: string
  /** Specifiers whose exports are exported too, except `default`. */
  readonly stars: readonly string[]
  /** Sorted. */
  readonly tags: readonly string[]
  /** In the order of the source, outer before inner. */
  readonly symbols: readonly CodeSymbol[]
}
