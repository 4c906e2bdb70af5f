import type { LaterEffects, LaterOptions } from './effects/call-effects.ts'
import type { CodeSymbol } from '../index/types.ts'
import type { Splice } from '../text/edit/splice-text.ts'

/** What an answer rests on: a language server that understood the code, or its text alone. */
export type Basis = { readonly by: 'server'; readonly server: string } | { readonly by: 'syntax' }

export interface CodePlace {
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 units. */
  readonly column: number
}

/** A symbol with how it is written; `signature` is its head on one line, without its body. */
export interface Declared extends CodeSymbol {
  readonly path: string
  readonly signature: string
}

export interface Import {
  readonly module: string
  /** The names that it brings, `*` for everything. */
  readonly names: readonly string[]
  readonly line: number
}

/** The code around one line. */
export interface CodeContext {
  readonly path: string
  readonly line: number
  readonly before: string
  readonly text: string
  readonly after: string
  readonly enclosing?: Declared
  /** Those whose names the shown code uses. */
  readonly imports: readonly Import[]
}

/** Somebody who calls, at the line of the call. */
export interface Caller extends CallStep {
  /** The names from this caller to the function that was asked about. */
  readonly chain: readonly string[]
  /** How many calls that are; 1 for who calls it directly. */
  readonly depth: number
  /** The same with places, this caller first and the one that calls the function directly last. */
  readonly steps: readonly CallStep[]
  /** No longer chain goes through this one within the depth that was asked for. */
  readonly outermost: boolean
}

export interface CallStep {
  /** `Class.method` where it is one, `<module>` for code outside of any function. */
  readonly name: string
  readonly path: string
  /** Of the call. */
  readonly line: number
}

export interface Callers {
  readonly target: Declared
  /** By path, line and chain; no caller twice. */
  readonly callers: readonly Caller[]
  readonly basis: Basis
  /** Something may be missing: the time was over, or nobody can say what is meant somewhere. */
  readonly partial: boolean
  /** Files that have to do with it and do not parse: what is missing may be there. */
  readonly unread?: readonly string[]
}

export interface Located {
  readonly places: readonly (CodePlace & { readonly text: string })[]
  readonly basis: Basis
  readonly partial: boolean
  readonly unread?: readonly string[]
}

export interface CodeQuestion {
  /** The name of a function, method or class; `Class.method` says which. */
  readonly name: string
  /** Where it is defined; looked for in the index unless given. */
  readonly path?: string
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

export interface GraphAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** There were more than the limit. */
  readonly truncated: boolean
  /** The commit that was asked about; undefined for the workspace as it is. */
  readonly commit?: string
}

export interface RefactorQuestion {
  readonly kind: 'rename' | 'move' | 'replace-body' | 'insert-before' | 'insert-after' | 'delete'
  /** A name, `Class.method` where it is in one; a move without one is a move of the whole file. */
  readonly symbol?: string
  readonly path?: string
  /** A line of the symbol, where several have its name. */
  readonly line?: number
  /** The new name, or the file to move to. */
  readonly to?: string
  /** The new code. */
  readonly text?: string
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

/** A change to one file, made for the workspace as staged. */
export type FileEdit =
  | { readonly kind: 'change'; readonly path: string; readonly splices: readonly Splice[] }
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }

/** What has to be changed, file by file, in this order; all of it or nothing. */
export interface Refactoring {
  readonly target: { readonly name: string; readonly path: string; readonly line: number }
  readonly edits: readonly FileEdit[]
  readonly basis: Basis
  /** What a person should look at, because nobody could do it exactly. */
  readonly warnings: readonly string[]
}

/**
 * What the code means. A function that nobody knows is `no_match`, a language without anybody who could say is `unavailable`,
 * and a deadline that passed is `timeout`: an empty answer means that somebody looked.
 */
export interface CodeEngine {
  context(path: string, line: number, options: { readonly around: number }): Promise<CodeContext>
  callers(question: CodeQuestion & { readonly depth: number }): Promise<Callers>
  references(question: CodeQuestion): Promise<Located>
  definition(question: CodeQuestion): Promise<Located>
  implementations(question: CodeQuestion): Promise<Located>
  /** Changes nothing itself: says what has to be changed. */
  refactoring(question: RefactorQuestion): Promise<Refactoring>
  symbols(query: string, options: { readonly limit: number; readonly path?: string }): Promise<readonly Declared[]>
  /** What everything that is staged breaks, or where nothing is the last change that landed; undefined where nobody judges it. */
  effects(options: LaterOptions): Promise<LaterEffects | undefined>
  /** Cypher over the code graph of the workspace, staged changes included, or of a commit. */
  graph(
    query: string,
    options: {
      readonly params?: Readonly<Record<string, unknown>>
      readonly commit?: string
      readonly maxRows: number
      readonly timeoutMs: number
      readonly signal?: AbortSignal
    },
  ): Promise<GraphAnswer>
}
