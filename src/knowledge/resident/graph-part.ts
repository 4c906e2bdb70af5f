import { ToolError } from '../../kernel/error.ts'
import type { Question as GraphQuestion } from '../code/graph/database/ask-database.ts'
import type { GraphRows, Tree } from '../code/graph/host/messages.ts'
import type { Graphs, Which } from '../code/graph/open-graphs.ts'
import type { Question, ResidentPart } from './part.ts'

/** A tree in a message: contents that are neither on disk nor in git are in base64. */
export interface SentTree extends Omit<Tree, 'files'> {
  readonly files: readonly { readonly path: string; readonly blob?: string; readonly content?: string }[]
}

export interface PrepareQuestion {
  readonly tree: SentTree
  readonly timeoutMs: number
}

export interface AskQuestion {
  readonly which: Which
  readonly question: GraphQuestion
  readonly timeoutMs: number
}

/** Rows, or the database's own error message; null if the graph is missing. */
export type AskAnswer = { readonly rows: GraphRows } | { readonly failure: string } | null

/** A caller that ran out of time asks again within this time, and finds the graph further on. */
const LINGER_MS = 60_000

/** Code graphs as a part of the process. The caller sends the files that it may read, and so decides on the content. */
export function graphPart(graphs: Graphs, { lingerMs = LINGER_MS } = {}): ResidentPart {
  let lingering: NodeJS.Timeout | undefined
  return {
    // A graph that no one waits for is not built to its end.
    clients(count) {
      clearTimeout(lingering)
      if (count === 0) lingering = setTimeout(() => void graphs.close(), lingerMs).unref()
    },
    answers: {
      'graph.prepare'({ params, signal }: Question) {
        const { tree, timeoutMs }: PrepareQuestion = Object(params)
        return graphs.prepare(treeOf(tree), { timeoutMs, signal })
      },
      async 'graph.ask'({ params, signal }: Question): Promise<AskAnswer> {
        const { which, question, timeoutMs }: AskQuestion = Object(params)
        try {
          const rows = await graphs.ask(which, question, { timeoutMs, signal })
          return rows ? { rows } : null
        } catch (error) {
          if (error instanceof ToolError || !(error instanceof Error)) throw error
          return { failure: error.message }
        }
      },
    },
    processes: async () => graphs.running(),
    close() {
      clearTimeout(lingering)
      return graphs.close()
    },
  }
}

const treeOf = ({ files, ...tree }: SentTree): Tree => ({
  ...tree,
  files: files.map(({ content, ...file }) =>
    content === undefined ? file : { ...file, bytes: Buffer.from(content, 'base64') },
  ),
})
