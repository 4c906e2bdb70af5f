import type { Value } from '../../model/file-model.ts'
import { holderName } from './call-targets.ts'
import { isScript } from './family.ts'
import type { Where } from './meaning.ts'
import { isBelow } from './overriding.ts'
import { isSame, symbolAt, type Found } from './project.ts'
import type { Resolution } from './resolution.ts'
import { isFirstOf } from './values.ts'

/** Why a call that may run one of the wanted may run something else instead, in words; undefined where it cannot. */
export function whyUnsure(
  resolution: Resolution,
  value: Value,
  groups: readonly (readonly Found[])[],
  wanted: readonly Found[],
  where: Where,
): string | undefined {
  const isWanted = (group: readonly Found[]): boolean => group.some(each => wanted.some(one => isSame(one, each)))
  const meant = groups.filter(isWanted).flatMap(([head]) => head ?? [])
  const other = groups
    .filter(group => !isWanted(group))
    .flatMap(([head]) => head ?? [])
    .find(head => meant.every(each => isAlternative(resolution, head, each)))
  // A bare name means what stands outside of all modules rather than what stands in one.
  const isOutside = (each: Found): boolean => symbolAt(each)?.parent === -1
  const isNearest = other !== undefined && value[0] === 'name' && meant.every(isOutside) && !isOutside(other)
  if (other && !isNearest) return `one of several that the value may be: ${nameOf(other)} is another`
  if (value[0] !== 'either' || isFirstOf(value, where)) return undefined
  const [, ...all] = value
  const isOpen = all.some(each => resolution.value(each, where).length === 0)
  return isOpen ? 'one of several that the value may be, not all of which are known' : undefined
}

/** Whether they are two things, and not two declarations of one. */
function isAlternative(resolution: Resolution, one: Found, other: Found): boolean {
  const [first, second] = [symbolAt(one), symbolAt(other)]
  if (first?.name !== second?.name) return true
  const isBeside = one.file === other.file && first?.parent === second?.parent
  const { language } = one.file.code
  if (isScript(language) || language === 'python') return !isBeside
  if (isBeside || holderName(one) === holderName(other)) return false
  return !isBelow(resolution, one, other) && !isBelow(resolution, other, one)
}

function nameOf(at: Found): string {
  const holder = holderName(at)
  const name = symbolAt(at)?.name ?? ''
  return holder === undefined ? name : `${holder}.${name}`
}
