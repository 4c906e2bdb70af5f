import { isScriptFile, languageAt } from '../../../languages/registry.ts'
import { SATISFIES, UNKNOWN } from '../resolve/possible-calls.ts'
import type { Location, Position } from '../servers/lsp-schemas.ts'
import type { CallNode } from './call-node.ts'
import type { UsedPlace, UseParts } from './mentions.ts'
import { isSamePosition } from './places.ts'

/** Judges a call on a receiver: returns `it`, the reason why it may be, or undefined for another function. */
interface ReceiverJudge {
  /** For a place among the server's references. */
  family(place: UsedPlace): Promise<string | undefined>
  /** For such a place without a receiver: `const { f } = a; f()`. */
  taken(place: UsedPlace): Promise<string | undefined>
  /** For a place that the server does not list. */
  stranger(place: UsedPlace): Promise<string | undefined>
}

export function receiverJudge(node: CallNode, { server, looks }: UseParts): ReceiverJudge {
  const isOfScript = isScriptFile(node.path)
  return {
    // Servers of scripts count calls of every implementation of the same method.
    family: place => (isOfScript && node.name.includes('.') ? judgePlace(place, 'it') : Promise.resolve('it')),
    taken: place => (isOfScript && node.name.includes('.') ? takenFrom(place) : Promise.resolve('it')),
    stranger: place => judgePlace(place, UNKNOWN),
  }

  /** A destructured name is the member of the object's type. */
  async function takenFrom({ path, position }: UsedPlace): Promise<string> {
    const definitions = await server.definition(path, position)
    if (definitions.length === 0 || definitions.some(isTarget)) return 'it'
    const properties = (await Promise.all(definitions.map(propertyOf))).flat()
    return properties.some(isTarget) ? 'it' : THROUGH
  }

  async function propertyOf({ uri, range: { start } }: Location): Promise<readonly Location[]> {
    const path = server.pathOf(uri)
    if (path === undefined) return []
    const { text, offsetOf, positionOf } = looks.source(path)
    const at = offsetOf(start)
    // `{ f: g }`: the name of the property comes first.
    const [key = ''] = /[\w$]+\s*:\s*$/.exec(text.slice(Math.max(0, at - LONGEST_KEY), at)) ?? []
    return server.definition(path, positionOf(at - key.length))
  }

  async function judgePlace({ path, position }: UsedPlace, otherwise: string): Promise<string | undefined> {
    const definitions = await server.definition(path, position)
    if (definitions.length === 0) return otherwise
    if (definitions.some(isTarget)) return 'it'
    if (isAbove(path, position)) return undefined
    const bases = isOfScript ? await Promise.all(definitions.map(implementedBy)) : []
    if (bases.includes(true)) return THROUGH
    if (otherwise === 'it' && definitions.some(isAssigned)) return 'calls what is assigned to it elsewhere'
    return (await Promise.all(definitions.map(isFulfilled))).includes(true) ? SATISFIES : undefined
  }

  /** Reports whether a declaration belongs to a structural type, and the function's class has all of its members. */
  async function isFulfilled({ uri, range: { start } }: Location): Promise<boolean> {
    const path = server.pathOf(uri)
    const [position] = node.positions
    if (path === undefined || !position || !node.name.includes('.')) return false
    const [otherMember, ownMember] = [await around(path, start), await around(node.path, position)]
    if (!otherMember.type) {
      // A member of an unnamed type.
      const [usage] = isOfScript ? await looks.usages(path, [start]) : []
      return usage?.role === 'type'
    }
    const { kind, extends: bases = [] } = otherMember.type
    const { structuralBase } = languageAt(path)
    const isStructural = isOfScript ? kind !== 'class' : bases.some(each => each.at(-1) === structuralBase)
    return (
      isStructural &&
      (ownMember.type?.extends !== undefined || otherMember.members.every(each => ownMember.members.includes(each)))
    )
  }

  /** The type around a declared name, with the names of its members. */
  async function around(path: string, position: Position) {
    const { symbols } = await looks.model(path)
    const at = looks.source(path).offsetOf(position)
    const parent = symbols.find(({ nameAt }) => nameAt === at)?.parent ?? -1
    return { type: symbols[parent], members: symbols.flatMap(each => (each.parent === parent ? [each.name] : [])) }
  }

  /** `super.f()` runs the base's method, whatever overrides it. */
  function isAbove(path: string, position: Position): boolean {
    const { text, offsetOf } = looks.source(path)
    const at = offsetOf(position)
    return /\bsuper\s*(\(\s*\))?\s*\.\s*$/.test(text.slice(Math.max(0, at - LONGEST_SUPER), at))
  }

  function isTarget({ uri, range: { start } }: Location): boolean {
    return (
      server.pathOf(uri) === node.path && node.positions.some(at => isSamePosition(at, start) || isValueOf(at, start))
    )
  }

  /** The server points at the function that is a member's value. */
  function isValueOf(name: Position, start: Position): boolean {
    const { text, offsetOf } = looks.source(node.path)
    return VALUE.test(text.slice(offsetOf(name), Math.min(offsetOf(start), offsetOf(name) + LONGEST_KEY)))
  }

  /** `this.f = () => …`, elsewhere than where `f` is declared. */
  function isAssigned({ uri, range: { start } }: Location): boolean {
    const path = server.pathOf(uri)
    if (path === undefined) return false
    const { text, offsetOf } = looks.source(path)
    return ASSIGNED.test(text.slice(Math.max(0, offsetOf(start) - LONGEST_KEY), offsetOf(start)))
  }

  async function implementedBy({ uri, range: { start } }: Location): Promise<boolean> {
    const path = server.pathOf(uri)
    if (path === undefined || !server.can('implementation')) return false
    return (await server.implementations(path, start)).some(isTarget)
  }
}

const LONGEST_KEY = 200

/** A name, and what is between it and the function that is its value. */
const VALUE = /^[^\s=:(){}]+\s*[=:]\s*(?:(?:async\s+)?function\b\s*\*?\s*)?$/
/** A declared name has no dot before it. */
const ASSIGNED = /\.\s*(?:[\w$#]+\s*=\s*(?:(?:async\s+)?function\b\s*\*?\s*)?)?$/

/** `super` and the dot, with room between them. */
const LONGEST_SUPER = 80

const THROUGH = 'called through a declaration that it implements or overrides'
