import type { CodeParts } from './code-parts.ts'
import { restartedServers } from './servers/restarted-servers.ts'
import type { CodeEngine, CodeQuestion, AnswerBasis } from './types.ts'
import { SHOWN_AFTER_MS } from '../../kernel/loading.ts'
import type { Servers } from './servers/types.ts'
import { ToolError } from '../../kernel/error.ts'
import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import { show } from '../../machine/workspace/path.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { hiddenTest } from './servers/hidden-files.ts'
import { whileHidden } from './servers/while-hidden.ts'

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

/** Says what a caller waits for if its server is silent: one that starts reports no progress yet. */
const waitingProgress = (servers: Servers): Servers => ({
  ...servers,
  async ask(path, staged, deadline, work) {
    const { onProgress } = deadline
    if (!onProgress) return servers.ask(path, staged, deadline, work)
    const timer = setTimeout(() => onProgress(`Waiting for the language server of ${path}`), SHOWN_AFTER_MS)
    const pass = (text: string): void => {
      clearTimeout(timer)
      onProgress(text)
    }
    try {
      return await servers.ask(path, staged, { ...deadline, onProgress: pass }, work)
    } finally {
      clearTimeout(timer)
    }
  },
})

interface ReadingRules {
  readonly root: Root
  /** Paths that the caller may not read. Without it, every path may be read. */
  readonly unreadable?: HiddenPaths | undefined
}

/** Servers that see nothing that the caller may not read, neither on disk nor staged. */
function readableServers(servers: Servers, { root, unreadable }: ReadingRules): Servers {
  if (!unreadable) return servers
  return {
    ...servers,
    ask: (path, staged, deadline, work) =>
      whileHidden(root, unreadable, async hidden => {
        if (unreadable.matches(path) || hiddenTest(hidden)(path)) throw unseen(path)
        const texts = new Map([...staged.texts].filter(([file]) => !unreadable.matches(file)))
        return servers.ask(path, { ...staged, texts, hidden }, deadline, work)
      }),
  }
}

const unseen = (path: string): ToolError =>
  new ToolError('unavailable', `${show(path)} may not be read, so no language server sees it`)
