import { symbolAt, type Found } from './project.ts'

const CALLED = /^(function|method|class|interface|enum)$/

/** Whether a call with so many arguments can mean it; -1 where nobody knows how many. */
export function fits(at: Found, count: number): boolean {
  const symbol = symbolAt(at)
  if (!symbol?.arity || count < 0 || !CALLED.test(symbol.kind)) return true
  const [least, most] = symbol.arity
  return count >= least && (most === null || count <= most)
}
