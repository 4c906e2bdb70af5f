import { union } from './code-points.ts'
import { choice, concat, type Syntax } from './syntax.ts'

/**
 * Returns a shorter expression that matches in the same lines; the extent of a match is lost. Removes first what makes
 * JavaScript's engine backtrack: nested repetitions and those at the edges.
 */
export function simplify(syntax: Syntax): Syntax {
  return trimEdge(trimEdge(mergeParts(syntax), 'first'), 'last')
}

function mergeParts(syntax: Syntax): Syntax {
  switch (syntax.kind) {
    case 'set':
    case 'look':
      return syntax
    case 'concat':
      return concat(syntax.parts.map(mergeParts).flatMap(part => (part.kind === 'concat' ? part.parts : [part])))
    case 'choice': {
      const parts = syntax.parts.map(mergeParts).flatMap(part => (part.kind === 'choice' ? part.parts : [part]))
      const sets = parts.flatMap(part => (part.kind === 'set' ? [part.set] : []))
      const others = parts.filter(part => part.kind !== 'set')
      return choice(sets.length > 1 ? [{ kind: 'set', set: union(...sets) }, ...others] : parts)
    }
    case 'repeat': {
      const part = mergeParts(syntax.part)
      const isNested = part.kind === 'repeat' && part.min <= 1 && syntax.min <= 1 && syntax.max === Infinity
      return isNested ? { ...part, min: Math.min(part.min, syntax.min), max: Infinity } : { ...syntax, part }
    }
  }
}

/** At an edge, the fewest repetitions match the same lines as more. */
function trimEdge(syntax: Syntax, edge: 'first' | 'last'): Syntax {
  if (syntax.kind === 'choice') return choice(syntax.parts.map(part => trimEdge(part, edge)))
  if (syntax.kind === 'concat') {
    const { parts } = syntax
    const at = edge === 'first' ? 0 : parts.length - 1
    const part = parts[at]
    if (part === undefined) return syntax
    const rest = edge === 'first' ? parts.slice(1) : parts.slice(0, -1)
    const short = trimEdge(part, edge)
    if (short.kind === 'concat' && short.parts.length === 0) return trimEdge(concat(rest), edge)
    return concat(edge === 'first' ? [short, ...rest] : [...rest, short])
  }
  if (syntax.kind !== 'repeat') return syntax
  if (syntax.min === 0) return concat([])
  return syntax.part.kind === 'set' ? { ...syntax, max: syntax.min } : syntax
}
