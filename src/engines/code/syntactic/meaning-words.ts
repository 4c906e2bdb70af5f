import { symbolAt, type Found, type ProjectFile } from '../graph/resolve/project.ts'
import type { OwnSymbol, Value } from '../symbols/file-code.ts'

/** Where a value is written: the file, and the symbol that it stands in. */
export interface Where {
  readonly file: ProjectFile
  readonly by: number
}

/** What a value turns out to be. */
export type Meaning =
  | { readonly kind: 'symbol'; readonly at: Found }
  | { readonly kind: 'instance'; readonly at: Found }
  /** Something of a library: `name` is its type's where that is written. */
  | { readonly kind: 'foreign'; readonly name: string; readonly args: readonly Value[]; readonly where: Where }
  | { readonly kind: 'package'; readonly name: string }

export const TYPE = /^(class|interface|enum|type)$/
const CALLED = /^(function|method|class|interface|enum)$/

export const foreign = (name: string, where: Where, args: readonly Value[] = []): Meaning => ({
  kind: 'foreign',
  name,
  args,
  where,
})

export const asMeanings = (found: readonly Found[]): readonly Meaning[] => found.map(at => ({ kind: 'symbol', at }))

export const isType = (at: Found): boolean => TYPE.test(symbolAt(at)?.kind ?? '')

/** Callable or readable without a receiver. */
export const isPlain = (at: Found): boolean => symbolAt(at)?.receiver === undefined

export const isSame = (one: Found, other: Found): boolean => one.file === other.file && one.number === other.number

/** Whether a call with so many arguments can mean it. */
export function fits(at: Found, count: number): boolean {
  const symbol: OwnSymbol | undefined = symbolAt(at)
  if (!symbol || count < 0 || !CALLED.test(symbol.kind) || !symbol.arity) return true
  const [least, most] = symbol.arity
  return count >= least && (most === null || count <= most)
}
