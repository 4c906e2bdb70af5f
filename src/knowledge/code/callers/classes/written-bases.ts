import type { FileModel, Reference, Value } from '../../../../languages/file-model/file-model.ts'

/** The bases in the head of a class. */
interface WrittenBases {
  /** Start of the last part of each base's name. */
  readonly names: readonly { readonly name: string; readonly at: number }[]
  /** One of them is no name: a call, or an unpacked list. */
  readonly isUnsure: boolean
}

/** The bases of the Python class whose name is at an offset. */
export function writtenBases({ symbols, references }: FileModel, nameAt: number): WrittenBases {
  const { extends: bases = [], body } = symbols.find(each => each.kind === 'class' && each.nameAt === nameAt) ?? {}
  const head = references.filter(({ at = -1 }) => body && at > nameAt && at < body.start)
  const names = bases.flatMap(base => {
    const at = head.find(each => isOf(each, base))?.at
    return at === undefined ? [] : [{ name: String(base.at(-1)), at }]
  })
  return { names, isUnsure: !body || names.length < bases.length || head.some(isMade) }
}

/** `Base`, or `Base[T]`, which is no name if a module precedes it. */
function isOf({ value }: Reference, base: Value): boolean {
  const baseValue = value[0] === 'sign' && base[0] === 'name' ? value[1] : value
  return JSON.stringify(baseValue) === JSON.stringify(base)
}

/** A call, or `*bases`. */
const isMade = ({ kind, value }: Reference): boolean =>
  kind === 'call' && !(value[0] === 'sign' && value[2] === '__getitem__')
