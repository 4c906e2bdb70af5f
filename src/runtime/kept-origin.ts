import { decideAnswer, type Decision } from '../guards/policy/decide.ts'
import { levelsOf } from '../guards/policy/hidden-paths.ts'
import { policyPrint, readLimits } from '../guards/policy/read-limits.ts'
import { execs, type Claim, type KeptOrigin } from '../kernel/claim.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { prepareCommands } from './prepare.ts'
import { redactorFor } from './redact-outcome.ts'
import { refusal } from './refusal.ts'
import type { Session } from './session.ts'

/** What is known of a call when it answers. */
interface Answering {
  readonly claims: readonly Claim[]
  readonly tool?: Pick<AnyTool, 'effects' | 'uses'>
  readonly approval?: object | undefined
  readonly input: unknown
}

/** Returns what a text that a call stores is judged by when it is read: for its own session as long as nothing changes. */
export function keptOrigin<Engines>(
  session: Session<Engines>,
  { claims: statedClaims, tool, approval, input }: Answering,
): KeptOrigin {
  const line = backgroundLine(session, input)
  const claims = line === undefined ? statedClaims : [...statedClaims, ...execs(line)]
  const runs = tool?.effects.includes('exec') === true || tool?.uses?.includes('journal') === true
  return {
    ...originOf(session, claims, approval !== undefined && !runs),
    ...(runs && { commands: true as const }),
    own: { session: session.id, policy: levelsOf(session.policy).map(policyPrint) },
  }
}

/** Returns what the policy kept from a call; undefined if nothing, or too much for a record. */
export function limitsFor<Engines>(
  { policy }: Session<Engines>,
  { tool, approval }: Pick<Answering, 'tool' | 'approval'>,
) {
  const limits = readLimits(policy, approval !== undefined && tool?.effects.includes('exec') !== true)
  const count = limits.rules.length + limits.closed.flat().length
  return (count > 0 || limits.closed.length > 0) && count <= MOST_LIMITS ? limits : undefined
}

/** A record that names no limits is shown only where nothing is denied. */
const MOST_LIMITS = 100

/** Returns the same for a question: the session that asks it has read nothing of it. */
export const questionOrigin = <Engines>(session: Session<Engines>, claims: readonly Claim[]): KeptOrigin =>
  originOf(session, claims, false)

/** Returns the line of the background command that the input of a call names. */
export function backgroundLine<Engines>({ machine }: Session<Engines>, input: unknown): string | undefined {
  const handle: unknown = Object(input).handle
  return typeof handle === 'string' ? machine.facts.backgroundLine?.(handle) : undefined
}

/** Returns the decision on showing what an earlier call answered. */
export async function checkAnswer(policy: Policy, what: string, origin: KeptOrigin): Promise<Decision> {
  await prepareCommands(origin.claims)
  return decideAnswer(policy, what, origin)
}

/** Throws unless a policy lets its callers see what an earlier command of theirs printed. */
export async function ensureReadable(policy: Policy, toolId: string, origin: KeptOrigin): Promise<void> {
  const decision = await checkAnswer(policy, 'the last command', origin)
  if (decision.verdict !== 'allow') throw refusal(toolId, decision)
}

const originOf = <Engines>({ policy, revealed }: Session<Engines>, claims: readonly Claim[], isApproved: boolean) => ({
  claims: redactorFor(revealed).value(claims),
  limits: readLimits(policy, isApproved),
})
