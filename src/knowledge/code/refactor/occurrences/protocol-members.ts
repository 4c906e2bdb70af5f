import { languageAt } from '../../../../languages/registry.ts'
import { oncePer } from '../../../../kernel/once.ts'
import { parseModel } from '../../../model/parse-model.ts'
import { wordOf } from '../../../../languages/file-model/word-of.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import type { Target } from './occurrence.ts'

interface MemberPlace {
  readonly path: string | undefined
  /** Start of its declared name. */
  readonly start: number
}

/** The class of a member, by its text. */
interface Holder {
  readonly text: string
  readonly isProtocol: boolean
  readonly hasBases: boolean
  /** Names of its own members. */
  readonly members: readonly string[]
}

/**
 * Returns a test of whether a member and the target may be one at run time: one belongs to a structural base, which
 * the class of the other fulfils by its shape, without naming it.
 */
export function protocolMembers({ sources, mayRead }: RefactorParts, target: Target) {
  const { structuralBase } = languageAt(target.path)
  const models = oncePer(async (path: string) => parseModel(path, Buffer.from(sources(path).text)))
  const targetPlaces = target.places.map(({ path, position }) => ({ path, start: sources(path).offsetOf(position) }))
  let holders: Promise<readonly (Holder | undefined)[]> | undefined

  return async (member: MemberPlace): Promise<boolean> => {
    if (target.scope !== 'member' || structuralBase === undefined) return false
    const other = await holderOf(member)
    const targetHolders = await (holders ??= Promise.all(targetPlaces.map(holderOf)))
    return other !== undefined && targetHolders.some(one => one && (isFulfilled(one, other) || isFulfilled(other, one)))
  }

  async function holderOf({ path, start }: MemberPlace): Promise<Holder | undefined> {
    if (path === undefined || languageAt(path).structuralBase === undefined || !mayRead(path)) return undefined
    const { symbols = [] } = (await models(path)) ?? {}
    const number = symbols.find(({ nameAt }) => nameAt === start)?.parent ?? -1
    const holder = symbols[number]
    if (holder?.kind !== 'class' || !holder.body) return undefined
    const { text } = sources(path)
    const head = text.slice(holder.nameAt, holder.body.start)
    return {
      text: text.slice(holder.body.start, holder.body.end),
      isProtocol: structuralBase !== undefined && wordOf(structuralBase).test(head),
      hasBases: (holder.extends?.length ?? 0) > 0,
      members: symbols.flatMap(each => (each.parent === number ? [each.name] : [])),
    }
  }
}

/** Reports whether a class may have every member of a structural base: its own, a base's, or one that is assigned. */
const isFulfilled = (protocol: Holder, by: Holder): boolean =>
  protocol.isProtocol &&
  !by.isProtocol &&
  (by.hasBases || protocol.members.every(name => name.startsWith('__') || wordOf(name, 'u').test(by.text)))
