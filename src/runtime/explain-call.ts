import { decide, type Decision } from '../guards/policy/decide.ts'
import type { WatchedRule } from '../guards/policy/start-rules.ts'
import type { Verdict } from '../guards/verdict.ts'
import type { Claim } from '../kernel/claim.ts'
import { validate } from '../kernel/validate.ts'
import { checkCall } from './check-call.ts'
import { factsOf, prepareCommands } from './prepare.ts'
import type { Mounted } from './run.ts'
import type { Session } from './session.ts'
import { isCommand } from './tool-traits.ts'

/** A call to explain, or the bare claim that some call would make. */
export type Explained = { readonly tool: string; readonly input: unknown } | { readonly claim: Claim }

/** Why policy decides as it does, and what holds while the call runs. */
export interface Explanation {
  readonly decision: Decision
  readonly claims: readonly ExplainedClaim[]
  /** Only for commands. */
  readonly commands?: {
    /** Rules that are checked whenever one of their programs starts. */
    readonly atStart: readonly WatchedRule[]
    /** What the approval of the line lets it change, unless a person gives it. */
    readonly changes: 'read-only' | 'dropped' | 'writable'
  }
}

interface ExplainedClaim extends Claim {
  readonly verdict: Verdict
  readonly rule?: string
}

/** Explains the decision on a call without making it. */
export async function explainCall<Engines>(
  session: Session<Engines>,
  mount: Mounted<Engines>,
  request: Explained,
): Promise<Explanation> {
  const { machine, policy } = session
  await machine.load?.(['read', 'create', 'write', 'exec'])
  const statedClaims = statedBy(session, mount, request)
  const claims = machine.canonical(statedClaims)
  await prepareCommands(claims)
  const decision =
    'tool' in request ? await checkCall(session, mount, request.tool, request.input) : decide(policy, claims)
  const each = claims.map((claim): ExplainedClaim => {
    const { verdict, rule } = decide(policy, [claim])
    return { action: claim.action, resource: claim.resource, verdict, ...(rule !== undefined && { rule }) }
  })
  if (!claims.some(isCommand)) return { decision, claims: each }
  const [{ watchedRules }, { commandGrant }] = await Promise.all([
    import('../guards/policy/start-rules.ts'),
    import('../guards/policy/command-grant.ts'),
  ])
  const lines = claims.filter(isCommand).map(({ resource }) => resource)
  const { tree } = commandGrant(policy, claims, false)
  return { decision, claims: each, commands: { atStart: watchedRules(policy, lines), changes: tree } }
}

function statedBy<Engines>(
  session: Session<Engines>,
  { registry }: Mounted<Engines>,
  explained: Explained,
): readonly Claim[] {
  if ('claim' in explained) return [explained.claim]
  const tool = registry.get(explained.tool)
  return tool.claims(validate(tool, explained.input), factsOf(session))
}
