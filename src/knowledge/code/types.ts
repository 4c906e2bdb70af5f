import type { EditEffects } from '../../kernel/edit-effects.ts'
import type { SymbolsOptions } from '../index/types.ts'
import type { CodeSymbol } from '../model/code-symbol.ts'
import type { Splice } from '../../machine/text/edit/splice-text.ts'

/** What an answer rests on: a language server that understood the code, or its text alone. */
export type Basis = { readonly by: 'server'; readonly server: string } | { readonly by: 'syntax' }

interface CodePlace {
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

export interface FoundSymbols {
  readonly symbols: readonly Declared[]
  /** Something may be missing: the index is not complete, or files could not be parsed. */
  readonly partial: boolean
  /** Files that could not be parsed and mention the name. */
  readonly unread: readonly string[]
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
  /** Why nothing but the lines is known, in words: the file could not be parsed. */
  readonly unparsed?: string
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

interface CallStep {
  /** `Class.method` where it is one, `<module>` for code outside of any function. */
  readonly name: string
  readonly path: string
  /** Of the call. */
  readonly line: number
}

/** A call site that may call the function; `why` says in words what speaks for it and what is not known. */
export interface PossibleCall extends CallStep {
  readonly why: string
}

/** What an answer rests on, and why not on a language server. */
export interface AnswerBasis {
  readonly basis: Basis
  /** Something may be missing. */
  readonly partial: boolean
  /** The server goes on with the question's work: asked again it may say more. */
  readonly provisional?: true
  /** Why a language server that there is did not answer, in words. */
  readonly why?: string
}

export interface Callers extends AnswerBasis {
  readonly target: Declared
  /** Certain: each of these call sites calls it. By path, line and chain; no caller twice. */
  readonly callers: readonly Caller[]
  /** By path and line: the same name on a receiver of unknown type, or the function handed on as a value. */
  readonly possible: readonly PossibleCall[]
  /** Why there may be more callers of this symbol, in words. */
  readonly unknown: readonly string[]
  /** `possible` or `unknown` is not empty. */
  readonly partial: boolean
  /** Files that have to do with it and do not parse: what is missing may be there. */
  readonly unread?: readonly string[]
}

export interface Locations extends AnswerBasis {
  readonly places: readonly (CodePlace & { readonly text: string })[]
  readonly unread?: readonly string[]
}

/** How long somebody waits for an answer, and how. */
interface Waiting {
  readonly deadlineMs: number
  readonly signal?: AbortSignal
  /** How whoever asks can give it more time. */
  readonly moreTime?: string
  /** Hears what a language server that is waited for is doing. */
  readonly onProgress?: (text: string) => void
}

export interface CodeQuestion extends Waiting {
  /** The name of a function, method or class; `Class.method` says which. */
  readonly name: string
  /** Where it is defined; looked for in the index unless given. */
  readonly path?: string
  /** Without an answer of the language server in this time the text is read, and the answer is provisional; never unless given. */
  readonly waitMs?: number
  /** Whoever asks has waited long enough for the text: what it says by now, and what it has not read, is the answer. */
  readonly isEnough?: () => boolean
}

export interface GraphAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** There were more than the limit. */
  readonly truncated: boolean
  /** Files that could not be parsed: nothing of them is in the graph. */
  readonly unread: readonly string[]
  /** The commit that was asked about; undefined for the workspace as it is. */
  readonly commit?: string
}

export interface RefactorQuestion extends Waiting {
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
  /** Undecided occurrences that are meant, by id or `file:PATH`: they are changed along. */
  readonly include?: readonly string[]
  /** Undecided occurrences that stay as they are. */
  readonly leave?: readonly string[]
  /** False leaves every undecided occurrence as it is; otherwise one that is named nowhere refuses the whole. */
  readonly strict?: boolean
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
  /** Where the old name, or the old path, is written; of a rename, a move and a delete. */
  readonly occurrences?: RefactoringOccurrences
}

/** How many places write the old name, and what is known of them. */
export interface RefactoringOccurrences {
  readonly changed: number
  readonly other: number
  /** Accepted as they are, though nobody knows whether they are meant. */
  readonly undecided: number
  /** In comments, documents and other texts. */
  readonly mentions: number
  /** Those that are not changed, the undecided ones first; of each verdict a bounded number. */
  readonly listed: readonly {
    readonly id: string
    readonly path: string
    readonly line: number
    readonly kind: string
    readonly verdict: 'changed' | 'other' | 'not decided'
    readonly text: string
    readonly why?: string
  }[]
}

export interface LaterOptions extends Pick<Waiting, 'deadlineMs' | 'signal'> {
  /** Of the change, as its answer gave it for undo. */
  readonly id?: string
}

export interface LaterEffects {
  /** The changed files that were judged. */
  readonly changed: readonly string[]
  readonly effects: EditEffects
}

/**
 * What the code means. A function that nobody knows is `no_match`, a language without anybody who could say is `unavailable`,
 * and a deadline that passed is `timeout`: an empty answer means that somebody looked.
 */
export interface CodeEngine {
  context(path: string, line: number, options: { readonly around: number }): Promise<CodeContext>
  callers(question: CodeQuestion & { readonly depth: number }): Promise<Callers>
  references(question: CodeQuestion): Promise<Locations>
  definition(question: CodeQuestion): Promise<Locations>
  implementations(question: CodeQuestion): Promise<Locations>
  /** Changes nothing itself: says what has to be changed. */
  refactoring(question: RefactorQuestion): Promise<Refactoring>
  symbols(query: string, options: SymbolsOptions & { readonly path?: string }): Promise<FoundSymbols>
  /** What everything that is staged breaks, or where nothing is the last change that landed; undefined if nobody judges it. */
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
