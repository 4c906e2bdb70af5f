import type { CodeParts } from '../code-parts.ts'
import type { Refactoring, RefactorQuestion } from '../types.ts'
import { refactorParts } from './refactor-parts.ts'

/** The changes of a refactoring of the workspace as staged. */
export async function refactoring(codeParts: CodeParts, question: RefactorQuestion): Promise<Refactoring> {
  const parts = refactorParts(codeParts, question)
  switch (question.kind) {
    case 'rename':
      return (await import('./rename/rename.ts')).rename(parts, question)
    case 'move':
      return question.symbol === undefined
        ? (await import('./move/move-file.ts')).moveFile(parts, question)
        : (await import('./move/move-symbol.ts')).moveSymbol(parts, question)
    case 'replace-body':
      return (await import('./code/replace-body.ts')).replaceBody(parts, question)
    case 'insert-before':
    case 'insert-after':
      return (await import('./code/insert.ts')).insert(parts, question)
    case 'delete':
      return (await import('./remove/remove.ts')).remove(parts, question)
  }
}
