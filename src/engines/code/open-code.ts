import type { CodeParts } from './code-parts.ts'
import type { CodeEngine } from './types.ts'

/** What of code understanding language servers, the index and the text itself answer. */
export type ServedCode = Omit<CodeEngine, 'graph' | 'effects'>

/** Opens code understanding for one call: files that it may not read are left out, and staged changes are in. */
export function openCode(parts: CodeParts): ServedCode {
  const located = () => import('./callers/located.ts')
  return {
    context: async (path, line, options) =>
      (await import('./context/code-context.ts')).codeContext(parts, path, line, options),
    async callers(question) {
      const [{ callers }, { callersOrSyntax }] = await Promise.all([
        import('./callers/callers.ts'),
        import('./syntactic/or-syntax.ts'),
      ])
      return callersOrSyntax(parts, question, () => callers(parts, question))
    },
    references: async question => (await located()).references(parts, question),
    definition: async question => (await located()).definition(parts, question),
    implementations: async question => (await located()).implementations(parts, question),
    refactoring: async question => (await import('./refactor/refactoring.ts')).refactoring(parts, question),
    symbols: async (query, options) => (await import('./callers/symbols.ts')).symbols(parts, query, options),
  }
}
