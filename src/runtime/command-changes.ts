import { decideChange, type ChangeVerdict, type Granted } from '../guards/policy/command-changes.ts'
import type { Decision } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import { visibleDiff, type Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import { approve, type Approval, type Asked } from './approve.ts'
import { isOnTheWay } from './plan.ts'
import type { Session } from './session.ts'

const SHOWN = 20

/** The question that a person has to answer before what a command changed lands. */
interface ChangesQuestion {
  readonly decision: Decision
  /** The changes that are asked about, as writes. */
  readonly claims: readonly Claim[]
}

/**
 * Judges what a command changed, path by path: throws `denied` with the list where one may not be changed, and gives the
 * question that a person has to answer where one asks.
 */
export function judgeCommandChanges(
  policy: Policy,
  changes: readonly Change[],
  granted: Granted,
): ChangesQuestion | undefined {
  const judged = changes.flatMap(change => {
    // A directory that is only made for what comes to lie in it needs no word of its own.
    const isCovered = change.kind === 'mkdir' && isOnTheWay(change.path, changes)
    const by = isCovered ? { byPerson: true } : granted
    return claimsOf(change).map(claim => ({ claim, ...decideChange(policy, claim, by) }))
  })
  const denied = judged.filter(({ verdict }) => verdict === 'deny')
  if (denied.length > 0) {
    const permissions = denied.flatMap(({ missing }) => missing ?? [])
    throw new ToolError('denied', `Nothing of what the command changed is kept: ${listed(denied)}`, {
      hint:
        permissions.length === denied.length
          ? `It needs the permissions ${permissions.slice(0, SHOWN).join(', ')}: add them to the session (--allow on the command line)`
          : 'Have the command leave these alone, or have a person change the policy',
      details: {
        paths: denied.map(({ claim }) => claim.resource),
        ...(permissions.length > 0 && { permissions }),
      },
    })
  }
  const asked = judged.filter(({ verdict }) => verdict === 'ask')
  if (asked.length === 0) return undefined
  const always = asked.some(one => one.always)
  const missing = always ? undefined : asked[0]?.missing
  return {
    claims: asked.map(({ claim }) => claim),
    decision: {
      verdict: 'ask',
      why: `the command changed ${listed(asked)}`,
      filters: [],
      ...(always && { always }),
      ...(missing !== undefined && { missing }),
    },
  }
}

/** What a command changed, when a person is asked about it. */
interface AskedChanges extends ChangesQuestion {
  readonly changes: readonly Change[]
  readonly mayRead: (path: string) => boolean
  /** Keeps what the command did, and gives the plan that lands it; undefined if it is not kept. */
  readonly keep: () => Promise<string | undefined>
}

/**
 * Asks once about what a command changed, with the diff. Where nobody can be asked, the refusal says what the command
 * would have changed, and which plan lands it without running it again.
 */
export async function approveChanges<Engines>(
  session: Session<Engines>,
  asked: Omit<Asked, 'decision'>,
  { decision, claims, changes, mayRead, keep }: AskedChanges,
): Promise<Approval> {
  try {
    // Not as stated: what answers for the parameters of the call does not answer for what came of it.
    const whole = { ...asked, claims: [...asked.claims, ...claims], decision }
    return await approve(session, whole, async () => changes)
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'rejected') throw error
    const { message, hint, details } = error
    const paths = claims.map(({ resource }) => resource)
    const shown = { ...details, paths, diff: visibleDiff(changes, mayRead) }
    // What a person has refused is not offered again.
    const plan = details?.['by'] === undefined ? await keep() : undefined
    throw new ToolError('rejected', message, {
      hint: plan === undefined ? (hint ?? '') : `${hint}; the same call with --plan ${plan} then lands this result`,
      details: plan === undefined ? shown : { ...shown, plan },
      cause: error,
    })
  }
}

/** A change as the write that a tool would claim for it. */
function claimsOf({ kind, path, from }: Change): readonly Claim[] {
  if (kind === 'create' || kind === 'mkdir') return [{ action: 'create', resource: path }]
  if (kind === 'delete') return [{ action: 'write', resource: path, link: true }]
  if (kind !== 'move') return [{ action: 'write', resource: path }]
  const gone: Claim[] = from === undefined ? [] : [{ action: 'write', resource: from, link: true }]
  return [{ action: 'create', resource: path, link: true }, ...gone]
}

const listed = (judged: readonly (ChangeVerdict & { readonly claim: Claim })[]): string => {
  const more = judged.length > SHOWN ? ` and ${judged.length - SHOWN} more` : ''
  return judged
    .slice(0, SHOWN)
    .map(({ claim, why }) => `'${claim.resource}' (${why})`)
    .join(', ')
    .concat(more)
}
