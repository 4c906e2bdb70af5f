import type { AskOptions } from '../../kernel/ask-options.ts'
import type { EditQuestion, FoundEffects } from '../code/effects/types.ts'
import type { Graphs } from '../code/graph/open-graphs.ts'
import type { RepositoryIndex } from '../index/repository-index.ts'
import type { HoldEvent, HoldQuestion, PutQuestion, ServerOptions } from './held-server.ts'
import type {
  FilesAnswer,
  FilesQuestion,
  FindAnswer,
  FindQuestion,
  GrepAnswer,
  GrepQuestion,
} from './search-questions.ts'

/**
 * What is known of one workspace. A method takes a question and how long the caller waits, and gives one answer or a
 * stream of them. All of it is data, so that a method added here is answered in other processes as well.
 */
export interface Knowledge {
  readonly search: SearchKnowledge
  readonly index: RepositoryIndex
  readonly servers: ServerKnowledge
  readonly effects: EffectsKnowledge
  readonly graphs: Pick<Graphs, 'prepare' | 'ask'>
}

/** The prepared search. Undefined means that it cannot answer now, and the files must be scanned. */
export interface SearchKnowledge {
  files(question: FilesQuestion, options: AskOptions): Promise<FilesAnswer | undefined>
  grep(question: GrepQuestion, options: AskOptions): Promise<GrepAnswer | undefined>
  find(question: FindQuestion, options: AskOptions): Promise<FindAnswer | undefined>
}

/** Language servers, which callers use as if they ran in their own process. */
export interface ServerKnowledge {
  /** Holds a server for the caller until it ends the stream. Reports its progress, and the server once it is ready. */
  hold(question: HoldQuestion, options: AskOptions): AsyncIterable<HoldEvent>
  /** Puts one question to a held server. */
  put(question: PutQuestion, options: AskOptions): Promise<unknown>
}

export interface EffectsKnowledge {
  /** Returns undefined if no server judges the language of a changed file. */
  judge(question: JudgeQuestion, options: AskOptions): Promise<FoundEffects | undefined>
}

export interface JudgeQuestion {
  readonly question: EditQuestion
  readonly servers: ServerOptions
}
