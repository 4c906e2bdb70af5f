import type { GrepOptions } from '../types.ts'

/** The search options that decide which lines are found. */
export type PatternOptions = Pick<GrepOptions, 'patterns' | 'regex' | 'ignoreCase' | 'word' | 'invert' | 'multiline'>

/**
 * What a text must hold to have a matching line: a query over trigrams, each the number `first << 16 | second << 8 |
 * third`. `anything` does not narrow; no text holds `nothing`.
 */
export type Needs =
  | 'anything'
  | 'nothing'
  | number
  | { readonly every: readonly Needs[] }
  | { readonly some: readonly Needs[] }

/**
 * Receives a line by its offsets in the text: from its first byte to the line feed that ends it, or the end of the
 * text. Returns true to stop.
 */
export type LineSink = (start: number, end: number) => boolean | void

/** Finds the lines that ripgrep finds. */
export interface CompiledPattern {
  readonly needs: Needs
  /**
   * Each line is decided independently, so that any run of whole lines can be searched. Otherwise only the whole file
   * can.
   */
  readonly byLine: boolean
  /** A match lies within this many bytes; Infinity if it may need the whole line. */
  readonly mostBytes: number
  /** The time is linear in the text, so that no thread that can be ended is needed. */
  readonly isSteady: boolean
  /** It matches wherever some bytes occur, regardless of the bytes around them. */
  readonly isPlain: boolean
  /** Passes each matching line to the sink, in order. The text comes from `searchableText`. */
  find(text: Buffer, sink: LineSink): void
  /** Formats a matching line for the answer: without its line end, and cut if it is long. */
  show(text: Buffer, start: number, end: number): string
}
