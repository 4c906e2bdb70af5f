import type { Approval as Remembered } from '../guards/approval/approval.ts'
import { canonicalJson } from '../guards/approval/canonical-json.ts'
import { matchApproval } from '../guards/approval/matches.ts'
import { proposeRule, type Proposal } from '../guards/approval/narrowest.ts'
import type { Decision } from '../guards/policy/decide.ts'
import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import { riskOf } from '../kernel/tool.ts'
import { parameterNames } from '../kernel/validate.ts'
import { concealCard } from './conceal.ts'
import { cancelled, withDeadline, type Timed } from './deadline.ts'
import { planOf } from './plan.ts'
import type { Answer, Answerer, Card } from './questions.ts'
import { toldDecision } from './refusal.ts'
import type { Opened, Session } from './session.ts'

/** Who allowed a call, and by which words. */
export interface Approval {
  readonly by: string
  readonly answer: 'yes' | 'always' | 'rule'
  readonly at: string
  readonly scope?: string
  readonly rule?: string
  /** The plan of the changes that the person saw; what runs must have the same. */
  readonly shown?: string
}

export interface Asked {
  readonly tool: AnyTool<never>
  readonly toolId: string
  readonly input: unknown
  /** As the tool stated them, and with the real paths that they mean. */
  readonly stated: readonly Claim[]
  readonly claims: readonly Claim[]
  readonly decision: Decision
  readonly task: string
  readonly signal: AbortSignal | undefined
  /** Asked in place of whoever the session asks. */
  readonly approver: Answerer | undefined
}

/** A remembered answer, else a person with the diff before them, else no. */
export async function approve<Engines>(
  session: Session<Engines>,
  asked: Asked,
  preview: () => Promise<readonly Change[] | undefined>,
): Promise<Approval> {
  const { toolId, input, claims, decision } = asked
  const now = session.clock.now()
  const at = new Date(now).toISOString()
  const rule = decision.always ? undefined : await remembered(session, asked, now)
  if (rule) {
    session.approvals.touch(rule.id, now)
    return { by: rule.who, answer: 'rule', at, scope: rule.scope, rule: rule.id }
  }

  if (asked.signal?.aborted) throw cancelled(asked.tool.name, asked.signal)
  const changes = await preview()
  // Worked out before anybody gets hold of the changes.
  const shown = changes && { shown: planOf(toolId, input, changes) }
  const proposal = decision.always ? undefined : proposeRule({ tool: toolId, claims: claims.filter(isAsked) })
  const card: Card = {
    tool: toolId,
    input,
    claims,
    changes: changes ?? [],
    risk: riskOf(asked.tool.effects),
    why: decision.why,
    ...(proposal && { proposal: proposal.text }),
  }
  const answer = await session.questions.ask(concealCard(card, session.revealed), asked.signal, asked.approver)
  if (asked.signal?.aborted) throw cancelled(asked.tool.name, asked.signal)
  if (answer.answer !== 'yes' && answer.answer !== 'always') throw notApproved(session, asked, answer)
  if (answer.answer === 'yes' || !proposal) return { by: answer.by, answer: 'yes', at, ...shown }
  const { id, scope } = remember(session, asked, answer, proposal, now)
  return { by: answer.by, answer: 'always', at, ...shown, scope, rule: id }
}

/** What stands open anyway needs nobody's word, and no rule to remember it. */
const isAsked = ({ standing }: Claim): boolean => standing !== true

async function remembered<Engines>(
  session: Session<Engines>,
  asked: Asked,
  now: number,
): Promise<Remembered | undefined> {
  const rules = await session.approvals.list()
  if (rules.length === 0) return undefined
  const input = canonicalJson(asked.input, parameterNames(asked.tool.input))
  const [claims, stated] = [asked.claims.filter(isAsked), asked.stated.filter(isAsked)]
  const { task } = asked
  return matchApproval(
    rules,
    { tool: asked.toolId, input, claims, stated, session: session.id, task, workspace: session.workspace },
    now,
  )
}

/** `always` leaves the narrowest useful rule behind. */
function remember<Engines>(
  session: Session<Engines>,
  asked: Asked,
  answer: Answer,
  proposal: Proposal,
  at: number,
): Remembered {
  const scope = answer.scope ?? 'workspace'
  return session.approvals.add({
    tool: proposal.tool,
    grants: proposal.grants,
    scope,
    ...(scope === 'task' && { task: asked.task }),
    ...(scope === 'session' && { session: session.id }),
    ...(scope !== 'user' && { workspace: session.workspace }),
    who: answer.by,
    at,
    expiresAt: answer.expiresAt ?? at + session.approvalMs,
    enabled: true,
  })
}

function notApproved<Engines>({ policy }: Session<Engines>, asked: Asked, answer: Answer): ToolError {
  const { toolId } = asked
  if (answer.by !== 'nobody' && answer.undecided === undefined)
    return new ToolError('rejected', `'${toolId}' was not approved`, {
      hint: 'A person said no. Do not make the same call again: ask them what they want instead',
      details: { by: answer.by },
    })
  const decision = toldDecision(policy, asked.decision, asked)
  return new ToolError(
    'rejected',
    `'${toolId}' needs approval, but ${answer.undecided ?? 'no one can be asked here (non-interactive)'}: ${decision.why}`,
    {
      hint: decision.missing
        ? `Grant it beforehand with the permission ${decision.missing} (--allow '${decision.missing}' on the command line)`
        : 'Run it where somebody can answer',
      details: { ...(decision.missing && { permission: decision.missing }) },
    },
  )
}

/** What a call would change, without the secrets and without landing anything; undefined for what only happens once it runs. */
export async function previewOf<Engines>(
  tool: AnyTool<Engines>,
  timed: Timed,
  input: unknown,
  opened: Opened<Engines>,
  signal: AbortSignal | undefined,
): Promise<readonly Change[] | undefined> {
  if (tool.effects.includes('exec') || tool.effects.includes('net')) return undefined
  await withDeadline(timed, signal, context => tool.run(input, opened.engines, context))
  return opened.changes()
}
