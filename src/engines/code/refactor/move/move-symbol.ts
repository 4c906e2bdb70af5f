import { ToolError } from '../../../../kernel/error.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
export const moveSymbol = (_parts: CodeParts, _question: RefactorQuestion): Promise<Refactoring> => {
  throw new ToolError('unavailable', 'A symbol cannot be moved')
}
