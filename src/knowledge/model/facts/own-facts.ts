import type { CodeSymbol } from '../code-symbol.ts'
import type { Outline } from '../file-model.ts'

/** What one file says of itself, before other files are asked what its `export *` stand for. */
export interface OwnFacts extends Pick<Outline, 'language' | 'defaultName' | 'stars' | 'tags'> {
  /** In the order of the source; `default` stands for a default export. */
  readonly exports: readonly string[]
  /** In the order of the source, outer before inner. */
  readonly symbols: readonly CodeSymbol[]
}
