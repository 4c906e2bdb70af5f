import { parseModel } from '../../../model/parse-model.ts'
import { isPast } from '../../servers/deadline.ts'
import type { Location } from '../../servers/lsp-schemas.ts'
import { importersAround } from '../importers-around.ts'
import { hasMacros, type ServedParts } from '../refactor-parts.ts'
import type { WrittenPlace } from './find-occurrences.ts'
import type { Target } from './occurrence.ts'
import { protocolMembers } from './protocol-members.ts'
import { structuralMembers } from './structural-members.ts'

/** A server's verdict on a place: the declaration of another symbol, or why it is undecided. */
export type ServerVerdict = { readonly other: string } | { readonly open: string }

/** The part of the remaining time for judging single places: the rest is for trying the change. */
const SHARE = 0.5

/** Asks the server about places until the time runs out; the others have no verdict. */
export async function askDefinitions(
  parts: ServedParts,
  target: Target,
  places: readonly WrittenPlace[],
  all: readonly WrittenPlace[],
): Promise<ReadonlyMap<WrittenPlace, ServerVerdict>> {
  const { server, sources, deadline } = parts
  const now = performance.now()
  const until = { ...deadline, at: now + (deadline.at - now) * SHARE }
  const verdicts = new Map<WrittenPlace, ServerVerdict>()
  const structural = structuralMembers(parts, target)
  const isByShape = protocolMembers(parts, target)
  let near: Promise<readonly string[]> | undefined
  for (const place of places) {
    if (isPast(until)) break
    const answer = await verdictOf(place)
    if (answer) verdicts.set(place, answer)
  }
  return verdicts

  async function verdictOf({ path, start, kind, of }: WrittenPlace): Promise<ServerVerdict | undefined> {
    const definitions = (await server.definition(path, sources(path).positionOf(start))).map(placeOf)
    const otherDefinitions = definitions.filter(
      each => !isTarget(each) && (each.path === undefined || each.text === target.old),
    )
    // A property initialized with it keeps its own name, and so do its readers.
    const isProperty = target.scope === 'module' && kind === 'member' && otherDefinitions.length > 0
    if (definitions.some(isTarget) && !isProperty) return { open: 'it means this, but is not followed' }
    for (const each of otherDefinitions)
      if (await isByShape(each)) return { open: 'a Protocol and a class of its shape, which may be one at run time' }
    const isItself = (each: Found) => each.path === path && each.start === start
    const [first] = otherDefinitions.toSorted((one, two) => Number(isItself(one)) - Number(isItself(two)))
    if (!first || (kind === 'string' && target.scope === 'module')) return undefined
    // For an unresolved import the server returns the place itself.
    if (of !== undefined && isItself(first) && kind === 'name') return undefined
    if (hasMacros(path) && !(await isReference(path, start))) return undefined
    // A member of another class that has no uses of its own may stand in for it.
    const mayStandIn =
      target.scope === 'member' && kind === 'member' && otherDefinitions.every(isItself) && (await importsTarget(path))
    if (mayStandIn && !(await isUsed(path, start)) && !(await isOfFamily(sources(path).text, path, start)))
      return { open: 'a member of another class that may stand in for it' }
    // An object key without uses may be read through something untyped.
    const isKey = target.scope === 'member' && (kind === 'key' || kind === 'shorthand')
    const isMember = ({ path: file, start: at }: Found) =>
      file === undefined || (!(file === path && at === start) && !isName(file, at))
    if (isKey && !otherDefinitions.some(isMember) && (kind === 'shorthand' || !(await isUsed(path, start))))
      return undefined
    for (const { path: file, start: at } of otherDefinitions) {
      if (isPast(until)) return undefined
      const why = file === undefined ? undefined : await structural(file, at)
      if (why !== undefined) return { open: why }
    }
    return {
      other: first.path === undefined ? 'declared outside of the workspace' : `declared at ${first.path}:${first.line}`,
    }
  }

  /** Reports whether a file knows the module of the target. */
  async function importsTarget(path: string): Promise<boolean> {
    return path === target.path || (await (near ??= importersAround(parts, target.path, 'direct'))).includes(path)
  }

  function isName(path: string, start: number): boolean {
    return all.some(each => each.path === path && each.start === start && each.kind === 'name')
  }

  type Found = ReturnType<typeof placeOf>

  function placeOf({ uri, range }: Location) {
    const path = server.pathOf(uri)
    if (path === undefined) return { path, start: -1 }
    const source = sources(path)
    const start = source.offsetOf(range.start)
    const text = /^["'`]?([\p{ID_Continue}$#]+)/u.exec(source.text.slice(start))?.[1]
    return { path, start, line: range.start.line + 1, text }
  }

  function isTarget({ path, start }: Found): boolean {
    return target.places.some(each => each.path === path && start === sources(each.path).offsetOf(each.position))
  }

  /** A C server that does not know returns any symbol of that name: then the place is no reference to it. */
  async function isReference(path: string, start: number): Promise<boolean> {
    return (await usesOf(path, start)).map(placeOf).some(each => each.path === path && each.start === start)
  }

  /** Besides its declaration. */
  async function isUsed(path: string, start: number): Promise<boolean> {
    return (await usesOf(path, start)).length > 1
  }

  function usesOf(path: string, start: number): Promise<readonly Location[]> {
    return server.references(path, sources(path).positionOf(start), { declarations: true })
  }
}

/**
 * Reports whether the member's class has written bases: then its name comes from there, and it does not stand in for
 * another.
 */
async function isOfFamily(text: string, path: string, start: number): Promise<boolean> {
  const { symbols = [] } = (await parseModel(path, Buffer.from(text))) ?? {}
  const holder = symbols[symbols.find(({ nameAt }) => nameAt === start)?.parent ?? -1]
  return [...(holder?.extends ?? []), ...(holder?.implements ?? [])].length > 0
}
