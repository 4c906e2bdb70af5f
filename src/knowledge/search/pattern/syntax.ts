import type { CodePoints } from './code-points.ts'

/** A place between characters; `half` asks about one side only, `ascii` knows only ASCII words. */
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

/** A regular expression; groups have gone into the shape, and flags into the sets. */
export type Syntax =
  | { readonly kind: 'set'; readonly set: CodePoints }
  | { readonly kind: 'look'; readonly look: Look }
  | { readonly kind: 'concat'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'choice'; readonly parts: readonly Syntax[] }
  | {
      readonly kind: 'repeat'
      readonly part: Syntax
      readonly min: number
      /** Infinity where there is no bound. */
      readonly max: number
      readonly lazy: boolean
    }

/** Thrown while a pattern is read: it is wrong, or it may mean something else to ripgrep. */
export const UNSURE = new Error('Only ripgrep knows this pattern')

export function unsure(): never {
  throw UNSURE
}

export const concat = (parts: readonly Syntax[]): Syntax =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'concat', parts }

export const choice = (parts: readonly Syntax[]): Syntax =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts }
