import { differenceOf, type Outline } from './outline.ts'
import { outlineOfTree, type SyntaxNode } from './tree-outline.ts'

/** Parses a text with another grammar of bash and passes the tree to `show`; throws if it cannot. */
export type ShowSyntax = <T>(text: string, show: (root: SyntaxNode) => T) => T

let showSyntax: ShowSyntax | undefined

/** Sets the other parser, which its owner passes in, because guards load nothing themselves. */
export function useSecondParser(show: ShowSyntax | undefined): void {
  showSyntax = show
}

/** Words and quoted words of characters that mean nothing to a shell, even without the quotes. */
const PLAIN = /^(?:[\w ./:=@%+,-]|"[\w ./:=@%+,'-]*"|'[\w ./:=@%+,"-]*')*$/

/** Reports whether a line is more than plain words, so that two parsers could read it differently. */
const needsSecondParser = (line: string): boolean => !PLAIN.test(line)

/** Reports whether a line can be judged only once the second parser is loaded. */
export const lacksSecondParser = (line: string): boolean => showSyntax === undefined && needsSecondParser(line)

/** Returns why the second parser disagrees with the first; undefined if it agrees or is not loaded. */
export function objectionTo(line: string, ownOutline: Outline): string | undefined {
  if (!showSyntax || !needsSecondParser(line)) return undefined
  try {
    const other = showSyntax(line, outlineOfTree)
    if (!other) return 'a second parser cannot read it'
    const difference = differenceOf(ownOutline, other)
    return difference === undefined ? undefined : `a second parser reads it differently: ${difference.slice(0, 200)}`
  } catch {
    // It ran out of time or stack, or failed.
    return 'a second parser failed'
  }
}
