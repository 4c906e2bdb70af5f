import type { Fix } from '../fix.ts'
import { reduceTrace } from './reduce-trace.ts'

/**
 * Returns the texts of a fix that are embedded, each as a vector of its own: the error as it was seen, why it happened
 * and what helped, and what was tried in vain. In one vector they would blur each other. The first is always the error.
 */
export function embeddingTexts(
  fix: Pick<Fix, 'errorDescription' | 'rootCause' | 'solution' | 'attempts'>,
): readonly string[] {
  const { errorDescription, rootCause, solution, attempts = [] } = fix
  return [
    reduceTrace(errorDescription),
    reduceTrace(`${rootCause}\n${solution}`),
    ...(attempts.length > 0
      ? [reduceTrace(attempts.map(({ tried, failed }) => `${tried}\n${failed}`).join('\n'))]
      : []),
  ]
}

/** Returns the text of a fix that is searched by words. */
export const searchedText = ({ errorDescription, errorType, rootCause, solution, attempts = [] }: Fix): string =>
  [errorDescription, errorType, rootCause, solution, ...attempts.flatMap(({ tried, failed }) => [tried, failed])].join(
    '\n',
  )
