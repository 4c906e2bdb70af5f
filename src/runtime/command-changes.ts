import { decideChange, type ChangeVerdict, type Granted } from '../guards/policy/command-changes.ts'
import type { Decision } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import { visibleDiff, type Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import { approve, type Approval, type Asked } from './approve.ts'
import type { NamesClaims } from './late-claims.ts'
import { isOnTheWay } from './plan.ts'
import type { Session } from './session.ts'

const SHOWN = 20

/** The question that a person must answer before a command's changes land. */
interface ChangesQuestion {
  readonly decision: Decision
  /** The changes in question, as writes. */
  readonly claims: readonly Claim[]
}

/**
 * Judges a command's changes path by path. Throws `denied` with a list if some are not allowed, and returns the
 * question for a person if some need approval.
 */
export function judgeCommandChanges(
  policy: Policy,
  changes: readonly Change[],
  grants: Granted & { readonly named: NamesClaims },
): ChangesQuestion | undefined {
  const { named, ...by } = grants
  const writeClaims = changes.flatMap(change => {
    // A directory that is only created to hold other changes needs no approval of its own.
    const granting = { ...by, isOnTheWay: change.kind === 'mkdir' && isOnTheWay(change.path, changes) }
    return claimsOf(change).map(claim => ({ claim, by: granting }))
  })
  const verdicts = named(writeClaims.map(({ claim }) => claim)).map((claim, at) => ({
    claim,
    ...decideChange(policy, claim, writeClaims[at]?.by ?? by),
  }))
  const deniedChanges = verdicts.filter(({ verdict }) => verdict === 'deny')
  if (deniedChanges.length > 0) {
    const permissions = deniedChanges.flatMap(({ missing }) => missing ?? [])
    throw new ToolError('denied', `None of the command's changes were kept: ${listChanges(deniedChanges)}`, {
      hint:
        permissions.length === deniedChanges.length
          ? `It needs the permissions ${permissions.slice(0, SHOWN).join(', ')}: add them to the session (--allow on the command line)`
          : 'Change the command so that it leaves these alone, or have a person change the policy',
      details: {
        paths: deniedChanges.map(({ claim }) => claim.resource),
        ...(permissions.length > 0 && { permissions }),
      },
    })
  }
  const changesToAsk = verdicts.filter(({ verdict }) => verdict === 'ask')
  if (changesToAsk.length === 0) return undefined
  const always = changesToAsk.some(one => one.always)
  const missing = always ? undefined : changesToAsk[0]?.missing
  return {
    claims: changesToAsk.map(({ claim }) => claim),
    decision: {
      verdict: 'ask',
      why: `the command changed ${listChanges(changesToAsk)}`,
      filters: [],
      ...(always && { always }),
      ...(missing !== undefined && { missing }),
    },
  }
}

/** A command's changes when a person is asked about them. */
interface AskedChanges extends ChangesQuestion {
  readonly changes: readonly Change[]
  readonly mayRead: (path: string) => boolean
  /** Stores the command's result and returns the plan that lands it; undefined if it cannot be stored. */
  readonly keep: () => Promise<string | undefined>
}

/**
 * Asks once about a command's changes, with the diff. If no one can be asked, the refusal lists the changes and names
 * the plan that lands them without running the command again.
 */
export async function approveChanges<Engines>(
  session: Session<Engines>,
  request: Omit<Asked, 'decision'>,
  { decision, claims, changes, mayRead, keep }: AskedChanges,
): Promise<Approval | undefined> {
  try {
    // Not as stated: an approval of the call's parameters does not cover its result.
    const whole = { ...request, claims: [...request.claims, ...claims], decision }
    return await approve(session, whole, async () => ({ changes }))
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'rejected') throw error
    const { message, hint, details } = error
    const paths = claims.map(({ resource }) => resource)
    const changeDetails = { ...details, paths, diff: visibleDiff(changes, mayRead) }
    // Offers no plan for what a person has refused.
    const plan = details?.['by'] === undefined ? await keep() : undefined
    throw new ToolError('rejected', message, {
      hint: plan === undefined ? (hint ?? '') : `${hint}; the same call with --plan ${plan} then lands this result`,
      details: plan === undefined ? changeDetails : { ...changeDetails, plan },
      cause: error,
    })
  }
}

/** Returns a change as the write that a tool would claim for it. */
function claimsOf({ kind, path, from }: Change): readonly Claim[] {
  if (kind === 'create' || kind === 'mkdir') return [{ action: 'create', resource: path }]
  if (kind === 'delete') return [{ action: 'write', resource: path, link: true }]
  if (kind !== 'move') return [{ action: 'write', resource: path }]
  const sourceClaims: Claim[] = from === undefined ? [] : [{ action: 'write', resource: from, link: true }]
  return [{ action: 'create', resource: path, link: true }, ...sourceClaims]
}

const listChanges = (judged: readonly (ChangeVerdict & { readonly claim: Claim })[]): string => {
  const more = judged.length > SHOWN ? ` and ${judged.length - SHOWN} more` : ''
  return judged
    .slice(0, SHOWN)
    .map(({ claim, why }) => `'${claim.resource}' (${why})`)
    .join(', ')
    .concat(more)
}
