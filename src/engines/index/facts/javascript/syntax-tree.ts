import type { ParserOptions } from 'oxc-parser'
import type { Program, Visitor } from './syntax.ts'

/** The tree of one file, read where the parser left it: held until it is let go. */
export interface SyntaxTree {
  readonly program: Program
  readonly hasErrors: boolean
  /** Where the parser gave up on all of it. */
  readonly gaveUpAt: number | undefined
  visit(visitor: Visitor): void
  letGo(): void
}

/** A way to get at the tree of a text. */
export type Transfer = (path: string, text: string, options: ParserOptions) => SyntaxTree
