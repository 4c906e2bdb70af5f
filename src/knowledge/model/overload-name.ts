import type { Declaration } from '../../languages/file-model/file-model.ts'

/** A name, and what is in the brackets behind it: `show(Int)` is one overload of `show`. */
export function overloadName(symbolName: string): { readonly name: string; readonly taken?: string } {
  const [, name, parameterTypes] = /^([^()]+)\(([^()]*)\)$/.exec(symbolName) ?? []
  return name === undefined || parameterTypes === undefined ? { name: symbolName } : { name, taken: parameterTypes }
}

/** Reports whether a declaration is the overload of these parameter types, or of these labels: `show(id:)` in Swift. */
export function isOverload(
  { takes, labels = [] }: Pick<Declaration, 'takes' | 'labels'>,
  parameterTypes: string,
): boolean {
  if (!takes) return false
  if (/^\s*([\w$]*:)+\s*$/.test(parameterTypes))
    return labels.map(each => `${each === '' ? '_' : each}:`).join('') === parameterTypes.trim()
  const types = parameterTypes.trim() === '' ? [] : parameterTypes.split(/,(?![^<[(]*[>\])])/)
  return types.length === takes.length && takes.every((each, at) => isWritten(types[at] ?? '', each))
}

const isWritten = (asked: string, type: string): boolean =>
  bare(asked) === bare(type) || bare(asked) === bare(type).replace(/^.*\./, '')

const bare = (type: string): string => typeName(type) || type.replaceAll(/\s/g, '')

/** A type without what rarely tells overloads apart; empty if it is no plain name. */
export function typeName(typeText: string): string {
  const name = typeText
    .replaceAll(/@[\w.]+(\([^()]*\))?|\b(const|final|inout|struct|class|ref|out|in|vararg)\b|[&?!]/g, ' ')
    .replaceAll(/<[^]*>/g, '')
    .replaceAll('::', '.')
    .replaceAll(/\s/g, '')
  return /^[\w.]+$|^char\*$/.test(name) ? name : ''
}

/** The name of an overload with its parameter types. */
export const withTypes = (name: string, { takes }: Pick<Declaration, 'takes'>): string =>
  takes ? `${name}(${takes.join(', ')})` : name
