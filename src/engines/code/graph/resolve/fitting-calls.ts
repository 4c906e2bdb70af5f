import { symbolAt, type Found } from './project.ts'

/** Of several functions of one name those that take this many arguments; all where none or nobody knows. */
export function fittingCalls(found: readonly Found[], count: number): readonly Found[] {
  if (found.length < 2 || count < 0) return found
  const fitting = found.filter(at => {
    const arity = symbolAt(at)?.arity
    return !arity || (count >= arity[0] && (arity[1] === null || count <= arity[1]))
  })
  return fitting.length > 0 ? fitting : found
}
