import { EMPTY_MEMBERS, type ScriptMembers } from '../../../../languages/javascript/usage/script-members.ts'
import type { Holder } from '../../../../languages/javascript/usage/holders.ts'
import { askParser } from '../../../parser/ask-parser.ts'

/** A symbol of a script whose computed keys are searched. */
export interface KeyedSymbol {
  readonly path: string
  /** Its qualified name: `tasks.build`. */
  readonly name: string
  readonly text: string
  /** Position of its name. */
  readonly at: number
}

/** What has the symbol as a member: an object, class or type, or its module. */
export interface MemberOwner {
  readonly path: string
  /** Unqualified; empty for a module, and for an object without a name. */
  readonly name: string
  readonly holder: Holder | undefined
  readonly isModule: boolean
  /** The unqualified name of the symbol. */
  readonly member: string
}

export async function membersIn(path: string, text: string): Promise<ScriptMembers> {
  const reply = await askParser({ job: 'members', path, content: text })
  return 'value' in reply ? (reply.value as ScriptMembers) : EMPTY_MEMBERS
}

/** The owner of a symbol; undefined for a local one. */
export async function ownerOfMember({ path, name, text, at }: KeyedSymbol): Promise<MemberOwner | undefined> {
  const parts = name.split('.')
  const member = parts.at(-1) ?? name
  const { holders } = await membersIn(path, text)
  const within = { path, name: parts.at(-2) ?? '', member, isModule: false }
  const holder = holders.find(({ members }) => members.some(each => each.at === at))
  if (holder) return { ...within, holder }
  // `tasks.build = …`, `Tasks.prototype.build = …`, `this.build = …`
  const [, object] = /([\w$]+)\s*\.\s*(?:prototype\s*\.\s*)?$/.exec(text.slice(Math.max(0, at - LONGEST), at)) ?? []
  if (object === 'this') return { ...within, holder: holders.findLast(each => each.kind === 'class' && each.at < at) }
  if (object !== undefined && object !== 'exports') return { ...within, name: object, holder: undefined }
  return parts.length === 1 ? { ...within, name: '', holder: undefined, isModule: true } : undefined
}

/** Looks no further back for the object of an assigned member. */
const LONGEST = 200
