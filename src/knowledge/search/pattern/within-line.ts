import { codePoints, onlyOf, subtract } from './code-points.ts'
import { unsure, type Syntax } from './syntax.ts'

const LINE_BREAKS = codePoints([
  [10, 10],
  [13, 13],
])
/** Number of ranges, with repetitions expanded, that is certainly below ripgrep's size limit. */
const LARGEST = 100_000

/**
 * Rewrites the expression so that it never matches a carriage return or line feed. Throws `UNSURE` if nothing is left.
 */
export function withinLine(syntax: Syntax): Syntax {
  return eachSet(syntax, set => {
    const only = onlyOf(set)
    if (only !== undefined && only !== 10 && only !== 13) return { kind: 'set', set }
    const rest = subtract(set, LINE_BREAKS)
    if (set.length > 0 && rest.length === 0) unsure()
    return { kind: 'set', set: rest }
  })
}

/** Returns the expression. Throws `UNSURE` if ripgrep would refuse it for its size or for a NUL. */
export function withinBounds(syntax: Syntax): Syntax {
  if (weight(syntax) > LARGEST) unsure()
  return eachSet(syntax, set => (onlyOf(set) === 0 ? unsure() : { kind: 'set', set }))
}

function eachSet(syntax: Syntax, change: (set: readonly number[]) => Syntax): Syntax {
  switch (syntax.kind) {
    case 'set':
      return change(syntax.set)
    case 'look':
      return syntax
    case 'repeat':
      return { ...syntax, part: eachSet(syntax.part, change) }
    default:
      return { ...syntax, parts: syntax.parts.map(part => eachSet(part, change)) }
  }
}

function weight(syntax: Syntax): number {
  switch (syntax.kind) {
    case 'set':
      return 1 + syntax.set.length / 2
    case 'look':
      return 1
    case 'repeat':
      return weight(syntax.part) * Math.max(1, syntax.max === Infinity ? syntax.min + 1 : syntax.max)
    default:
      return syntax.parts.reduce((sum, part) => sum + weight(part), 1)
  }
}
