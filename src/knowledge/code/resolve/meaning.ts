import type { Value } from '../../model/file-model.ts'
import { familyOf } from './family.ts'
import { symbolAt, type Found, type ProjectFile } from './project.ts'

/** Where a value is written: the file, the symbol that it stands in, and with how many arguments it is called. */
export interface Where {
  readonly file: ProjectFile
  readonly by: number
  readonly count?: number
  /** What type parameters stand for. */
  readonly bindings?: Bindings | undefined
}

/** What the type parameters of a symbol stand for in one place: as its type arguments say there. */
export interface Bindings {
  readonly at: Found
  readonly args: readonly (Value | null)[]
  /** Where the arguments are written. */
  readonly where: Where
  /** Those of what it is a member of. */
  readonly outer: Bindings | undefined
  readonly depth: number
}

/** What a value turns out to be, all files considered. */
export type Meaning =
  | { readonly kind: 'symbol'; readonly at: Found; readonly bindings?: Bindings | undefined }
  | { readonly kind: 'instance'; readonly at: Found; readonly bindings?: Bindings | undefined }
  /** A file of a script. */
  | { readonly kind: 'module'; readonly file: ProjectFile }
  /** A package, namespace or module of another language. */
  | { readonly kind: 'package'; readonly name: string; readonly file: ProjectFile }
  /** Something without a name, to be read in its file. */
  | { readonly kind: 'shape'; readonly where: Where; readonly value: Value }
  /** An object of a type that no file declares: of the language or of a library. */
  | {
      readonly kind: 'outside'
      readonly name: string
      readonly args: readonly (Value | null)[]
      readonly where: Where
    }

/** Makes meanings, the same object for the same thing. */
export interface Meanings {
  symbol(at: Found, bindings?: Bindings): Meaning
  instance(at: Found, bindings?: Bindings): Meaning
  /** What type arguments mean for a symbol; undefined if it takes none, or they are nested too deep. */
  bindings(at: Found, value: Value, where: Where, outer?: Bindings): Bindings | undefined
  module(file: ProjectFile): Meaning
  package(name: string, file: ProjectFile): Meaning
  shape(value: Value, where: Where): Meaning
  /** With the type as it is written where it has arguments. */
  outside(name: string, where: Where, type?: Extract<Value, readonly ['instance', ...unknown[]]>): Meaning
}

/** Type arguments of type arguments are followed so far. */
const MOST_DEEP = 3

export function createMeanings(): Meanings {
  const once = keeper<Meaning>()
  const bound = keeper<Keeper<Bindings>>()
  const symbol = (at: Found): Meaning => once(at.file, at.number, () => ({ kind: 'symbol', at }))
  const instance = (at: Found): Meaning => once(at.file.inside, at.number, () => ({ kind: 'instance', at }))
  const place = ({ file, bindings }: Where): unknown => bindings ?? file
  return {
    symbol: (at, bindings) =>
      bindings ? once(bindings, symbol(at), () => ({ kind: 'symbol', at, bindings })) : symbol(at),
    instance: (at, bindings) =>
      bindings ? once(bindings, instance(at), () => ({ kind: 'instance', at, bindings })) : instance(at),
    bindings(at, value, where, outer) {
      const depth = 1 + Math.max(where.bindings?.depth ?? 0, outer?.depth ?? 0)
      if (depth > MOST_DEEP || !symbolAt(at)?.typeParameters) return undefined
      const args = value.slice(2) as readonly (Value | null)[]
      const keep = bound(value, place(where), () => keeper())
      return keep(symbol(at), outer, () => ({ at, args, where, outer, depth }))
    },
    module: file => once(file, 'module', () => ({ kind: 'module', file })),
    package: (name, file) => once(familyOf(file.code.language), name, () => ({ kind: 'package', name, file })),
    shape: (value, where) => once(value, place(where), () => ({ kind: 'shape', value, where })),
    outside: (name, where, type) => {
      const args = type?.slice(2) as (Value | null)[] | undefined
      return args?.length
        ? once(type, place(where), () => ({ kind: 'outside', name, args, where }))
        : once('outside', name, () => ({ kind: 'outside', name, args: [], where }))
    },
  }
}

type Keeper<T> = (first: unknown, second: unknown, make: () => T) => T

/** Makes what belongs to two keys once. */
function keeper<T>(): Keeper<T> {
  const known = new Map<unknown, Map<unknown, T>>()
  return (first, second, make) => {
    let inner = known.get(first)
    if (!inner) known.set(first, (inner = new Map()))
    const before = inner.get(second)
    if (before !== undefined) return before
    const made = make()
    inner.set(second, made)
    return made
  }
}
