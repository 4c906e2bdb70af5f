import type { CodeParts } from './code-parts.ts'
import { readableServers } from './servers/readable-servers.ts'
import { restartedServers } from './servers/restarted-servers.ts'
import { waitingProgress } from './servers/waiting-progress.ts'
import type { CodeEngine, CodeQuestion, AnswerBasis } from './types.ts'

/** The part of code understanding that language servers, the index and the text answer. */
export type ServedCode = Omit<CodeEngine, 'graph' | 'effects'>

/** Opens code understanding for one call. Leaves out files that the call may not read, and includes staged changes. */
export function openCode(given: CodeParts): ServedCode {
  const parts = { ...given, servers: waitingProgress(restartedServers(readableServers(given.servers, given))) }
  const located = () => import('./callers/server-locations.ts')
  const serverOrText = () => import('./syntactic/server-or-text.ts')
  const served = () => Promise.all([import('./callers/server-callers.ts'), import('./syntactic/unseen-callers.ts')])
  const unserved = () => import('./syntactic/syntactic-callers.ts')
  const written = () => import('./syntactic/syntactic-locations.ts')
  return {
    context: async (path, line, options) =>
      (await import('./context/code-context.ts')).codeContext(parts, path, line, options),
    async awaitServer(path, wait) {
      const { awaitServer } = await import('./callers/await-server.ts')
      // The code of the question is loaded beside the server.
      const code = (await parts.servers.serves(path)) ? served() : unserved()
      await Promise.all([awaitServer(parts, path, wait), serverOrText(), code])
    },
    callers: question =>
      asked(
        question,
        async () => {
          const [{ callers }, { withUnseenCallers }] = await served()
          return async (all, left) => withUnseenCallers(all, await callers(all, left), left)
        },
        async () => (await unserved()).syntacticCallers,
        true,
      ),
    references: question =>
      asked(
        question,
        async () => (await located()).references,
        async () => (await written()).syntacticReferences,
      ),
    definition: question =>
      asked(
        question,
        async () => (await located()).definition,
        async () => (await written()).syntacticDefinition,
      ),
    implementations: question =>
      asked(
        question,
        async () => (await located()).implementations,
        async () => (await written()).syntacticImplementations,
      ),
    refactoring: async question => (await import('./refactor/refactoring.ts')).refactoring(parts, question),
    symbols: async (query, options) => (await import('./callers/symbols.ts')).symbols(parts, query, options),
  }

  /** Asks a language server, or else reads the text. Loading counts towards the question's time. */
  async function asked<Q extends CodeQuestion, T extends AnswerBasis>(
    question: Q,
    ask: () => Promise<(parts: CodeParts, question: Q) => Promise<T>>,
    instead: () => Promise<(parts: CodeParts, path: string, question: Q) => Promise<T>>,
    readsScripts?: boolean,
  ): Promise<T> {
    return (await serverOrText()).serverOrText(
      parts,
      question,
      async left => (await ask())(parts, left),
      async (path, left) => (await instead())(parts, path, left),
      readsScripts,
    )
  }
}
