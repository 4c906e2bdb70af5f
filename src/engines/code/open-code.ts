import type { CodeParts } from './code-parts.ts'
import { readableServers } from './servers/readable-servers.ts'
import type { CodeEngine, CodeQuestion, Located } from './types.ts'

/** What of code understanding language servers, the index and the text itself answer. */
export type ServedCode = Omit<CodeEngine, 'graph' | 'effects'>

type Instead = (path: string, left: CodeQuestion) => Promise<Located>

/** Opens code understanding for one call: files that it may not read are left out, and staged changes are in. */
export function openCode(given: CodeParts): ServedCode {
  const parts = { ...given, servers: readableServers(given.servers, given) }
  const located = () => import('./callers/located.ts')
  const written = () => import('./syntactic/located.ts')
  const orSyntax = async () => (await import('./syntactic/or-syntax.ts')).orSyntax
  return {
    context: async (path, line, options) =>
      (await import('./context/code-context.ts')).codeContext(parts, path, line, options),
    async callers(question) {
      const ask = async () => (await import('./callers/callers.ts')).callers(parts, question)
      return (await orSyntax())(parts, question, ask, async (path, left) => {
        const { syntacticCallers } = await import('./syntactic/callers.ts')
        return syntacticCallers(parts, path, left)
      })
    },
    async references(question) {
      const ask = async () => (await located()).references(parts, question)
      const instead: Instead = async (path, left) => (await written()).syntacticReferences(parts, path, left)
      return (await orSyntax())(parts, question, ask, instead)
    },
    async definition(question) {
      const ask = async () => (await located()).definition(parts, question)
      const instead: Instead = async (path, left) => (await written()).syntacticDefinition(parts, path, left)
      return (await orSyntax())(parts, question, ask, instead)
    },
    async implementations(question) {
      const ask = async () => (await located()).implementations(parts, question)
      const instead: Instead = async (path, left) => (await written()).syntacticImplementations(parts, path, left)
      return (await orSyntax())(parts, question, ask, instead)
    },
    refactoring: async question => (await import('./refactor/refactoring.ts')).refactoring(parts, question),
    symbols: async (query, options) => (await import('./callers/symbols.ts')).symbols(parts, query, options),
  }
}
