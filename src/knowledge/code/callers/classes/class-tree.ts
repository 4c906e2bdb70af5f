import { holds, KIND, rangeKey, type Position } from '../../servers/lsp-schemas.ts'
import { oncePer } from '../../../../kernel/once.ts'
import { mentions, usedPlaces, type UseParts } from '../mentions.ts'
import type { NamedSymbol } from '../named-symbol.ts'
import { isSamePosition } from '../places.ts'
import { writtenBases } from './written-bases.ts'

/** A class of the workspace. */
export interface ClassAt {
  readonly path: string
  readonly named: NamedSymbol
  readonly key: string
}

interface Bases {
  readonly classes: readonly ClassAt[]
  /** Names of its bases outside of the workspace. */
  readonly outside: readonly string[]
  /** One of its bases has no name, or cannot be found. */
  readonly isUnknown: boolean
}

/** Inheritance of Python classes: pyright resolves the names in their heads, but offers no type hierarchy. */
export interface ClassTree {
  /** The classes of a file. */
  classes(path: string): Promise<readonly ClassAt[]>
  /** The class whose name is at this position. */
  classAt(path: string, position: Position): Promise<ClassAt | undefined>
  /** The class of the member whose name is at this position. */
  classOf(path: string, position: Position): Promise<ClassAt | undefined>
  /** The class's own member of a name. */
  member(one: ClassAt, name: string): Promise<NamedSymbol | undefined>
  bases(one: ClassAt): Promise<Bases>
  derived(one: ClassAt): Promise<readonly ClassAt[]>
  /** A class and its ancestors in Python's method resolution order. */
  order(one: ClassAt): Promise<Bases>
}

const HOLDERS = new Set<number>([KIND.class, KIND.method, KIND.function])

/** Outside bases without ordinary members. */
const EMPTY = /^(object|ABC|Generic|Protocol)$/

export function classTree(parts: UseParts): ClassTree {
  const { server, looks, mayRead } = parts
  const bases = oncePer(basesOf, ({ key }) => key)
  const derivedClasses = oncePer(derivedOf, ({ key }) => key)
  return {
    classes: classesIn,
    classAt,
    classOf,
    member,
    bases,
    derived: derivedClasses,
    order: one => order(one, new Set()),
  }

  async function classOf(path: string, position: Position): Promise<ClassAt | undefined> {
    const at = { start: position, end: position }
    const all = await looks.named(path)
    const exact = all.find(({ selection }) => rangeKey({ ...selection, end: selection.start }) === rangeKey(at))
    // The outline has one entry for a getter and its setter.
    const around = all.findLast(each => HOLDERS.has(each.kind) && holds(each.range, at))
    const holder = exact ? exact.beside : around && rangeKey(around.range)
    return (await classesIn(path)).find(({ named }) => rangeKey(named.range) === holder)
  }

  async function member({ path, named }: ClassAt, name: string): Promise<NamedSymbol | undefined> {
    const within = rangeKey(named.range)
    return (await looks.named(path)).find(one => one.beside === within && one.plain === name)
  }

  async function basesOf({ path, named }: ClassAt): Promise<Bases> {
    const { offsetOf, positionOf } = looks.source(path)
    const { names, isUnsure } = writtenBases(await looks.model(path), offsetOf(named.selection.start))
    const classes: ClassAt[] = []
    const outside: string[] = []
    let isUnknown = isUnsure
    for (const { name, at } of names) {
      const places = await server.definition(path, positionOf(at))
      const baseClasses = await Promise.all(
        places.map(async ({ uri, range }) => {
          const file = server.pathOf(uri)
          if (file === undefined) return 'outside'
          return mayRead(file) && (await classesIn(file)).find(one => rangeKey(one.named.selection) === rangeKey(range))
        }),
      )
      for (const each of baseClasses) if (typeof each === 'object') classes.push(each)
      if (baseClasses.includes('outside') && !EMPTY.test(name)) outside.push(name)
      isUnknown ||= baseClasses.length === 0 || baseClasses.some(each => !each)
    }
    return { classes, outside, isUnknown }
  }

  async function derivedOf({ path, named }: ClassAt): Promise<readonly ClassAt[]> {
    const classByKey = new Map<string, ClassAt>()
    for (const { path: file, usage } of await usedPlaces(await mentions(path, [named.selection.start], parts), parts)) {
      if (usage.role !== 'base' || !usage.declares) continue
      const one = await classAt(file, looks.source(file).positionOf(usage.declares.nameAt))
      if (one) classByKey.set(one.key, one)
    }
    return [...classByKey.values()]
  }

  async function order(one: ClassAt, below: ReadonlySet<string>): Promise<Bases> {
    if (below.has(one.key)) return { classes: [], outside: [], isUnknown: true }
    const ownBases = await bases(one)
    const above = await Promise.all(ownBases.classes.map(each => order(each, new Set([...below, one.key]))))
    const all = [one, ...above.flatMap(({ classes }) => classes)]
    // A shared ancestor comes after all of its descendants.
    const classes = all.filter((each, at) => all.findLastIndex(({ key }) => key === each.key) === at)
    const every = [ownBases, ...above]
    return {
      classes,
      outside: every.flatMap(each => each.outside),
      isUnknown: every.some(each => each.isUnknown),
    }
  }

  async function classAt(path: string, position: Position): Promise<ClassAt | undefined> {
    return (await classesIn(path)).find(({ named }) => isSamePosition(named.selection.start, position))
  }

  async function classesIn(path: string): Promise<readonly ClassAt[]> {
    const all = await looks.named(path)
    return all
      .filter(({ kind }) => kind === KIND.class)
      .map(named => ({ path, named, key: `${path} ${rangeKey(named.selection)}` }))
  }
}
