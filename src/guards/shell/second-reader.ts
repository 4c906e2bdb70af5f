import { differenceOf, type Outline } from './outline.ts'
import { outlineOfTree, type SyntaxNode } from './tree-outline.ts'

/** Parses a text with another grammar of bash and shows the tree for as long as `show` runs; throws where it cannot. */
export type ShowSyntax = <T>(text: string, show: (root: SyntaxNode) => T) => T

let showSyntax: ShowSyntax | undefined

/** Guards load nothing themselves: who has the other parser hands it in. */
export function useSecondReader(show: ShowSyntax | undefined): void {
  showSyntax = show
}

/** Words, and quotes around them, of characters that mean nothing to a shell, nor once the quotes are gone. */
const PLAIN = /^(?:[\w ./:=@%+,-]|"[\w ./:=@%+,'-]*"|'[\w ./:=@%+,"-]*')*$/

/** Reports whether a line is more than plain words, so that two readers could see it differently. */
const needsSecondReader = (line: string): boolean => !PLAIN.test(line)

/** Reports whether a line can be judged only once the second reader is there. */
export const lacksSecondReader = (line: string): boolean => showSyntax === undefined && needsSecondReader(line)

/** Why the second reader does not confirm what the first has seen; undefined if it does, or where it is not there. */
export function objectionTo(line: string, seen: Outline): string | undefined {
  if (!showSyntax || !needsSecondReader(line)) return undefined
  try {
    const other = showSyntax(line, outlineOfTree)
    if (!other) return 'a second reader cannot read it'
    const difference = differenceOf(seen, other)
    return difference === undefined ? undefined : `a second reader sees it differently: ${difference.slice(0, 200)}`
  } catch {
    // It ran out of time or stack, or failed.
    return 'a second reader failed at it'
  }
}
