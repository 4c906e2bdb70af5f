import type { Claim } from '../../kernel/claim.ts'
import { protectedPlace } from './builtin.ts'
import { decide } from './decide.ts'
import { foldPath } from '../../kernel/fold-name.ts'
import type { Policy } from './policy.ts'
import { stricterOf, type Verdict } from './verdict.ts'

/** What policy says to one change that a command made. */
export interface ChangeVerdict {
  readonly verdict: Verdict
  readonly why: string
  /** Only a person may answer this ask: no remembered answer does. */
  readonly always?: true
  /** The permission that would allow it; absent where none can. */
  readonly missing?: string
}

/** By whose word the command ran that made a change. */
export interface Granted {
  /** A person said yes to this very call; otherwise a rule or a remembered answer did. */
  readonly byPerson: boolean
  /** What the rules that allow the command let it change without a question. */
  readonly writes?: (path: string) => boolean
}

/** Where programs put what others have written: names that mean something elsewhere mean nothing in there. */
const DEPENDENCIES =
  /(^|\/)(node_modules|\.venv|venv|site-packages|vendor|target|dist|build|__pycache__|\.next|\.cache|\.gradle)\//

/**
 * Judges a change that a command made before it lands. A person's yes to the command covers ordinary files; a rule that
 * allows a command allows running it, and what it changed is judged as any write. Rules and protected places are asked
 * in either case.
 */
export function decideChange(policy: Policy, claim: Claim, { byPerson, writes }: Granted): ChangeVerdict {
  const placed = decidePlace(policy, claim.resource)
  if (placed.verdict === 'deny' || byPerson) return placed.verdict === 'ask' ? { ...placed, always: true } : placed
  const { verdict, why, missing, always, rule } = decide(policy, [claim])
  if (placed.verdict === 'ask' && verdict !== 'deny') return { ...placed, always: true }
  // A rule of the command's own lifts a default that asks, never that of a policy around this one.
  const isLifted = verdict === 'ask' && rule === undefined && writes?.(claim.resource) === true
  if (isLifted && (!policy.within || decide(policy.within, [claim]).verdict === 'allow'))
    return { verdict: 'allow', why: 'the rule that allows the command lets it' }
  return { verdict, why, ...(missing !== undefined && { missing }), ...(always && { always }) }
}

/** Reports whether what a command changed at a path that git ignores is judged; otherwise it lands with the command. */
export const isJudgedIfIgnored = (policy: Policy, path: string): boolean =>
  decidePlace(policy, path, { ignored: true }).verdict !== 'allow' ||
  decide(policy, [{ action: 'write', resource: path }]).verdict === 'deny'

/** What rules about places and protected places say to a change that a command made; no default counts. */
export function decidePlace(policy: Policy, path: string, options: { readonly ignored?: boolean } = {}): ChangeVerdict {
  const guard = protectedPlace(path, policy.protection)
  const waived = guard?.verdict === 'ask' && options.ignored === true && isInstalled(policy, path)
  let strictest: ChangeVerdict = guard && !waived ? guard : { verdict: 'allow', why: 'the command was granted' }
  const alias = foldPath(path)
  for (let layer: Policy | undefined = policy; layer !== undefined; layer = layer.within)
    for (const { verdict, matcher, why, id, path: place } of layer.rules.byAction.write) {
      if (verdict === 'allow' || place === undefined || matcher.touches(path, alias) === 'none') continue
      if (stricterOf(verdict, strictest.verdict) !== strictest.verdict)
        strictest = { verdict, why: why ?? `rule ${id}` }
    }
  return strictest
}

/** Reports whether it is the directory of dependencies that comes first on the way, and not a protected place. */
function isInstalled({ protection }: Policy, path: string): boolean {
  const at = DEPENDENCIES.exec(path)?.index
  return at !== undefined && (at === 0 || protectedPlace(path.slice(0, at), protection) === undefined)
}
