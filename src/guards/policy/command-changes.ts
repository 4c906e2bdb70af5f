import type { Claim } from '../../kernel/claim.ts'
import { protectedPlace } from './builtin.ts'
import { decide } from './decide.ts'
import { foldPath } from '../../kernel/fold-name.ts'
import { demandOfNames } from './other-names.ts'
import type { Policy } from './policy.ts'
import { isStricter, stricterOf, type Verdict } from '../verdict.ts'

/** The policy's verdict on one change that a command made. */
export interface ChangeVerdict {
  readonly verdict: Verdict
  readonly why: string
  /** Only a person may answer: no remembered answer does. */
  readonly always?: true
  /** The permission that would allow it; absent if none can. */
  readonly missing?: string
}

/** The approval under which a command ran that made a change. */
export interface Granted {
  /** A person approved this very call; otherwise a rule or a remembered answer did. */
  readonly byPerson: boolean
  /** Reports whether the rules that allow the command let it change this path without a question. */
  readonly writes?: (path: string) => boolean
  /** The change is a directory that only holds other changes, which are judged themselves. */
  readonly isOnTheWay?: boolean
}

/** Installed packages. A name that is protected elsewhere means nothing inside one, but does beside them. */
const PACKAGE =
  /(^|\/)(node_modules\/(@[^/]+\/)?[^./@][^/]*|site-packages\/[^./][^/]*|vendor\/[^./][^/]*\/[^./][^/]*|_deps\/[^./][^/]*)\//

/**
 * Judges a command's change before it lands. A person's approval of the command covers ordinary files, but lifts no
 * deny. A rule that allows a command allows running it, and its changes are judged like any write. Rules and protected
 * places apply in either case.
 */
export function decideChange(policy: Policy, claim: Claim, permission: Granted): ChangeVerdict {
  const { byPerson, writes, isOnTheWay = false } = permission
  const placeVerdict = decidePlace(policy, claim)
  const placeDemand: ChangeVerdict = placeVerdict.verdict === 'ask' ? { ...placeVerdict, always: true } : placeVerdict
  if (placeVerdict.verdict === 'deny' || isOnTheWay) return placeDemand
  const { verdict, why, missing, always, rule } = decide(policy, [claim])
  if (byPerson && verdict !== 'deny') return placeDemand
  if (placeVerdict.verdict === 'ask' && verdict !== 'deny') return placeDemand
  // A rule of the command's own lifts a default that asks, but never that of an enclosing policy.
  const isLifted = verdict === 'ask' && rule === undefined && writes?.(claim.resource) === true
  if (isLifted && (!policy.within || decide(policy.within, [claim]).verdict === 'allow'))
    return { verdict: 'allow', why: 'the rule that allows the command lets it' }
  return { verdict, why, ...(missing !== undefined && { missing }), ...(always && { always }) }
}

/** Reports whether a command's change at a path that git ignores is judged; otherwise it lands with the command. */
export function isJudgedIfIgnored(policy: Policy, path: string, isNew: boolean): boolean {
  const write: Claim = { action: 'write', resource: path }
  const claim: Claim = isNew ? { ...write, action: 'create' } : write
  if (decidePlace(policy, claim, { ignored: true }).verdict !== 'allow') return true
  return [claim, write].some(each => decide(policy, [each]).verdict === 'deny')
}

/** Judges a change by rules about places and by protected places, under any name; ignores defaults, but no deny. */
export function decidePlace(policy: Policy, claim: Claim, options: { readonly ignored?: boolean } = {}): ChangeVerdict {
  const { action, resource: path } = claim
  const guard = protectedPlace(path, policy.protection)
  const isWaived = guard?.verdict === 'ask' && options.ignored === true && isInstalled(policy, path)
  let strictest: ChangeVerdict = guard && !isWaived ? guard : { verdict: 'allow', why: 'the command was granted' }
  const alias = foldPath(path)
  for (let layer: Policy | undefined = policy; layer !== undefined; layer = layer.within) {
    const demand = demandOfNames(layer, claim, path)
    if (demand && isStricter(demand.verdict, strictest.verdict)) strictest = demand
    for (const { verdict, matcher, why, id, path: place } of layer.rules.byAction[action]) {
      if (verdict === 'allow' || (place === undefined && verdict === 'ask')) continue
      if (matcher.touches(path, alias) === 'none') continue
      if (stricterOf(verdict, strictest.verdict) !== strictest.verdict)
        strictest = { verdict, why: why ?? `rule ${id}` }
    }
  }
  return strictest
}

/** Reports whether the path lies in an installed package, and the package not in a protected place. */
function isInstalled({ protection }: Policy, path: string): boolean {
  const at = PACKAGE.exec(path)?.index
  return at !== undefined && (at === 0 || protectedPlace(path.slice(0, at), protection) === undefined)
}
