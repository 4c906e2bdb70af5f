import type { EditEffects } from '../../kernel/edit-effects.ts'
import type { Loading } from '../../kernel/loading.ts'
import type { SymbolsOptions } from '../index/types.ts'
import type { CodeSymbol } from '../../languages/file-model/code-symbol.ts'
import type { Splice } from '../../machine/text/edit/splice-text.ts'

/** The source of a result: a language server that understood the code, or the text alone. */
export type Basis = { readonly by: 'server'; readonly server: string } | { readonly by: 'syntax' }

interface CodePlace {
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 units. */
  readonly column: number
}

/** A symbol and its signature: its head on one line, without its body. */
export interface Declared extends CodeSymbol {
  readonly path: string
  readonly signature: string
}

export interface Import {
  readonly module: string
  /** The imported names; `*` for all. */
  readonly names: readonly string[]
  readonly line: number
}

export interface FoundSymbols {
  readonly symbols: readonly Declared[]
  /** The result may be incomplete: the index is not finished, or files could not be parsed. */
  readonly partial: boolean
  /** Unparsable files that mention the name. */
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
  /** Imports whose names the shown code uses. */
  readonly imports: readonly Import[]
  /** Why only the lines are known: the file could not be parsed. */
  readonly unparsed?: string
}

/** A caller, at the line of the call. */
export interface Caller extends CallStep {
  /** The names from this caller to the function in question. */
  readonly chain: readonly string[]
  /** The number of calls in the chain; 1 for a direct caller. */
  readonly depth: number
  /** The same with positions: this caller first, the direct caller last. */
  readonly steps: readonly CallStep[]
  /** No longer chain within the requested depth goes through this caller. */
  readonly outermost: boolean
}

interface CallStep {
  /** `Class.method` for a method, `<module>` for code outside of any function. */
  readonly name: string
  readonly path: string
  /** Line of the call. */
  readonly line: number
}

/** A call site that may call the function. `why` gives the evidence and the unknown. */
export interface PossibleCall extends CallStep {
  readonly why: string
}

/** The source of a result, and why it is not a language server. */
export interface AnswerBasis {
  readonly basis: Basis
  /** The result may be incomplete. */
  readonly partial: boolean
  /** The server is still working on the question: asking again may return more. */
  readonly provisional?: true
  /** Why an existing language server did not answer. */
  readonly why?: string
}

export interface Callers extends AnswerBasis {
  readonly target: Declared
  /** Certain callers: each of these call sites calls the function. By path, line and chain, without duplicates. */
  readonly callers: readonly Caller[]
  /** The same name on a receiver of unknown type, or the function passed as a value. Sorted by path and line. */
  readonly possible: readonly PossibleCall[]
  /** Why this symbol may have more callers. */
  readonly unknown: readonly string[]
  /** `possible` or `unknown` is not empty. */
  readonly partial: boolean
  /** Related files that do not parse: missing results may be there. */
  readonly unread?: readonly string[]
}

export interface Locations extends AnswerBasis {
  readonly places: readonly (CodePlace & { readonly text: string })[]
  readonly unread?: readonly string[]
}

/** How long to wait for an answer, and how. */
interface Waiting {
  readonly deadlineMs: number
  readonly signal?: AbortSignal
  /** How the caller can allow more time. */
  readonly moreTime?: string
  /** Receives the progress of a language server that the question waits for. */
  readonly onProgress?: (text: string) => void
}

/** How long to wait for a server that loads, outside the time of the call. */
export interface ServerWait extends Pick<Waiting, 'signal' | 'onProgress'> {
  readonly loading: Loading
}

export interface CodeQuestion extends Waiting {
  /** The name of a function, method or class; `Class.method` for a member. */
  readonly name: string
  /** The defining file. Without it, the index is searched. */
  readonly path?: string
  /**
   * If the language server has not answered in this time, the text is read and the result is provisional. Default:
   * never.
   */
  readonly waitMs?: number
  /** Ends reading the text early: the result is what is known by then, and lists what was not read. */
  readonly isEnough?: () => boolean
}

export interface GraphAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** The limit cut off further rows. */
  readonly truncated: boolean
  /** Files that could not be parsed: the graph lacks them. */
  readonly unread: readonly string[]
  /** The commit in question; undefined for the current workspace. */
  readonly commit?: string
}

export interface RefactorQuestion extends Waiting {
  readonly kind: 'rename' | 'move' | 'replace-body' | 'insert-before' | 'insert-after' | 'delete'
  /** A name, `Class.method` for a member. A move without a symbol moves the whole file. */
  readonly symbol?: string
  readonly path?: string
  /** A line of the symbol, if several have its name. */
  readonly line?: number
  /** The new name, or the file to move to. */
  readonly to?: string
  /** The new code. */
  readonly text?: string
  /** Undecided occurrences to change as well, by id or `file:PATH`. */
  readonly include?: readonly string[]
  /** Undecided occurrences to leave unchanged. */
  readonly leave?: readonly string[]
  /**
   * False leaves every undecided occurrence unchanged. Otherwise an occurrence that neither list names refuses the
   * refactoring.
   */
  readonly strict?: boolean
}

/** A change to one file of the workspace as staged. */
export type FileEdit =
  | { readonly kind: 'change'; readonly path: string; readonly splices: readonly Splice[] }
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }

/** The changes, file by file, in this order: all of them or none. */
export interface Refactoring {
  readonly target: { readonly name: string; readonly path: string; readonly line: number }
  readonly edits: readonly FileEdit[]
  readonly basis: Basis
  /** Hints for review: parts that could not be done exactly. */
  readonly warnings: readonly string[]
  /** Occurrences of the old name or path; for a rename, a move and a delete. */
  readonly occurrences?: RefactoringOccurrences
}

/** How many places contain the old name, by verdict. */
export interface RefactoringOccurrences {
  readonly changed: number
  readonly other: number
  /** Accepted unchanged, though it is unknown whether they refer to the symbol. */
  readonly undecided: number
  /** In comments, documents and other texts. */
  readonly mentions: number
  /** The unchanged ones, undecided first; a bounded number per verdict. */
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
  /** The id of the change that the result returned for undo, or its transaction. */
  readonly id?: string
}

export interface LaterEffects {
  /** The judged files among the changed ones. */
  readonly changed: readonly string[]
  /** Undefined if nothing can be judged; `note` says why. */
  readonly effects?: EditEffects
  /** What was judged, if that is not the change alone. */
  readonly note?: string
}

/**
 * The meaning of code. Throws `no_match` for an unknown function, `unavailable` for a language that nothing here
 * understands, `timeout` after the deadline: an empty result means that the search was made.
 */
export interface CodeEngine {
  context(path: string, line: number, options: { readonly around: number }): Promise<CodeContext>
  /**
   * Waits until the server of a file is ready, if it has one: until it has answered a question about a meaning and
   * indexes nothing. Throws `unavailable` if it loads for too long; any other failure the question itself meets.
   */
  awaitServer(path: string, wait: ServerWait): Promise<void>
  callers(question: CodeQuestion & { readonly depth: number }): Promise<Callers>
  references(question: CodeQuestion): Promise<Locations>
  definition(question: CodeQuestion): Promise<Locations>
  implementations(question: CodeQuestion): Promise<Locations>
  /** Returns the changes to make, and makes none. */
  refactoring(question: RefactorQuestion): Promise<Refactoring>
  symbols(query: string, options: SymbolsOptions & { readonly path?: string }): Promise<FoundSymbols>
  /**
   * Errors that all staged changes cause; if nothing is staged, those of the last change that landed.
   */
  effects(options: LaterOptions): Promise<LaterEffects>
  /** Runs Cypher on the code graph of the workspace with its staged changes, or of a commit. */
  graph(
    query: string,
    options: {
      readonly params?: Readonly<Record<string, unknown>>
      readonly commit?: string
      readonly maxRows: number
      readonly timeoutMs: number
      /** How long the caller waits, if less: the graph is built on for the next question. */
      readonly waitMs?: number
      readonly signal?: AbortSignal
    },
  ): Promise<GraphAnswer>
}
