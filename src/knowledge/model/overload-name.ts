import type { Declaration } from './file-model.ts'

/** A name, and what is in the brackets behind it: `show(Int)` is one overload of `show`. */
export function overloadName(asked: string): { readonly name: string; readonly taken?: string } {
  const [, name, taken] = /^([^()]+)\(([^()]*)\)$/.exec(asked) ?? []
  return name === undefined || taken === undefined ? { name: asked } : { name, taken }
}

/** Reports whether a declaration is the overload of these parameter types, or of these labels: `show(id:)` in Swift. */
export function isOverload({ takes, labels = [] }: Pick<Declaration, 'takes' | 'labels'>, taken: string): boolean {
  if (!takes) return false
  if (/^\s*([\w$]*:)+\s*$/.test(taken))
    return labels.map(each => `${each === '' ? '_' : each}:`).join('') === taken.trim()
  const types = taken.trim() === '' ? [] : taken.split(/,(?![^<[(]*[>\])])/)
  return types.length === takes.length && takes.every((each, at) => isWritten(types[at] ?? '', each))
}

const isWritten = (asked: string, type: string): boolean =>
  bare(asked) === bare(type) || bare(asked) === bare(type).replace(/^.*\./, '')

const bare = (type: string): string => typeName(type) || type.replaceAll(/\s/g, '')

/** A type without what rarely tells overloads apart; empty if it is no plain name. */
export function typeName(written: string): string {
  const name = written
    .replaceAll(/@[\w.]+(\([^()]*\))?|\b(const|final|inout|struct|class|ref|out|in|vararg)\b|[&?!]/g, ' ')
    .replaceAll(/<[^]*>/g, '')
    .replaceAll('::', '.')
    .replaceAll(/\s/g, '')
  return /^[\w.]+$|^char\*$/.test(name) ? name : ''
}

/** The name of an overload with its parameter types. */
export const withTypes = (name: string, { takes }: Pick<Declaration, 'takes'>): string =>
  takes ? `${name}(${takes.join(', ')})` : name
