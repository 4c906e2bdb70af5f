import type { GrepOptions } from '../types.ts'

/** What of a search says which lines are found. */
export type PatternOptions = Pick<GrepOptions, 'patterns' | 'regex' | 'ignoreCase' | 'word' | 'invert' | 'multiline'>

/**
 * What a text must hold for there to be a line at all: a query over sequences of three bytes, each the number
 * `first << 16 | second << 8 | third`. `anything` is no help; `nothing` is held by no text.
 */
export type Needs =
  | 'anything'
  | 'nothing'
  | number
  | { readonly every: readonly Needs[] }
  | { readonly some: readonly Needs[] }

/**
 * Takes a line by its place in the text: from its first byte to the line feed that ends it, or the end of the text.
 * Once it answers true no further line is wanted.
 */
export type LineSink = (start: number, end: number) => boolean | void

/** Finds the lines that ripgrep finds. */
export interface CompiledPattern {
  readonly needs: Needs
  /** A line is found by itself, so that any run of whole lines of a file can be searched; else only the whole file. */
  readonly byLine: boolean
  /** What makes a line found lies within so many bytes of it; Infinity where the whole line may be needed. */
  readonly mostBytes: number
  /** The time that it takes grows with the text and no faster, so that it needs no thread that can be ended. */
  readonly isSteady: boolean
  /** It is found wherever some bytes stand, whatever stands around them. */
  readonly isPlain: boolean
  /** Hands each line that is found to the sink, in order; the text is one that `searchableText` gave. */
  find(text: Buffer, sink: LineSink): void
  /** A line that was found as the answer shows it: without its end, and cut where it is long. */
  show(text: Buffer, start: number, end: number): string
}
