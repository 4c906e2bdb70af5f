import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { madeFor, type Approval as Remembered } from '../guards/approval/approval.ts'
import { canonicalJson } from '../guards/approval/canonical-json.ts'
import { matchApproval, outdatedApproval, warningsOfOthers } from '../guards/approval/matches.ts'
import { proposeRule, type Proposal } from '../guards/approval/narrowest-rule.ts'
import { commandParser } from '../guards/policy/command-parser.ts'
import { askingRules } from '../guards/policy/asking-rules.ts'
import { decide, type Decision } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import type { PendingQuestion } from '../kernel/pending-approval.ts'
import { once } from '../kernel/once.ts'
import { toolRisk } from '../kernel/tool.ts'
import { parameterNames } from '../kernel/validate.ts'
import { redactCard } from './redact-outcome.ts'
import { cancellationError, withDeadline, type Timed } from './deadline.ts'
import { questionOrigin } from './kept-origin.ts'
import type { Caller } from './call-options.ts'
import { pendingQuestion, policyVersion } from './pending-question.ts'
import { planOf } from './plan.ts'
import type { Answer, Answerer, Card } from './questions.ts'
import { allowing, missingIn, describeDecision } from './refusal.ts'
import type { Opened, Session } from './session.ts'
import { runsUnnamed, runTextsOf, type RunTexts } from './run-texts.ts'
import { countThinking, type AskingTrail } from './thinking-time.ts'

/** Who allowed a call, and by which approval. */
export interface Approval {
  readonly by: string
  readonly answer: 'yes' | 'always' | 'rule'
  readonly at: string
  readonly scope?: string
  readonly rule?: string
  /** The plan of the changes that the person saw. The call must still have the same plan when it runs. */
  readonly shown?: string
  /** The accepted hunks of it, if not all. */
  readonly hunks?: readonly number[]
  /** What the person said to it. */
  readonly reason?: string
}

export interface Asked {
  readonly tool: AnyTool<never>
  readonly toolId: string
  readonly input: unknown
  /** The claims as the tool stated them, before their paths were resolved. */
  readonly stated: readonly Claim[]
  readonly claims: readonly Claim[]
  readonly decision: Decision
  readonly task: string
  readonly signal: AbortSignal | undefined
  /** Asked instead of the session's own answerer. */
  readonly approver: Answerer | undefined
  /** Who makes the call, and how long its surface waits for an answer. */
  readonly caller?: Caller | undefined
  readonly trail: AskingTrail
  /** A command whose changes wait for the end of a transaction. */
  readonly isStaged?: boolean
}

/** What a call would change, and what to say about it. */
interface Preview {
  readonly changes: readonly Change[]
  /** All files have the requested content already, and the caller may read them: there is nothing to approve. */
  readonly isUnchanged?: boolean
  readonly warnings?: readonly string[]
}

/** Uses a remembered answer, else asks a person and shows the diff, else refuses. */
export async function approve<Engines>(
  session: Session<Engines>,
  request: Asked,
  preview: () => Promise<Preview | undefined>,
): Promise<Approval | undefined> {
  const { toolId, input, claims } = request
  const now = session.clock.now()
  const at = new Date(now).toISOString()
  const runs = asShownFirst(request.trail.runs, runTextsOf(session, claims))
  request.trail.runs ??= runs
  const { rule, notes: answers = [] } = request.decision.always
    ? {}
    : await findRemembered(session, { ...request, given: request.trail.given }, now)
  if (rule) {
    session.approvals.touch(rule.id, now)
    return { by: rule.who, answer: 'rule', at, scope: rule.scope, rule: rule.id }
  }

  if (request.signal?.aborted) throw cancellationError(request.tool.name, request.signal)
  const { changes, warnings = [], isUnchanged } = (await preview()) ?? {}
  if (isUnchanged) return undefined
  const notes = [...answers, ...(request.isStaged && claims.some(sends) ? [SENT] : []), ...warnings]
  // Computed before anyone else gets hold of the changes.
  const shownPlan = changes && { shown: planOf(toolId, input, changes) }
  // Approval of a dry run approves nothing that lands.
  const isRemembered = !request.decision.always && !request.trail.dryRun && !runsUnnamed(session, claims)
  const proposal = !isRemembered ? undefined : proposeRule({ tool: toolId, claims: claims.filter(isAsked) })
  const card: Card = {
    tool: toolId,
    input,
    claims,
    changes: changes ?? [],
    risk: toolRisk(request.tool),
    why: [request.decision.why, ...notes].join('; '),
    ...(proposal && { proposal: `${proposal.text}${whileSame(runs)}` }),
  }
  const clean = redactCard(card, session.revealed)
  const origin = () => questionOrigin(session, [...claims, ...(changes ?? []).flatMap(changedPaths)])
  const question = { ...clean, whole: () => `ref:${session.machine.keep(wholeText(clean), origin())}` }
  const publicQuestion = (): PendingQuestion => pendingQuestion(session, request, question, { changes, runs })
  const { signal, approver: only } = request
  const answer = await countThinking(session.clock, request.trail, () =>
    session.questions.ask(question, { signal, only, published: publicQuestion }),
  )
  if (signal?.aborted) throw cancellationError(request.tool.name, signal)
  if (answer.answer !== 'yes' && answer.answer !== 'always') throw notApproved(session, request, answer, notes)
  if (answer.use) (request.trail.answers ??= []).push(answer)
  await ensureSameRules(session, toolId)
  const { by, reason, hunks } = answer
  const approvalFacts = { at, ...shownPlan, ...(reason !== undefined && { reason }) }
  if (answer.answer === 'yes' || !proposal) return { by, answer: 'yes', ...approvalFacts, ...(hunks && { hunks }) }
  const { id, scope } = remember(session, request, answer, { ...proposal, runs }, now)
  return { by, answer: 'always', ...approvalFacts, scope, rule: id }
}

/** An answer counts under the rules that it was asked under: a deny that was stored meanwhile is not answered by it. */
async function ensureSameRules<Engines>({ policy, policyNow }: Session<Engines>, toolId: string): Promise<void> {
  const now = await policyNow?.()
  if (now === undefined || now === policy || policyVersion(now) === policyVersion(policy)) return
  throw new ToolError('conflict', `The rules changed while a person was asked about '${toolId}'`, {
    hint: 'Nothing was run or changed. Make the same call again: it is judged by the rules as they are now',
  })
}

const SENT = 'in a transaction too, what it sends to other machines cannot be rolled back'

/** Reports whether a claim reaches other machines, or is a command that is known to. */
const sends = ({ action, resource, standing }: Claim): boolean =>
  action === 'exec' ? commandParser().lineEffects(resource).connects : action === 'net' && standing !== true

const changedPaths = ({ path, from }: Change): readonly Claim[] =>
  (from === undefined ? [path] : [path, from]).map(resource => ({ action: 'write', resource, link: true }))

/** Everything that a question is about, as text. */
const wholeText = ({ tool, input, changes }: Card): string =>
  [
    tool,
    ...Object.entries(Object(input)).map(([name, value]) => `${name}: ${printable(value)}`),
    ...changes.map(change => change.diff()),
  ].join('\n')

const printable = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Keeps what a question of the same call has shown, because a file may have changed since. */
const asShownFirst = (first: RunTexts = {}, now: RunTexts): RunTexts =>
  Object.fromEntries(Object.entries(now).map(([name, hash]) => [name, first[name] ?? hash]))

const MOST_NAMED = 3

/** Says that an answer for good counts for what a command runs now. */
function whileSame(runs: RunTexts): string {
  const names = Object.keys(runs)
  if (names.length === 0) return ''
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `, while ${names.slice(0, MOST_NAMED).join(', ')}${more} ${names.length === 1 ? 'stays' : 'stay'} as now`
}

/** A standing claim needs no approval, and no rule to remember it. */
const isAsked = ({ standing }: Claim): boolean => standing !== true

/** A call that may have been answered before, with its parameters as they were given. */
type RememberedCall = Pick<Asked, 'tool' | 'toolId' | 'input' | 'stated' | 'claims' | 'task' | 'decision'> & {
  readonly given: unknown
}

/** Returns the remembered answer that approves a call, or notes on those that a person may expect to. */
export async function findRemembered<Engines>(
  session: Session<Engines>,
  request: RememberedCall,
  now: number,
): Promise<{ readonly rule?: Remembered; readonly notes?: readonly string[] }> {
  const rules = await session.approvals.list()
  if (rules.length === 0) return {}
  const { input: schema } = request.tool
  const input = canonicalJson(givenParameters(schema, request.input, request.given), parameterNames(schema))
  const [claims, statedClaims] = [request.claims.filter(isAsked), request.stated.filter(isAsked)]
  const { task } = request
  const rulesAskingNow = once(() => rulesAsking(session.policy, request))
  const call = {
    tool: request.toolId,
    made: madeFor(request.tool),
    ...(session.machine.contentOf && { runs: runTextsOf(session, request.claims) }),
    input,
    claims,
    stated: statedClaims,
    session: session.id,
    task,
    workspace: session.workspace,
    asked: rulesAskingNow,
  }
  const rule = matchApproval(rules, call, now)
  if (rule) return { rule }
  const outdatedNote = outdatedApproval(rules, call, now)
  return { notes: [...(outdatedNote === undefined ? [] : [outdatedNote]), ...warningsOfOthers(rules, call, now)] }
}

const rulesAsking = (policy: Policy, { claims, decision }: Pick<Asked, 'claims' | 'decision'>): readonly string[] =>
  askingRules(policy, claims, decision.rule)

/** Stores the narrowest useful rule for `always`. */
function remember<Engines>(
  session: Session<Engines>,
  asked: Asked,
  answer: Answer,
  proposal: Proposal & { readonly runs: RunTexts },
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
    made: madeFor(asked.tool),
    asked: rulesAsking(session.policy, asked),
    ...(asked.claims.some(({ action }) => action === 'exec') && { runs: proposal.runs }),
  })
}

function notApproved<Engines>(
  { policy }: Session<Engines>,
  asked: Asked,
  answer: Answer,
  notes: readonly string[],
): ToolError {
  const { toolId } = asked
  if (answer.by !== 'nobody' && answer.undecided === undefined)
    return new ToolError('rejected', `'${toolId}' was not approved`, {
      hint:
        answer.reason === undefined
          ? 'A person said no. Do not make the same call again: ask them what they want instead'
          : `A person said no, because: ${answer.reason}. Do not make the same call again`,
      details: { by: answer.by, ...(answer.reason !== undefined && { reason: answer.reason }) },
    })
  const decision = describeDecision(policy, asked.decision, asked)
  const permissions = decision.missing === undefined ? [] : missingFor(policy, asked, decision.missing)
  return new ToolError(
    'rejected',
    `'${toolId}' needs approval, but ${answer.undecided ?? 'no one can be asked here (non-interactive)'}: ${[decision.why, ...notes].join('; ')}`,
    {
      hint: decision.missing
        ? `Grant it beforehand with the ${permissions.length > 1 ? 'permissions' : 'permission'} ${permissions.join(', ')} (${allowing(permissions)} on the command line)`
        : 'Run it where a person can answer, or answer beforehand with --yes on the command line',
      details: {
        ...(decision.missing && { permission: decision.missing }),
        ...(permissions.length > 1 && { permissions }),
      },
    },
  )
}

/** Returns every permission that the call needs, so that a refusal names all of them at once. */
function missingFor(policy: Policy, asked: Asked, first: string): readonly string[] {
  const others = asked.claims
    .map(claim => describeDecision(policy, decide(policy, [claim]), asked))
    .filter(({ verdict }) => verdict === 'ask')
  return [...new Set([first, ...others.flatMap(missingIn)])]
}

/**
 * Returns what a call would change, without secrets and without landing anything; undefined if only running it can
 * tell. Throws if it cannot work.
 */
export async function previewOf<Engines>(
  tool: AnyTool<Engines>,
  timing: Timed,
  input: unknown,
  callEngines: Opened<Engines>,
  signal: AbortSignal | undefined,
): Promise<Preview | undefined> {
  if (tool.effects.includes('exec') || tool.effects.includes('net')) {
    await callEngines.ensureStarts?.()
    return undefined
  }
  await withDeadline(timing, signal, context => tool.run(input, callEngines.engines, context))
  const changes = [...callEngines.changes(), ...(callEngines.repository?.() ?? [])]
  return { changes, warnings: callEngines.previewWarnings?.() ?? [] }
}

/**
 * Returns the validated parameters without the defaults that the schema added, as approval patterns match them. Returns
 * all of them if fewer would not mean the same call, because its caller changed their copy meanwhile.
 */
function givenParameters(schema: z.ZodType, validated: unknown, given: unknown): unknown {
  const withoutDefaults = asGiven(validated, given)
  const again = schema.safeParse(withoutDefaults)
  return again.success && isDeepStrictEqual(again.data, validated) ? withoutDefaults : validated
}

function asGiven(value: unknown, given: unknown): unknown {
  if (Array.isArray(value)) return Array.isArray(given) ? value.map((item, at) => asGiven(item, given[at])) : value
  if (!isRecord(value) || !isRecord(given)) return value
  const givenEntries = Object.entries(value).filter(([key]) => Object.hasOwn(given, key))
  return Object.fromEntries(givenEntries.map(([key, inner]) => [key, asGiven(inner, given[key])]))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
