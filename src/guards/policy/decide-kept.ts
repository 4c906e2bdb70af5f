import type { Claim, KeptOrigin } from '../../kernel/claim.ts'
import { isStricter } from '../verdict.ts'
import { isSecretFile } from '../../kernel/secret-files.ts'
import { commandParser, hasCommandParser } from './command-parser.ts'
import type { Decision } from './decision.ts'
import type { Policy } from './policy.ts'
import { newLimit, policyPrint } from './read-limits.ts'

/**
 * Judges reading a stored text by the call that made it. What the call read or changed is judged like a read now.
 * Approval of a command or a request covered its answer, so of these only a deny counts, and a file with secrets that the
 * line names; and a command may have read whatever was not hidden from it. `ownDecision` is the decision on the name of
 * the text.
 */
export function decideKept(
  policy: Policy,
  claim: Claim & Required<Pick<Claim, 'origin'>>,
  ownDecision: Decision,
  decide: (claim: Claim) => Decision,
): Decision {
  const { origin } = claim
  if (ownDecision.verdict === 'deny') return ownDecision
  const about = (why: string, decision: Omit<Decision, 'why' | 'claim' | 'filters'>): Decision => ({
    ...decision,
    why: `read ${claim.resource}: ${why}`,
    claim,
    filters: [],
    ...(decision.verdict === 'ask' && { always: true as const }),
  })
  if (origin === 'unknown')
    return about('an older version stored it and did not note what it holds; run its call again', { verdict: 'ask' })
  // This level has judged the call that the session made; the answer was its own.
  if (origin.own?.policy.includes(policyPrint(policy))) return ownDecision
  const later = limitsOf(policy, origin).map(({ verdict, what, rule }) =>
    about(`${what}, which did not hold for the call that stored it; run that call again`, {
      verdict,
      ...(rule !== undefined && { rule }),
    }),
  )
  const pastDecisions = origin.claims.map(each => {
    const { why, ...decision } = judgeAsRead(each, decide)
    return decision.verdict === 'allow' ? ownDecision : about(`it holds the answer of a call, and ${why}`, decision)
  })
  return [...pastDecisions, ...later].reduce(
    (worst, next) => (isStricter(next.verdict, worst.verdict) ? next : worst),
    ownDecision,
  )
}

function judgeAsRead(claim: Claim, decide: (claim: Claim) => Decision): Decision {
  const { action, resource, link, memory, origin } = claim
  if (action === 'read' || action === 'create' || action === 'write')
    return decide({
      action: 'read',
      resource,
      ...(link && { link }),
      ...(memory && { memory }),
      ...(origin && { origin: ofAnySession(origin) }),
    })
  if (action === 'exec' && !hasCommandParser())
    return { verdict: 'ask', why: `exec ${resource}: no parser of commands is loaded`, filters: [] }
  const decision = decide(claim)
  if (decision.verdict === 'deny') return decision
  const secret = action === 'exec' ? askedSecret(claim, decide) : undefined
  return secret ?? { verdict: 'allow', why: decision.why, filters: [] }
}

/** Returns the question about a file with secrets that the line of a command names: approving the line showed it once. */
function askedSecret({ resource, cwd }: Claim, decide: (claim: Claim) => Decision): Decision | undefined {
  const files = commandParser().lineFiles(resource, cwd).filter(isSecretFile)
  return files.map(path => decide({ action: 'read', resource: path })).find(({ verdict }) => verdict === 'ask')
}

/** A text was the own answer of a session only if that session reads this text itself. */
function ofAnySession(origin: KeptOrigin | 'unknown'): KeptOrigin | 'unknown' {
  if (origin === 'unknown') return origin
  const { own: _, ...rest } = origin
  return rest
}

function limitsOf(policy: Policy, { claims, commands, limits }: KeptOrigin) {
  const directories = claims.flatMap(({ action, resource }) => (action === 'exec' ? [] : (subtreeOf(resource) ?? [])))
  const hasCommands = commands === true || claims.some(({ action }) => action === 'exec')
  return [...directories, ...(hasCommands ? [undefined] : [])].flatMap(
    directory => newLimit(policy, limits, directory) ?? [],
  )
}

/** Returns the directory of a claim on everything below it. */
const subtreeOf = (resource: string): string | undefined =>
  resource === '**' ? '' : resource.endsWith('/**') ? resource.slice(0, -3) : undefined
