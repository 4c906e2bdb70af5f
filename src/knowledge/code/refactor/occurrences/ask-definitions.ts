import { languageOf } from '../../../model/languages.ts'
import { parseModel } from '../../../model/parse-model.ts'
import type { WrittenName } from '../../../model/occurrences/occurrence.ts'
import { isPast, type Deadline } from '../../servers/deadline.ts'
import type { Location } from '../../servers/lsp-words.ts'
import type { AskedServer } from '../../servers/types.ts'
import type { Sources } from '../../source.ts'
import type { Target } from './target.ts'

/** A place that a server is asked about. */
export interface OpenPlace {
  readonly path: string
  readonly written: WrittenName
}

/** What a server says of a place: where another of that name is declared, or why that does not decide it. */
export type Said = { readonly other: string } | { readonly open: string }

export interface AskOptions {
  readonly deadline: Deadline
  /** How a name is written at a place. */
  readonly kindAt: (path: string, start: number) => string | undefined
  /** Whether a file knows the module of the target. */
  readonly isNear: (path: string) => boolean
}

/** Asks what is meant at places until the time is over; those that were not looked at have no answer. */
export async function askDefinitions(
  server: AskedServer,
  sources: Sources,
  target: Target,
  places: readonly OpenPlace[],
  { deadline, kindAt, isNear }: AskOptions,
): Promise<ReadonlyMap<OpenPlace, Said>> {
  const said = new Map<OpenPlace, Said>()
  for (const place of places) {
    if (isPast(deadline)) break
    const answer = await saidOf(place)
    if (answer) said.set(place, answer)
  }
  return said

  async function saidOf({ path, written: { start, kind, of } }: OpenPlace): Promise<Said | undefined> {
    const position = sources(path).positionOf(start)
    const found = (await server.definition(path, position)).map(placeOf)
    if (found.length === 0) return undefined
    const named = found.filter(each => !isTarget(each) && (each.path === undefined || each.text === target.old))
    // A property that is made of it keeps its own name, and so does whoever reads that.
    const isProperty = target.scope === 'module' && kind === 'member' && named.length > 0
    if (found.some(isTarget) && !isProperty) return { open: 'it means this, but is not followed' }
    const isItself = (each: Found) => each.path === path && each.start === start
    const [first] = named.toSorted((one, two) => Number(isItself(one)) - Number(isItself(two)))
    if (!first) return undefined
    if (kind === 'string' && target.scope === 'module') return undefined
    // An import that leads nowhere is what the server answers with itself.
    if (of !== undefined && isItself(first) && kind === 'name') return undefined
    if (/^(?:c|cpp)$/.test(languageOf(path) ?? '') && !(await isReference(path, start))) return undefined
    // What another class declares beside it, and nobody calls by its own type, may stand in for it.
    const mayStandIn = target.scope === 'member' && kind === 'member' && named.every(isItself) && isNear(path)
    if (mayStandIn && (await usesOf(path, start)).length < 2 && !(await isOfFamily(path, start)))
      return { open: 'a member of another class that may stand in for it' }
    const isKey = target.scope === 'member' && (kind === 'key' || kind === 'shorthand')
    if (isKey && !named.some(isMember) && (kind === 'shorthand' || (await usesOf(path, start)).length < 2))
      return undefined
    return {
      other: first.path === undefined ? 'declared outside of the workspace' : `declared at ${first.path}:${first.line}`,
    }

    /** The key of an object that nobody reads by its name may be read through something untyped. */
    function isMember(each: Found): boolean {
      if (each.path === undefined) return true
      return !isItself(each) && each.start !== undefined && kindAt(each.path, each.start) !== 'name'
    }
  }

  type Found = ReturnType<typeof placeOf>

  function placeOf({ uri, range }: Location) {
    const path = server.pathOf(uri)
    if (path === undefined) return { path }
    const source = sources(path)
    const start = source.offsetOf(range.start)
    const text = /^["'`]?([\p{ID_Continue}$#]+)/u.exec(source.text.slice(start))?.[1]
    return { path, start, line: range.start.line + 1, text }
  }

  function isTarget({ path, start }: Found): boolean {
    return target.places.some(each => each.path === path && start === sources(each.path).offsetOf(each.position))
  }

  /** A server of C that does not know answers with whatever has the name: then the place is among no uses. */
  async function isReference(path: string, start: number): Promise<boolean> {
    const uses = await usesOf(path, start)
    return uses.some(({ uri, range }) => server.pathOf(uri) === path && sources(path).offsetOf(range.start) === start)
  }

  /** Whether the class of a member says what it derives from: then it has the name for that, not to stand in for another. */
  async function isOfFamily(path: string, start: number): Promise<boolean> {
    const { symbols = [] } = (await parseModel(path, Buffer.from(sources(path).text))) ?? {}
    const holder = symbols[symbols.find(({ nameAt }) => nameAt === start)?.parent ?? -1]
    return [...(holder?.extends ?? []), ...(holder?.implements ?? [])].length > 0
  }

  function usesOf(path: string, start: number): Promise<readonly Location[]> {
    return server.references(path, sources(path).positionOf(start), { declarations: true })
  }
}
