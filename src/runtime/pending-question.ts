import { hash } from 'node:crypto'
import { canonicalJson } from '../guards/approval/canonical-json.ts'
import { levelsOf } from '../guards/policy/hidden-paths.ts'
import type { Decision } from '../guards/policy/decision.ts'
import type { Policy } from '../guards/policy/policy.ts'
import { policyPrint } from '../guards/policy/read-limits.ts'
import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { dividedHunks } from '../kernel/hunks.ts'
import type { Asker, PendingChange, PendingQuestion } from '../kernel/pending-approval.ts'
import { isoTime } from '../kernel/time.ts'
import { parameterNames } from '../kernel/validate.ts'
import type { Caller } from './call-options.ts'
import { systemClock } from './clock.ts'
import { planOf } from './plan.ts'
import type { Card } from './questions.ts'
import type { RunTexts } from './run-texts.ts'
import type { Session } from './session.ts'
import type { AskingTrail } from './thinking-time.ts'

/** A call that a person is asked about. */
interface AskedCall {
  readonly tool: AnyTool<never>
  readonly toolId: string
  readonly input: unknown
  readonly claims: readonly Claim[]
  readonly decision: Decision
  readonly task: string
  readonly caller?: Caller | undefined
  readonly trail: Pick<AskingTrail, 'id' | 'dryRun' | 'isStaging'>
}

/** Everything that a published question says besides its card. */
interface Publishing {
  /** What would land, before secrets are hidden; undefined if only running the call can tell. */
  readonly changes: readonly Change[] | undefined
  /** What its commands run from the workspace. */
  readonly runs: RunTexts
}

/** Diffs above this many characters are read through a reference instead. */
const MOST_DIFFS = 2_000_000

/** Returns a question as every process of the user sees it. The card holds no secrets. */
export function pendingQuestion<Engines>(
  session: Session<Engines>,
  call: AskedCall,
  card: Card,
  { changes, runs }: Publishing,
): PendingQuestion {
  const withinMs = session.waitMs ?? call.caller?.answerMs
  const asker = askerOf(session, call)
  const { decision } = call
  const shownChanges = card.changes.map(({ path, kind, from, diff }) => ({
    path,
    kind,
    ...(from !== undefined && { from }),
    diff: diff(),
  }))
  const isWhole = shownChanges.reduce((sum, { diff }) => sum + diff.length, 0) <= MOST_DIFFS
  const hunks = isWhole && isDivisible(call) ? hunksOf(shownChanges, changes ?? []) : undefined
  return {
    digest: digestOf(session.policy, call, { asker, changes, runs }),
    asker,
    why: card.why,
    ...(decision.rule !== undefined && { rule: decision.rule }),
    ...(card.proposal !== undefined && isWhole && { always: card.proposal }),
    risk: card.risk,
    input: card.input,
    claims: card.claims,
    changes: shownChanges.map((change, at) => ({
      ...change,
      diff: isWhole ? change.diff : '',
      hunks: hunks?.[at] ?? [],
    })),
    ...(!isWhole && card.whole && { whole: card.whole() }),
    ...(withinMs !== undefined && { until: isoTime(systemClock.now() + withinMs) }),
  }
}

const askerOf = <Engines>(session: Session<Engines>, { toolId, task, caller = {}, trail }: AskedCall): Asker => {
  const slash = toolId.indexOf('/')
  const { client = session.client, agent } = caller
  return {
    ...(client !== undefined && { client }),
    ...(agent !== undefined && { agent }),
    session: session.id,
    task,
    contract: toolId.slice(0, slash),
    tool: toolId.slice(slash + 1),
    call: trail.id,
  }
}

/**
 * Secrets are filled in later, so that what lands is not divided as it was shown. What is staged in a transaction is
 * divided when that lands.
 */
const isDivisible = ({ tool, trail, claims }: AskedCall): boolean =>
  tool.partly !== undefined &&
  !trail.dryRun &&
  !claims.some(({ action }) => action === 'reveal') &&
  (tool.uses?.includes('stage') === true || trail.isStaging !== true)

/** Numbers the hunks as shown; undefined if hiding secrets has divided the diffs differently. */
function hunksOf(
  shown: readonly Omit<PendingChange, 'hunks'>[],
  changes: readonly Change[],
): readonly PendingChange['hunks'][] | undefined {
  const real = dividedHunks(changes.map(change => ({ ...change, diff: change.diff() })))
  const hunksByFile = dividedHunks(shown)
  if (hunksByFile.some((hunks, at) => hunks.length !== real[at]?.length)) return undefined
  let number = 0
  return hunksByFile.map(hunks => hunks.map(text => ({ number: ++number, text })))
}

/**
 * Covers the caller, the tool, the canonical input, the bytes that will land, and the version of the policy. Not the
 * session: an accepted answer is for the same call, also when the program that made it was started again.
 */
function digestOf(
  policy: Policy,
  { tool, toolId, input, task, trail, decision, claims }: AskedCall,
  { asker, changes, runs }: { readonly asker: Asker } & Pick<Publishing, 'changes' | 'runs'>,
): string {
  const digestParts = [
    [asker.client, asker.agent, task],
    [toolId, tool.version, canonicalJson(input, parameterNames(tool.input)), trail.dryRun],
    changes && planOf(toolId, input, changes),
    [claims, decision.claim, runs],
    policyVersion(policy),
  ]
  return hash('sha256', JSON.stringify(digestParts))
}

/** Returns a text that is the same for policies that decide the same. */
export const policyVersion = (policy: Policy): string => levelsOf(policy).map(policyPrint).join(' ')
