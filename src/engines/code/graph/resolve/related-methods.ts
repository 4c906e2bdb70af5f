import type { Meanings } from './meaning.ts'
import type { OwnSymbol } from '../../symbols/file-code.ts'
import { mayOverride } from './overriding.ts'
import { named, symbolAt, type Found, type Project } from './project.ts'

/** Where more belong together, such as all `toString`, nothing is said by it. */
const MOST = 150

/**
 * Finds the methods that a call of one may mean too: those that it overrides, that override it, or that fulfil the same
 * interface. Language servers count a call of one of them for all.
 */
export function relatedMethods(project: Project, meanings: Meanings): (method: Found) => readonly Found[] {
  let groups: Map<string, Found[]> | undefined
  return method => {
    const symbol = symbolAt(method)
    if (!symbol || !isMember(symbol) || symbol.parent < 0) return []
    const group = (groups ??= grouped()).get(keyOf(method)) ?? []
    return group.length > MOST ? [] : group.filter(each => keyOf(each) !== keyOf(method))
  }

  function grouped(): Map<string, Found[]> {
    const groupOf = new Map<string, Found[]>()
    for (const file of project.files.values())
      for (const [number, { extends: above = [], implements: kinds = [] }] of file.code.symbols.entries())
        for (const value of [...above, ...kinds])
          for (const base of meanings.of(value, file).flatMap(meanings.made))
            if (base.kind === 'instance') join({ file, number }, base.at)
    return groupOf

    function join(own: Found, base: Found): void {
      for (const number of own.file.inside.get(own.number) ?? []) {
        const symbol = own.file.code.symbols[number]
        if (!symbol || !isMember(symbol) || symbol.isStatic || symbol.name === 'constructor') continue
        const method = { file: own.file, number }
        for (const other of inherited(base, symbol.name, new Set()))
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

  /** The methods of this name that a class or interface has or inherits. */
  function inherited(at: Found, name: string, seen: Set<string>): readonly Found[] {
    if (seen.has(keyOf(at))) return []
    seen.add(keyOf(at))
    const own = named(at.file, at.number, name)
    if (own.length > 0) return own
    const symbol = symbolAt(at)
    const { extends: above = [], implements: kinds = [] } = symbol ?? {}
    // Interfaces of one name add up.
    const merged = named(at.file, symbol?.parent ?? -1, symbol?.name ?? '').filter(
      each => symbolAt(each)?.kind === 'interface',
    )
    const beside = merged.flatMap(each => inherited(each, name, seen))
    if (beside.length > 0) return beside
    return [...above, ...kinds]
      .flatMap(value => meanings.of(value, at.file).flatMap(meanings.made))
      .flatMap(base => (base.kind === 'instance' ? inherited(base.at, name, seen) : []))
  }
}

/** A field may hold a function. */
const isMember = ({ kind }: OwnSymbol): boolean => kind === 'method' || kind === 'property'

const keyOf = ({ file, number }: Found): string => `${file.path}\0${number}`
