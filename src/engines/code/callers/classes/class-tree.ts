import { holds, KIND, rangeKey, type Position } from '../../servers/lsp-words.ts'
import { mentions, type UseParts } from '../mentions.ts'
import type { Named } from '../named.ts'
import { writtenBases } from './written-bases.ts'

/** A class of the workspace. */
export interface ClassAt {
  readonly path: string
  readonly named: Named
  readonly key: string
}

export interface Bases {
  readonly classes: readonly ClassAt[]
  /** It also derives from what is not in the workspace, or from what nobody can name. */
  readonly isOpen: boolean
}

/** Which classes of Python derive from which: pyright knows what the names in their heads mean, and tells no more. */
export interface ClassTree {
  /** The class of a method that people call `Class.method`. */
  classOf(path: string, position: Position, name: string): Promise<ClassAt | undefined>
  /** What a class itself has under a name. */
  member(one: ClassAt, name: string): Promise<Named | undefined>
  bases(one: ClassAt): Promise<Bases>
  derived(one: ClassAt): Promise<readonly ClassAt[]>
  /** A class and all above it, in the order in which Python looks for a member. */
  order(one: ClassAt): Promise<Bases>
}

/** Bases from outside that have no method which anybody would override by a name of their own. */
const PLAIN =
  /^(object|ABC|Generic|Protocol|NamedTuple|TypedDict|(Int|Str)?Enum|(Int)?Flag|(Base)?Exception|(Value|Type|Runtime|Lookup|Key|OS)Error)$/

export function classTree(parts: UseParts): ClassTree {
  const { server, looks, mayRead } = parts
  const bases = remembered(basesOf)
  const derived = remembered(derivedOf)
  return { classOf, member, bases, derived, order: one => order(one, new Set()) }

  async function classOf(path: string, position: Position, name: string): Promise<ClassAt | undefined> {
    const at = { start: position, end: position }
    const around = (await classesIn(path)).filter(({ named }) => holds(named.range, at))
    return around.find(({ named }) => name === `${named.name}.${lastPart(name)}`)
  }

  async function member({ path, named }: ClassAt, name: string): Promise<Named | undefined> {
    const within = rangeKey(named.range)
    return (await looks.named(path)).find(one => one.beside === within && one.plain === name)
  }

  async function basesOf({ path, named }: ClassAt): Promise<Bases> {
    const { names, isUnsure } = writtenBases(looks.lines(path), named)
    const classes: ClassAt[] = []
    let isOpen = isUnsure
    for (const { name, position } of names) {
      const places = await server.definition(path, position)
      const found = await Promise.all(
        places.map(async ({ uri, range }) => {
          const file = server.pathOf(uri)
          if (file === undefined || !mayRead(file)) return undefined
          return (await classesIn(file)).find(one => rangeKey(one.named.selection) === rangeKey(range))
        }),
      )
      const ours = found.filter(each => each !== undefined)
      classes.push(...ours)
      const isPlain = places.length > 0 && PLAIN.test(name)
      isOpen ||= !isPlain && (places.length === 0 || ours.length < places.length)
    }
    return { classes, isOpen }
  }

  async function derivedOf({ path, named }: ClassAt): Promise<readonly ClassAt[]> {
    const found = new Map<string, ClassAt>()
    for (const { uri, range } of await mentions(path, [named.selection.start], parts)) {
      const file = server.pathOf(uri)
      if (file === undefined || !mayRead(file)) continue
      for (const one of await classesIn(file)) {
        if (!holds(one.named.range, range)) continue
        const { names } = writtenBases(looks.lines(file), one.named)
        const isBase = names.some(({ position: { line, character } }) => {
          return line === range.start.line && character === range.start.character
        })
        if (isBase) found.set(one.key, one)
      }
    }
    return [...found.values()]
  }

  async function order(one: ClassAt, below: ReadonlySet<string>): Promise<Bases> {
    if (below.has(one.key)) return { classes: [], isOpen: true }
    const own = await bases(one)
    const above = await Promise.all(own.classes.map(each => order(each, new Set([...below, one.key]))))
    const all = [one, ...above.flatMap(({ classes }) => classes)]
    // What several have above them comes after all of these.
    const classes = all.filter((each, at) => all.findLastIndex(({ key }) => key === each.key) === at)
    return { classes, isOpen: own.isOpen || above.some(each => each.isOpen) }
  }

  async function classesIn(path: string): Promise<readonly ClassAt[]> {
    const all = await looks.named(path)
    return all
      .filter(({ kind }) => kind === KIND.class)
      .map(named => ({ path, named, key: `${path} ${rangeKey(named.selection)}` }))
  }
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** Each class is asked about once. */
function remembered<T>(find: (one: ClassAt) => Promise<T>): (one: ClassAt) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return one => {
    const before = known.get(one.key)
    if (before) return before
    const value = find(one)
    known.set(one.key, value)
    return value
  }
}
