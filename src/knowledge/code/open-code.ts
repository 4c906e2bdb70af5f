import type { CodeParts } from './code-parts.ts'
import { readableServers } from './servers/readable-servers.ts'
import { restartedServers } from './servers/restarted-servers.ts'
import type { CodeEngine, CodeQuestion, AnswerBasis } from './types.ts'

/** The part of code understanding that language servers, the index and the text answer. */
export type ServedCode = Omit<CodeEngine, 'graph' | 'effects'>

/** Opens code understanding for one call. Leaves out files that the call may not read, and includes staged changes. */
export function openCode(given: CodeParts): ServedCode {
  const parts = { ...given, servers: restartedServers(readableServers(given.servers, given)) }
  const located = () => import('./callers/server-locations.ts')
  const written = () => import('./syntactic/syntactic-locations.ts')
  return {
    context: async (path, line, options) =>
      (await import('./context/code-context.ts')).codeContext(parts, path, line, options),
    callers: question =>
      served(
        question,
        async () => {
          const { callers } = await import('./callers/server-callers.ts')
          const { withUnseenCallers } = await import('./syntactic/unseen-callers.ts')
          return async (all, left) => withUnseenCallers(all, await callers(all, left), left)
        },
        async () => (await import('./syntactic/syntactic-callers.ts')).syntacticCallers,
        true,
      ),
    references: question =>
      served(
        question,
        async () => (await located()).references,
        async () => (await written()).syntacticReferences,
      ),
    definition: question =>
      served(
        question,
        async () => (await located()).definition,
        async () => (await written()).syntacticDefinition,
      ),
    implementations: question =>
      served(
        question,
        async () => (await located()).implementations,
        async () => (await written()).syntacticImplementations,
      ),
    refactoring: async question => (await import('./refactor/refactoring.ts')).refactoring(parts, question),
    symbols: async (query, options) => (await import('./callers/symbols.ts')).symbols(parts, query, options),
  }

  /** Asks a language server, or else reads the text. Loading counts towards the question's time. */
  async function served<Q extends CodeQuestion, T extends AnswerBasis>(
    question: Q,
    ask: () => Promise<(parts: CodeParts, question: Q) => Promise<T>>,
    instead: () => Promise<(parts: CodeParts, path: string, question: Q) => Promise<T>>,
    readsScripts?: boolean,
  ): Promise<T> {
    const { serverOrText } = await import('./syntactic/server-or-text.ts')
    return serverOrText(
      parts,
      question,
      async left => (await ask())(parts, left),
      async (path, left) => (await instead())(parts, path, left),
      readsScripts,
    )
  }
}
