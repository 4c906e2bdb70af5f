import { familyOf } from '../../../languages/registry.ts'
import type { Value } from '../../../languages/file-model/file-model.ts'
import { symbolAt, type Found, type ProjectFile } from './project.ts'

/** The context of a value: its file, the enclosing symbol, and the number of arguments of its call. */
export interface Where {
  readonly file: ProjectFile
  readonly by: number
  readonly count?: number
  /** Values of type parameters. */
  readonly bindings?: Bindings | undefined
}

/** Values of a symbol's type parameters in one context, given by its type arguments. */
export interface Bindings {
  readonly at: Found
  readonly args: readonly (Value | null)[]
  /** Context of the arguments. */
  readonly where: Where
  /** Bindings of the enclosing type. */
  readonly outer: Bindings | undefined
  readonly depth: number
}

/** The resolved meaning of a value across all files. */
export type Meaning =
  | { readonly kind: 'symbol'; readonly at: Found; readonly bindings?: Bindings | undefined }
  | { readonly kind: 'instance'; readonly at: Found; readonly bindings?: Bindings | undefined }
  /** A file of a script. */
  | { readonly kind: 'module'; readonly file: ProjectFile }
  /** A package, namespace or module of another language. */
  | { readonly kind: 'package'; readonly name: string; readonly file: ProjectFile }
  /** An unnamed value, read in its file. */
  | { readonly kind: 'shape'; readonly where: Where; readonly value: Value }
  /** An object of a type that no file declares: of the language or of a library. */
  | {
      readonly kind: 'outside'
      readonly name: string
      readonly args: readonly (Value | null)[]
      readonly where: Where
    }

/** Creates meanings, the same object for the same thing. */
export interface Meanings {
  symbol(at: Found, bindings?: Bindings): Meaning
  instance(at: Found, bindings?: Bindings): Meaning
  /** The values of a symbol's type parameters; undefined if it has none, or they are nested too deeply. */
  bindings(at: Found, value: Value, where: Where, outer?: Bindings): Bindings | undefined
  module(file: ProjectFile): Meaning
  package(name: string, file: ProjectFile): Meaning
  shape(value: Value, where: Where): Meaning
  /** `type`: the written type, if it has arguments. */
  outside(name: string, where: Where, type?: Extract<Value, readonly ['instance', ...unknown[]]>): Meaning
}

/** Depth limit of nested type arguments. */
const MOST_DEEP = 3

export function createMeanings(): Meanings {
  const once = pairCache<Meaning>()
  const bound = pairCache<PairCache<Bindings>>()
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
      const keep = bound(value, place(where), () => pairCache())
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

type PairCache<T> = (first: unknown, second: unknown, make: () => T) => T

/** Creates one object per pair of keys. */
function pairCache<T>(): PairCache<T> {
  const byFirst = new Map<unknown, Map<unknown, T>>()
  return (first, second, make) => {
    let inner = byFirst.get(first)
    if (!inner) byFirst.set(first, (inner = new Map()))
    const before = inner.get(second)
    if (before !== undefined) return before
    const value = make()
    inner.set(second, value)
    return value
  }
}
