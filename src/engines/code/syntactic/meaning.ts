import { isCompanion, named, symbolAt, type Found } from '../graph/resolve/project.ts'
import type { Value } from '../symbols/file-code.ts'
import { importsOf } from './imports-of.ts'
import { visibleExtensions } from './visible-extensions.ts'
import { isBeside } from './holders.ts'
import { facadeIn, isOpenTo, seesMembers } from './family.ts'
import {
  asMeanings,
  COMMON,
  fits,
  foreign,
  HELD,
  isFinal,
  isOnly,
  isOperator,
  isPlain,
  isSame,
  isType,
  isUnknown,
  TYPE,
  YES_OR_NO,
  type Meaning,
  type Where,
} from './meaning-words.ts'
import type { Tables } from './tables.ts'

export interface Meanings {
  /** None where nothing can be said. A name has as many as it has overloads; those that take `count` arguments go before. */
  of(value: Value, where: Where, count?: number): readonly Meaning[]
  /** The same, a variable taken for what it holds. */
  held(value: Value, where: Where): readonly Meaning[]
  /** The members of a type and of what it inherits from, its own first. */
  members(type: Found, name: string): readonly Found[]
  /** Types that it inherits from, the nearest first. */
  above(type: Found): readonly Found[]
}

const DEEPEST = 40
export function meaningsOf(tables: Tables): Meanings {
  const busy = new Set<Value>()
  const visible = visibleExtensions(tables)
  const { importedBy, insideOf } = importsOf(tables, members)
  const meanings: Meanings = { of, held, members, above }
  return meanings

  function of(value: Value, where: Where, count = -1): readonly Meaning[] {
    if (busy.has(value) || busy.size > DEEPEST) return []
    busy.add(value)
    try {
      return find(value, where, count)
    } finally {
      busy.delete(value)
    }
  }

  function held(value: Value, where: Where): readonly Meaning[] {
    return of(value, where).flatMap(settled)
  }

  function find(value: Value, where: Where, count: number): readonly Meaning[] {
    switch (value[0]) {
      case 'symbol':
        return [{ kind: 'symbol', at: { file: where.file, number: value[1] } }]
      case 'name':
        return nameIn(value[1], where, count)
      case 'member':
        return memberOf(value, where, count)
      case 'sign':
        return held(value[1], where).flatMap(each => (isUnknown(each) ? [] : member(each, value[2], where)))
      case 'instance':
        return instanceOf(value, where)
      case 'super':
        return above({ file: where.file, number: value[1] }).map(at => ({ kind: 'instance', at }))
      case 'result':
        return resultOf(value[1], where)
      case 'element':
        return held(value[1], where).flatMap(heldBy)
      case 'awaited':
        return of(value[1], where)
      case 'either': {
        const [, ...all] = value
        for (const each of all) {
          const found = of(each, where, count).filter(({ kind }) => kind !== 'foreign')
          if (found.length > 0) return found
        }
        return []
      }
      default:
        return []
    }
  }

  /** From the innermost scope outwards, then the file, what it imports, its package, and whole packages that it imports. */
  function nameIn(name: string, where: Where, count: number): readonly Meaning[] {
    if (name === '') return []
    const { file, by } = where
    let other: readonly Found[] = []
    for (let at = by; at >= 0; at = file.code.symbols[at]?.parent ?? -1) {
      const found = inScope({ file, number: at }, name)
      if (found.some(each => fits(each, count))) return asMeanings(found)
      if (other.length === 0) other = found
    }
    const own = tables.atTop(file, name).filter(isPlain)
    if (own.some(each => fits(each, count))) return asMeanings(own)
    const imports = file.code.imports.filter(each => each.local === name)
    const imported = imports.flatMap(each => importedBy(each, where))
    if (imported.length > 0) return imported
    if (imports.length > 0) return [foreign(name, where)]
    const beside = tables.inPackage(tables.packageOf(file), name).filter(each => isPlain(each) && isOpenTo(each, file))
    if (beside.length > 0) return asMeanings(beside)
    const starred = file.code.imports.filter(each => each.name === '*' && each.local === '')
    const through = starred.flatMap(each => insideOf(each.module, name))
    if (through.length > 0) return asMeanings(through)
    const facades = file.code.language === 'java' ? [tables.packageOf(file), ...starred.map(each => each.module)] : []
    const facade = facades.map(each => facadeIn(each, name)).find(each => tables.isFacade(each))
    if (facade !== undefined) return [{ kind: 'package', name: facade }]
    if (own.length > 0 || other.length > 0) return asMeanings([...other, ...own])
    return tables.isPackagePart(name) ? [{ kind: 'package', name }] : []
  }

  function inScope(at: Found, name: string): readonly Found[] {
    const symbol = symbolAt(at)
    if (!symbol) return []
    const isOpen = seesMembers(at.file.code.language)
    if (TYPE.test(symbol.kind)) return isOpen ? members(at, name) : []
    const own = named(at.file, at.number, name)
    const isOutside = symbol.receiver === undefined || at.file.code.language === 'csharp'
    if (own.length > 0 || isOutside || !isOpen) return own
    // An extension, or a method that does not stand in its type, sees that type's members.
    return of(['instance', ['name', symbol.receiver]], { file: at.file, by: -1 }).flatMap(each =>
      each.kind === 'instance' ? members(each.at, name) : [],
    )
  }

  function memberOf(
    [, of_, name]: readonly ['member', Value, string],
    where: Where,
    count: number,
  ): readonly Meaning[] {
    const holders = held(of_, where)
    // Nothing is known of what it is called on: a name that only one function has is that function.
    if (holders.length === 0) {
      if (COMMON.test(name)) return []
      const extensions = visible.named(name, where)
      const all = extensions.length > 0 ? extensions : tables.functions(name)
      return all.length === 1 && all.every(each => fits(each, count)) ? asMeanings(all) : []
    }
    return holders.flatMap(each => member(each, name, where))
  }

  function member(holder: Meaning, name: string, where: Where): readonly Meaning[] {
    switch (holder.kind) {
      case 'package': {
        const found = tables.inPackage(holder.name, name)
        if (found.length > 0) return asMeanings(found)
        const inner = `${holder.name}.${name}`
        return tables.isPackagePart(inner) ? [{ kind: 'package', name: inner }] : []
      }
      case 'foreign': {
        const extended = visible.of([holder.name], name, where)
        if (extended.length > 0) return asMeanings(extended)
        const given = HELD.test(name) ? heldBy(holder) : []
        return given.length > 0 ? given : [foreign('', where)]
      }
      case 'symbol':
      case 'instance': {
        const { kind, name: own = '' } = symbolAt(holder.at) ?? {}
        const found = kind === 'module' ? tables.inModule(own, name) : members(holder.at, name)
        if (found.length > 0) return asMeanings(found)
        if (name === 'INSTANCE' && isOnly(holder.at)) return [{ kind: 'instance', at: holder.at }]
        const types = [holder.at, ...above(holder.at)]
        const extended = visible.of(
          types.flatMap(each => symbolAt(each)?.name ?? []),
          name,
          where,
        )
        if (extended.length > 0) return asMeanings(extended)
        // What is not written here comes from a library that it inherits from.
        return [foreign('', where)]
      }
    }
  }

  function members(type: Found, name: string): readonly Found[] {
    return [type, ...above(type)].flatMap(each => {
      const symbol = symbolAt(each)
      // A constructor has the name of its class, and is no member.
      const own = name === symbol?.name ? [] : named(each.file, each.number, name)
      const { file } = each
      const companions = (file.inside.get(each.number) ?? []).flatMap(number =>
        isCompanion({ file, number }) ? named(file, number, name) : [],
      )
      const beside = tables.extensions(name).filter(found => {
        const method = symbolAt(found)
        return method?.kind === 'method' && method.receiver === symbol?.name && isBeside(found, each)
          ? tables.packageOf(found.file) === tables.packageOf(each.file)
          : false
      })
      return [...own, ...companions, ...beside]
    })
  }

  function above(type: Found): readonly Found[] {
    const all: Found[] = []
    const visit = (at: Found) => {
      for (const base of symbolAt(at)?.extends ?? [])
        for (const each of of(base, { file: at.file, by: symbolAt(at)?.parent ?? -1 }))
          if (each.kind === 'symbol' && isType(each.at) && !all.some(known => isSame(known, each.at))) {
            all.push(each.at)
            visit(each.at)
          }
    }
    visit(type)
    return all
  }

  function instanceOf([, type, ...args]: readonly ['instance', Value, ...(Value | null)[]], where: Where) {
    const found = of(type, where).flatMap((each): readonly Meaning[] => {
      if (each.kind !== 'symbol') return []
      const symbol = symbolAt(each.at)
      if (symbol?.kind === 'type' && symbol.value) return of(symbol.value, { file: each.at.file, by: symbol.parent })
      return isType(each.at) ? [{ kind: 'instance', at: each.at }] : []
    })
    if (found.length > 0) return found
    const name = type[0] === 'name' || type[0] === 'member' ? String(type.at(-1)) : ''
    return [
      foreign(
        name,
        where,
        args.flatMap(each => (each ? [each] : [])),
      ),
    ]
  }

  function resultOf(callee: Value, where: Where): readonly Meaning[] {
    if (callee[0] === 'sign' && YES_OR_NO.test(callee[2])) return [foreign('Boolean', where)]
    // What signs make of a type of the language is of that type, unless somebody says otherwise.
    const plain = callee[0] === 'sign' ? held(callee[1], where).filter(isFinal) : []
    if (plain.length > 0 && of(callee, where).every(isUnknown)) return plain
    return of(callee, where).flatMap((each): readonly Meaning[] => {
      if (each.kind === 'foreign') return [foreign('', where)]
      // What a collection holds is given by a call of its method, and is not called itself.
      if (each.kind === 'instance') return (callee[0] === 'member' ? undefined : givenBy(each, 'invoke')) ?? [each]
      if (each.kind !== 'symbol') return []
      const symbol = symbolAt(each.at)
      if (symbol && isType(each.at)) return [{ kind: 'instance', at: each.at }]
      if (symbol?.kind !== 'function' && symbol?.kind !== 'method')
        return settled(each).flatMap(one => givenBy(one, 'invoke') ?? [one])
      return resultOfFunction(each.at)
    })
  }

  /** What an object of ours gives where signs are put to it. */
  function givenBy(meaning: Meaning, name: string): readonly Meaning[] | undefined {
    const found = meaning.kind === 'instance' ? members(meaning.at, name).filter(isOperator) : []
    return found.length > 0 ? found.flatMap(resultOfFunction) : undefined
  }

  function resultOfFunction(at: Found): readonly Meaning[] {
    const value = symbolAt(at)?.value
    return value ? of(value, { file: at.file, by: at.number }) : []
  }

  /** A variable or property is what it holds. */
  function settled(meaning: Meaning): readonly Meaning[] {
    if (meaning.kind !== 'symbol') return [meaning]
    const symbol = symbolAt(meaning.at)
    if (symbol?.kind !== 'variable' && symbol?.kind !== 'property') return [meaning]
    if (!symbol.value) return []
    return of(symbol.value, { file: meaning.at.file, by: symbol.parent }).flatMap(settled)
  }

  function heldBy(meaning: Meaning): readonly Meaning[] {
    if (meaning.kind !== 'foreign') return givenBy(meaning, 'get') ?? []
    const last = meaning.args.at(-1)
    return last ? of(last, meaning.where) : []
  }
}
