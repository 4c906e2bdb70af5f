import { toolFactory, type DefineTool } from '../kernel/tool.ts'
import type { CodeEngine } from '../knowledge/code/types.ts'
import type { IndexEngine } from '../knowledge/index/types.ts'
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
import type { StageEngine } from '../machine/workspace/stage.ts'
import type { Entry } from '../machine/workspace/workspace.ts'
import type { RegisteredEngines } from './registry.ts'

/** Everything a tool may use, already narrowed to what its call was granted. */
export interface Engines extends RegisteredEngines {
  readonly text: TextEngine
  readonly files: FileEngine
  readonly search: SearchEngine
  readonly index: IndexEngine
  readonly code: CodeEngine
  readonly process: ProcessEngine
  readonly journal: JournalEngine
  readonly stage: StageEngine
}

interface JournalEngine {
  /** Returns the newest command of this session; undefined if there is none. */
  lastCommand(): Promise<LastCommand | undefined>
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
