import type { CodeParts } from './code-parts.ts'
import { readableServers } from './servers/readable-servers.ts'
import { restartedServers } from './servers/restarted-servers.ts'
import { waitingProgress } from './servers/waiting-progress.ts'
import type { CodeEngine, CodeQuestion, AnswerBasis } from './types.ts'

/** The part of code understanding that language servers, the index and the text answer. */
export type ServedCode = Omit<CodeEngine, 'graph' | 'effects'>

/** Opens code understanding for one call. Leaves out files that the call may not read, and includes staged changes. */
export function openCode(codeParts: CodeParts): ServedCode {
  const parts = {
    ...codeParts,
    servers: waitingProgress(restartedServers(readableServers(codeParts.servers, codeParts))),
  }
  const loadServerLocations = () => import('./callers/server-locations.ts')
  const loadServerOrText = () => import('./syntactic/server-or-text.ts')
  const loadServerCallers = () =>
    Promise.all([import('./callers/server-callers.ts'), import('./syntactic/unseen-callers.ts')])
  const loadSyntacticCallers = () => import('./syntactic/syntactic-callers.ts')
  const loadSyntacticLocations = () => import('./syntactic/syntactic-locations.ts')
  return {
    context: async (path, line, options) =>
      (await import('./context/code-context.ts')).codeContext(parts, path, line, options),
    async awaitServer(path, wait) {
      const { awaitServer } = await import('./callers/await-server.ts')
      // The code of the question is loaded beside the server.
      const code = (await parts.servers.serves(path)) ? loadServerCallers() : loadSyntacticCallers()
      await Promise.all([awaitServer(parts, path, wait), loadServerOrText(), code])
    },
    callers: question =>
      askServerOrText(
        question,
        async () => {
          const [{ callers }, { withUnseenCallers }] = await loadServerCallers()
          return async (all, left) => withUnseenCallers(all, await callers(all, left), left)
        },
        async () => (await loadSyntacticCallers()).syntacticCallers,
        true,
      ),
    references: question =>
      askServerOrText(
        question,
        async () => (await loadServerLocations()).references,
        async () => (await loadSyntacticLocations()).syntacticReferences,
      ),
    definition: question =>
      askServerOrText(
        question,
        async () => (await loadServerLocations()).definition,
        async () => (await loadSyntacticLocations()).syntacticDefinition,
      ),
    implementations: question =>
      askServerOrText(
        question,
        async () => (await loadServerLocations()).implementations,
        async () => (await loadSyntacticLocations()).syntacticImplementations,
      ),
    refactoring: async question => (await import('./refactor/refactoring.ts')).refactoring(parts, question),
    symbols: async (query, options) => (await import('./callers/symbols.ts')).symbols(parts, query, options),
  }

  /** Asks a language server, or else reads the text. Loading counts towards the question's time. */
  async function askServerOrText<Q extends CodeQuestion, T extends AnswerBasis>(
    question: Q,
    ask: () => Promise<(parts: CodeParts, question: Q) => Promise<T>>,
    instead: () => Promise<(parts: CodeParts, path: string, question: Q) => Promise<T>>,
    readsScripts?: boolean,
  ): Promise<T> {
    return (await loadServerOrText()).serverOrText(
      parts,
      question,
      async left => (await ask())(parts, left),
      async (path, left) => (await instead())(parts, path, left),
      readsScripts,
    )
  }
}
