import { LIBRARY_TYPES } from '../../../../languages/typescript/typescript.ts'
import { once, oncePer } from '../../../../kernel/once.ts'
import type { Holder } from '../../../../languages/javascript/usage/holders.ts'
import type { Location } from '../../servers/lsp-schemas.ts'
import type { ServerClient } from '../../servers/types.ts'
import type { Source } from '../../source.ts'
import { isSamePosition } from '../places.ts'
import { membersIn, type MemberOwner } from './member-owner.ts'

/** `it` is the owner or of its type, `open` may be, `other` is certainly not. */
export type ReceiverVerdict = 'it' | 'open' | 'other'

export interface ReceiverParts {
  readonly server: Pick<ServerClient, 'definition' | 'typeDefinition' | 'pathOf'>
  readonly mayRead: (path: string) => boolean
  readonly source: (path: string) => Source
}

/** A holder in its file. */
interface Placed {
  readonly path: string
  readonly holder: Holder
}

const DEEPEST = 8

/** Returns a judge of whether the object at a place may own the member, by what its server knows of the type. */
export function receiverJudge(owner: MemberOwner, parts: ReceiverParts) {
  const { server, mayRead, source } = parts
  const read = oncePer(async (path: string) => (await membersIn(path, source(path).text)).holders)
  const judgeOnce = oncePer(
    ({ path, at }: { readonly path: string; readonly at: number }) => verdictAt(path, at, 0),
    ({ path, at }) => `${path} ${at}`,
  )
  const loadOwnTypes = once(() => ownTypes(owner, parts))
  return {
    judge: (path: string, at: number): Promise<ReceiverVerdict> => judgeOnce({ path, at }),
    /** The files of the types that the owner is declared with: whoever knows one of them may be given the owner. */
    typesIn: async (): Promise<readonly string[]> =>
      (await loadOwnTypes()).flatMap(({ uri }) => server.pathOf(uri) ?? []),
  }

  async function verdictAt(path: string, at: number, depth: number): Promise<ReceiverVerdict> {
    if (at < 0 || depth > DEEPEST) return 'open'
    const holderThere = await holderAt(path, at)
    if (holderThere?.kind === 'object') return ofHolder({ path, holder: holderThere }, depth)
    const types = await server.typeDefinition(path, source(path).positionOf(at))
    const outside = types.filter(({ uri }) => server.pathOf(uri) === undefined)
    // An array, whose element type is listed too.
    if (outside.length > 1) return 'other'
    const verdicts = await Promise.all(types.map(type => ofType(type, depth)))
    return verdicts.length === 0 ? 'open' : worst(verdicts)
  }

  async function ofType({ uri, range }: Location, depth: number): Promise<ReceiverVerdict> {
    const path = server.pathOf(uri)
    if (path === undefined) return LIBRARY_TYPES.test(uri) ? 'open' : 'other'
    if (!mayRead(path)) return 'open'
    const isOwn = (own: Location) => own.uri === uri && isSamePosition(own.range.start, range.start)
    if (owner.holder?.kind === 'object' && (await loadOwnTypes()).some(isOwn)) return 'it'
    const { text, offsetOf } = source(path)
    const at = offsetOf(range.start)
    const holder = await holderAt(path, at)
    if (holder) return ofHolder({ path, holder }, depth)
    if (owner.isModule) return at === 0 && exportsMember(owner, path, text) ? 'it' : 'other'
    return path === owner.path && owner.name !== '' && nameAt(text, at) === owner.name ? 'it' : 'other'
  }

  async function ofHolder({ path, holder }: Placed, depth: number): Promise<ReceiverVerdict> {
    if (isOwner(owner, path, holder, source(path).text)) return 'it'
    if (holder.kind === 'parameter') return 'open'
    if (holder.kind === 'object') {
      // Members may be added to it.
      if (holder.members.length + holder.from.length === 0) return 'open'
      return worst(await Promise.all(holder.from.map(each => verdictAt(path, each, depth + 1))))
    }
    const ownHolder = owner.holder && { path: owner.path, holder: owner.holder }
    if (holder.kind === 'enum' || holder.kind === 'namespace') return 'other'
    const derivations = ownHolder
      ? [await derives({ path, holder }, ownHolder), await derives(ownHolder, { path, holder })]
      : []
    if (derivations.includes('it')) return 'it'
    return derivations.includes('open') || mayBeTyped(owner, holder) ? 'open' : 'other'
  }

  async function derives(from: Placed, to: Placed): Promise<ReceiverVerdict> {
    const visitedHolders = new Set<string>()
    let isOpen = false
    const open = [from]
    for (let next = open.pop(); next; next = open.pop()) {
      const { path, holder } = next
      if (path === to.path && holder.at === to.holder.at) return 'it'
      if (visitedHolders.has(`${path} ${holder.at}`)) continue
      visitedHolders.add(`${path} ${holder.at}`)
      if (holder.kind === 'object') continue
      for (const each of holder.from) {
        const bases = each < 0 ? [] : await server.definition(path, source(path).positionOf(each))
        isOpen ||= bases.length === 0
        for (const { uri, range } of bases) {
          const file = server.pathOf(uri)
          if (file === undefined || !mayRead(file)) continue
          const base = await holderAt(file, source(file).offsetOf(range.start))
          if (base) open.push({ path: file, holder: base })
        }
      }
    }
    return isOpen ? 'open' : 'other'
  }

  async function holderAt(path: string, at: number): Promise<Holder | undefined> {
    return (await read(path)).find(each => each.at === at)
  }
}

const LONGEST = 200
/** A variable, and its type, before its value. */
const DECLARED = /([\w$]+)\s*(?::[^=;]*)?=\s*$/
const nameAt = (text: string, at: number): string | undefined => /^[\w$]+/.exec(text.slice(at, at + LONGEST))?.[0]

const worst = (verdicts: readonly ReceiverVerdict[]): ReceiverVerdict =>
  verdicts.includes('it') ? 'it' : verdicts.includes('open') ? 'open' : 'other'

/** Reports whether the owner may have a type: that needs all of its members. */
function mayBeTyped(owner: MemberOwner, { members }: Holder): boolean {
  const ownHolder = owner.holder
  if (!ownHolder || ownHolder.from.length > 0) return true
  return members.every(each => each.isOptional || ownHolder.members.some(({ name }) => name === each.name))
}

/** Reports whether something with members of a file is the owner. */
function isOwner(owner: MemberOwner, path: string, holder: Holder, text: string): boolean {
  if (path !== owner.path) return false
  if (owner.holder) return owner.holder.at === holder.at
  // `const tasks = {}` with members that are assigned to it.
  const before = text.slice(Math.max(0, holder.at - LONGEST), holder.at)
  const [, name] = DECLARED.exec(before) ?? []
  return owner.name !== '' && (holder.kind === 'object' ? name : nameAt(text, holder.at)) === owner.name
}

/** A module that is the symbol's own, or may export it again. */
export function exportsMember(owner: MemberOwner, path: string, text: string): boolean {
  return path === owner.path || /\bexport\s*\*/.test(text) || new RegExp(`\\b${owner.member}\\b`).test(text)
}

/** The written type of an object, and what a class implements or extends. */
async function ownTypes(owner: MemberOwner, { server, source }: ReceiverParts): Promise<readonly Location[]> {
  const { holder, path } = owner
  if (!holder) return []
  const { text, positionOf } = source(path)
  if (holder.kind !== 'object')
    return (await Promise.all(holder.from.map(at => (at < 0 ? [] : server.definition(path, positionOf(at)))))).flat()
  const [before] = DECLARED.exec(text.slice(Math.max(0, holder.at - LONGEST), holder.at)) ?? []
  return before === undefined ? [] : server.typeDefinition(path, positionOf(holder.at - before.length))
}
