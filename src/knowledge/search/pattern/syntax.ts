import type { CodePoints } from './code-points.ts'

/** An assertion between characters; `half` checks one side only, `ascii` knows only ASCII words. */
export type Look =
  | 'line-start'
  | 'line-end'
  | 'word'
  | 'not-word'
  | 'word-start'
  | 'word-end'
  | 'word-start-half'
  | 'word-end-half'
  | 'ascii-word'
  | 'ascii-word-start'
  | 'ascii-word-end'

/** A regular expression. Groups became its structure, and flags its sets. */
export type Syntax =
  | { readonly kind: 'set'; readonly set: CodePoints }
  | { readonly kind: 'look'; readonly look: Look }
  | { readonly kind: 'concat'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'choice'; readonly parts: readonly Syntax[] }
  | {
      readonly kind: 'repeat'
      readonly part: Syntax
      readonly min: number
      /** Infinity if unbounded. */
      readonly max: number
      readonly lazy: boolean
    }

/** Thrown while parsing: the pattern is invalid, or ripgrep may read it differently. */
export const UNSURE = new Error('Only ripgrep knows this pattern')

export function unsure(): never {
  throw UNSURE
}

export const concat = (parts: readonly Syntax[]): Syntax =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'concat', parts }

export const choice = (parts: readonly Syntax[]): Syntax =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts }
