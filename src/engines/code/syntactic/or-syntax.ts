import { ToolError } from '../../../kernel/error.ts'
import { languageOf } from '../../index/facts/languages.ts'
import { definingFile } from '../callers/defining-file.ts'
import { fileAt } from '../callers/put-question.ts'
import type { CodeParts } from '../code-parts.ts'
import { loadSyntax } from '../symbols/grammar/load-syntax.ts'
import type { CodeQuestion } from '../types.ts'

/** Asks the server, and where none answers for the language what the text itself says. */
export async function orSyntax<T>(
  parts: CodeParts,
  { name, path: given }: CodeQuestion,
  ask: () => Promise<T>,
  instead: (path: string) => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'unavailable') throw error
    const path = given === undefined ? await definingFile(parts.index, name) : fileAt(parts, given)
    const language = languageOf(path)
    if (language === undefined || !(await loadSyntax(language))) throw error
    return instead(path)
  }
}
