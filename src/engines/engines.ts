import type { Loading } from '../kernel/loading.ts'
import { toolFactory, type DefineTool } from '../kernel/tool.ts'
import type { CodeEngine } from '../knowledge/code/types.ts'
import type { DocumentationEngine } from '../knowledge/documentation/types.ts'
import type { IndexEngine } from '../knowledge/index/types.ts'
import type { DeskEngine } from '../machine/desk/types.ts'
import type { Added, FixByWords, FixQuery, Found, FoundFix } from '../knowledge/memory/types.ts'
import type { Fix, NewFix } from '../knowledge/memory/fix.ts'
import type { RepositoryEngine } from '../knowledge/github/types.ts'
import type { LastCommand } from '../machine/journal/last-command.ts'
import type { ProcessEngine } from '../machine/process/types.ts'
import type { PageRange, PdfPages } from '../knowledge/parser/pdf-pages.ts'
import type { ListedTree, TreeOptions } from '../knowledge/search/list-tree.ts'
import type { SearchEngine } from '../knowledge/search/types.ts'
import type { PatchedFile, PatchOptions } from '../machine/text/patch/patch.ts'
import type { ReadOptions, TextRead } from '../machine/text/read-text.ts'
import type { Edit, ReplaceOptions, Replaced } from '../machine/text/edit/replace-text.ts'
import type { Splice } from '../machine/text/edit/splice-text.ts'
import type { WriteOptions, Written } from '../machine/text/write-text.ts'
import type { WebEngine } from '../machine/web/types.ts'
import type { StageEngine } from '../machine/workspace/stage.ts'
import type { Entry } from '../machine/workspace/workspace.ts'

/** Everything a tool may use, already narrowed to what its call was granted. */
export interface Engines {
  readonly text: TextEngine
  readonly files: FileEngine
  readonly search: SearchEngine
  readonly index: IndexEngine
  readonly code: CodeEngine
  readonly web: WebEngine
  readonly repository: RepositoryEngine
  readonly documentation: DocumentationEngine
  readonly fixes: FixEngine
  readonly desk: DeskEngine
  readonly process: ProcessEngine
  readonly journal: JournalEngine
  readonly stage: StageEngine
}

interface JournalEngine {
  /** Returns the newest command of this session; undefined if there is none. */
  lastCommand(): Promise<LastCommand | undefined>
}

/** The memory of past fixes for one call. */
export interface FixEngine {
  get(id: string, time: FixTime): Promise<Fix>
  /** Searches by meaning and name. Fails if the query has no vector in time. */
  search(query: FixQuery, time: FixTime): Promise<Found<FoundFix>>
  /** The same, or by words alone if the query has no vector in time; then `byWords` says why. */
  find(query: FixQuery, time: FixTime): Promise<FoundSomehow>
  /** Stores a fix, or returns stored ones that say the same. `into` merges it into one of them. */
  remember(fix: NewFix, how: RememberOptions, time: FixTime): Promise<Added>
}

export interface FixTime {
  readonly signal: AbortSignal
  /** When the answer is due. */
  readonly withinMs: number
  /** Lets the model load before that time begins. */
  readonly loading?: Loading | undefined
  /** Says what the call is doing. */
  readonly tell?: ((text: string) => void) | undefined
}

export interface RememberOptions {
  readonly evenIfSimilar?: boolean | undefined
  readonly into?: string | undefined
}

interface FoundSomehow extends Found<FixByWords & Partial<Pick<FoundFix, 'similarity'>>> {
  readonly byWords?: string
}

export interface TextEngine {
  /** Reads a file; `path` may be `ref:ID`. */
  read(path: string, options?: ReadOptions): TextRead
  /** The same, cached until something in the repository changes. */
  readOnce(path: string, options?: ReadOptions): Promise<TextRead & { readonly cached: boolean }>
  /** Returns the text of PDF pages, as many as an answer can hold. */
  pdfPages(path: string, range: PageRange): Promise<PdfPages>
  write(path: string, content: string, options?: WriteOptions): Written
  replace(path: string, edits: readonly Edit[], options: ReplaceOptions): Replaced
  /** Replaces exact ranges that the caller has seen; `conflict` if their content differs. */
  splice(path: string, splices: readonly Splice[]): { path: string; bytes: number; hash: string }
  /** Returns the diff of what was changed, or with `check` would be. */
  patch(diff: string, options: PatchOptions): { applied: boolean; files: readonly PatchedFile[]; diff: string }
}

/** An entry of a directory; a link also says what it leads to, if that is in the workspace and may be listed. */
export interface ListedEntry extends Entry {
  readonly target?: Entry['type']
}

export interface FileEngine {
  move(from: string, to: string): { from: string; to: string }
  remove(path: string): { path: string }
  /** Lists a directory in the order of names; `named` is a glob that names must match. */
  list(path: string, options?: { readonly named?: string }): readonly ListedEntry[]
  /** Lists a directory and its subdirectories, without ignored files. */
  tree(path: string, options: TreeOptions): ListedTree | Promise<ListedTree>
  /** Returns the directories that it created, parents first; empty if all existed. */
  makeDirectory(path: string): readonly string[]
  /** Stages the inverse of one commit, the newest unless an id is given. */
  undo(id?: string): { undone: string; paths: string[] }
}

/**
 * Defines a tool: its name, its schemas, what each call claims, and what it does with the engines that the claims open.
 */
export const defineTool: DefineTool<Engines> = toolFactory()
