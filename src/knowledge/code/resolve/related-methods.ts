import type { Declaration } from '../../model/file-model.ts'
import { mayOverride } from './overriding.ts'
import { madeOf, partsOf } from './members.ts'
import { named, symbolAt, type Found } from './project.ts'
import type { Resolution } from './resolution.ts'

/** Where more belong together, such as all `toString`, nothing is said by it. */
const MOST = 150

/**
 * Finds the methods that a call of one may mean too: those that it overrides, that override it, or that fulfil the same
 * interface. Language servers count a call of one of them for all.
 */
export function relatedMethods(resolution: Resolution): (method: Found) => readonly Found[] {
  let groups: ReadonlyMap<string, readonly Found[]> | undefined
  return method => {
    const symbol = symbolAt(method)
    if (!symbol || !isMember(symbol) || symbol.parent < 0) return []
    const group = (groups ??= grouped(resolution)).get(keyOf(method)) ?? []
    return group.length > MOST ? [] : group.filter(each => keyOf(each) !== keyOf(method))
  }
}

function grouped(resolution: Resolution): ReadonlyMap<string, readonly Found[]> {
  const groupOf = new Map<string, Found[]>()
  for (const file of resolution.names.files)
    for (const [number, { extends: above = [], implements: kinds = [] }] of file.code.symbols.entries())
      if (above.length + kinds.length > 0) join({ file, number })
  return groupOf

  function join(own: Found): void {
    const bases = wholeBases(resolution, own)
    for (const number of bases.length > 0 ? (own.file.inside.get(own.number) ?? []) : []) {
      const symbol = own.file.code.symbols[number]
      if (!symbol || !isMember(symbol) || symbol.isStatic || symbol.name === 'constructor') continue
      const method = { file: own.file, number }
      for (const other of bases
        .flatMap(base => partsOf(base))
        .flatMap(base => named(base.file, base.number, symbol.name)))
        if (mayOverride(method, other)) merge(method, other)
    }
  }

  function merge(one: Found, other: Found): void {
    const [first, second] = [groupOf.get(keyOf(one)) ?? [one], groupOf.get(keyOf(other)) ?? [other]]
    if (first === second) return
    first.push(...second)
    for (const each of first) groupOf.set(keyOf(each), first)
  }
}

/**
 * The types that one inherits from. A server asks a class only for those that are one: not for `A & { … }`, which an object
 * is asked for.
 */
function wholeBases(resolution: Resolution, { file, number }: Found): readonly Found[] {
  const { kind, extends: above = [], implements: kinds = [], parent = -1 } = file.code.symbols[number] ?? {}
  if (kind !== 'class')
    return resolution.above({ file, number }).flatMap(each => (each.kind === 'instance' ? [each.at] : []))
  const found = [...above, ...kinds].flatMap(value => {
    const [base, ...more] = resolution.value(value, { file, by: parent }).flatMap(each => madeOf(resolution, each))
    if (base?.kind !== 'instance' || more.length > 0) return []
    const symbol = symbolAt(base.at)
    return symbol?.kind === 'type' && symbol.extends ? [] : [base, ...resolution.above(base.at, base.bindings)]
  })
  return found.flatMap(each => (each.kind === 'instance' ? [each.at] : []))
}

/** A field may hold a function. */
const isMember = ({ kind }: Declaration): boolean => kind === 'method' || kind === 'property'

const keyOf = ({ file, number }: Found): string => `${file.path}\0${number}`
