import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'
import type { Outline } from '../../../languages/file-model/file-model.ts'

/** The facts of one file, before its `export *` are resolved. */
export interface OwnFacts extends Pick<Outline, 'language' | 'defaultName' | 'stars' | 'tags' | 'lost'> {
  /** In source order; `default` stands for a default export. */
  readonly exports: readonly string[]
  /** In source order, outer before inner. */
  readonly symbols: readonly CodeSymbol[]
}
