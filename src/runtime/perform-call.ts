import type { CommandGrant } from '../guards/policy/command-grant.ts'
import type { Decision } from '../guards/policy/decision.ts'
import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import type { AnyTool, Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import type { LandedPart } from '../kernel/hunks.ts'
import { onceLoaded } from '../kernel/once.ts'
import { freeze } from '../kernel/validate.ts'
import type { Asked } from './approve.ts'
import type { CallOptions } from './call-options.ts'
import type { CallTrace } from './call-trace.ts'
import { withDeadline, type Timed } from './deadline.ts'
import type { Turn } from './landings.ts'
import type { NamesClaims } from './late-claims.ts'
import { limitResult } from './limit-result.ts'
import { reportProgress, type Progress } from './progress.ts'
import { ensurePermitted } from './refusal.ts'
import type { Concurrency } from './schedule.ts'
import type { Lease, Opened, Session } from './session.ts'
import { isCommand, mutates } from './tool-traits.ts'
import { cannotBeRecovered, useAnswers } from './used-answers.ts'

/** A call that may run: judged, approved if necessary, and within its budget. */
interface ApprovedCall<Engines> {
  readonly session: Session<Engines>
  readonly contract: Contract<Engines>
  readonly tool: AnyTool<Engines>
  readonly toolId: string
  readonly input: unknown
  /** The input with its secrets filled in, unless a command gets them separately. */
  readonly real: unknown
  readonly secrets: ReadonlyMap<string, string> | undefined
  /** The secrets that the input names. */
  readonly keys: readonly string[]
  readonly claims: readonly Claim[]
  readonly decision: Decision
  readonly asked: Omit<Asked, 'decision'>
  readonly timed: Timed
  readonly concurrency: Concurrency
  readonly options: CallOptions
  readonly trail: CallTrace
  readonly lease: Lease | undefined
  readonly mayRead: (path: string) => boolean
  readonly granted: () => CommandGrant
  readonly isStaging: () => boolean
  readonly open: (preview: boolean) => Opened<Engines>
}

/** Runs the tool on engines that are opened for its claims, then lands what it changed. */
export async function performCall<Engines>(call: ApprovedCall<Engines>, turn: Turn): Promise<unknown> {
  const { session, contract, tool, options, trail } = call
  const shownTexts = trail.approval && trail.runs
  if (shownTexts) (await import('./run-texts.ts')).ensureSameTexts(session, call.asked.claims, shownTexts)
  if (trail.answers && call.claims.some(cannotBeRecovered)) useAnswers(trail)
  const callEngines = call.open(options.dryRun ?? false)
  const progress = reportProgress(session, trail, options)
  try {
    const raw = await runTool(call, callEngines, progress, turn)
    if (call.concurrency === 'merging') await turn.land(options.signal)
    const limit = (whole: unknown) => limitResult(session, contract, tool, whole, trail, options.room)
    const pendingAnswer = limit(raw)
    const answer = pendingAnswer instanceof Promise ? await pendingAnswer : pendingAnswer
    call.lease?.take(tool.weigh?.(raw) ?? answer.bytes, tool.gives?.(raw), trail.whole)
    callEngines.given?.()
    const landedParts = mayLand(call) ? await landChanges(call, callEngines) : undefined
    return landedParts && tool.partly ? (await limit(tool.partly(raw, landedParts))).data : answer.data
  } finally {
    progress.end()
    const closing = callEngines.close?.()
    if (closing) await closing
  }
}

/** Reports whether a call has anything to land, to compare or to preview. Most calls only read. */
const mayLand = <Engines>({ tool, options, trail }: ApprovedCall<Engines>): boolean =>
  mutates(tool) || options.dryRun === true || options.plan !== undefined || trail.approval !== undefined

function runTool<Engines>(
  { session, tool, real, claims, timed, options, asked, concurrency, secrets }: ApprovedCall<Engines>,
  { engines }: Opened<Engines>,
  progress: Progress,
  turn: Turn,
): Promise<unknown> {
  return withDeadline({ ...timed, claims }, options.signal, context =>
    tool.run(real, engines, {
      // Not on demand: see `DeadlineContext` on getters.
      signal: context.signal,
      timeoutMs: context.timeoutMs,
      ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
      ...(options.room && { room: options.room }),
      loading: { ms: session.loadMs, pause: context.pause },
      ...progress.context,
      askStart: async start => {
        const resume = context.pause()
        return (await import('./ask-start.ts')).askStart(session, asked, start).finally(resume)
      },
      ...(concurrency === 'merging' && { land: () => turn.land(context.signal) }),
      ...(secrets && { secrets }),
    }),
  )
}

const effectsReport = onceLoaded(() => import('./report-effects.ts'))

/**
 * Read top to bottom: permission, plan, approval, the part that was accepted, what could refuse the effects, then the
 * commit. Returns what landed if it is only a part.
 */
async function landChanges<Engines>(
  call: ApprovedCall<Engines>,
  opened: Opened<Engines>,
): Promise<readonly LandedPart[] | undefined> {
  const { session, contract, tool, toolId, input, claims, decision, options, trail, mayRead } = call
  let changes = mutates(tool) ? opened.changes() : []
  if (trail.mustChangeNothing && changes.length > 0)
    throw new ToolError('conflict', 'The file changed while the call ran, so it would change now', {
      hint: 'Make the call again: it asks then',
    })
  trail.changed = changes.flatMap(pathsOf)
  ensurePermitted(session.policy, decision, claims, changes)
  const late = claims.some(isLate) ? await import('./late-claims.ts') : undefined
  const lateClaims = late?.lateClaims(claims, changes, namesIn(session))
  if (lateClaims) trail.claims = freeze([...claims.filter(({ later }) => !later), ...lateClaims])
  const computePlan = async () => {
    const unstagedChanges = claims.some(isCommand) ? await opened.unstaged?.() : undefined
    return (await import('./plan.ts')).planOf(toolId, input, changes, unstagedChanges)
  }
  const plan = options.plan || options.dryRun ? await computePlan() : undefined
  if (plan !== undefined && options.plan)
    (await import('./plan.ts')).ensureSame(toolId, { plan, changes }, options.plan, 'the plan was made')
  /** Stored results contain no secrets. */
  const keep = async () => {
    if (call.keys.length > 0 || !claims.some(isCommand)) return undefined
    const name = plan ?? (await computePlan())
    return (await opened.keep?.(name)) ? name : undefined
  }
  const judgedChanges = [...changes, ...(opened.content?.() ?? [])]
  const shownChanges = [...judgedChanges, ...(mutates(tool) ? (opened.repository?.() ?? []) : [])]
  await approveLate(call, { judged: judgedChanges, shown: shownChanges }, lateClaims, keep)
  const approvedPlan = call.keys.length === 0 ? trail.approval?.shown : undefined
  if (approvedPlan) {
    const { ensureSame, planOf } = await import('./plan.ts')
    const now = { plan: planOf(toolId, input, shownChanges), changes: shownChanges }
    ensureSame(toolId, now, approvedPlan, 'it was approved')
  }
  const hunks = trail.approval?.hunks ?? options.hunks
  const acceptedPart =
    hunks && (await import('./accept-hunks.ts')).acceptHunks(opened, changes, hunks, trail.approval ?? {})
  if (acceptedPart) {
    changes = opened.changes()
    trail.changed = changes.flatMap(pathsOf)
  }
  const judging =
    changes.length > 0
      ? await (await effectsReport()).askEffects(session, contract, opened, { name: tool.name, input, options })
      : undefined
  const previewWarnings = options.dryRun ? (opened.previewWarnings?.() ?? []) : []
  if (previewWarnings.length > 0) trail.landed = { ...trail.landed, warnings: previewWarnings }
  if (options.dryRun) {
    const diff = (await import('../kernel/change.ts')).visibleDiff(shownChanges, mayRead)
    trail.landed = { ...trail.landed, ...(plan !== undefined && { plan }), diff }
    await keep()
  } else if (mutates(tool)) trail.landed = { ...trail.landed, ...(await opened.commit(trail.id)) }
  const judgement = await judging?.()
  if (acceptedPart)
    trail.landed = { ...trail.landed, warnings: [...(trail.landed.warnings ?? []), acceptedPart.warning] }
  if (judgement) trail.landed = { ...trail.landed, effects: judgement.effects }
  const { undo, transaction } = trail.landed
  const change = undo ?? transaction
  if (change !== undefined) judgement?.rest?.(change)
  return acceptedPart?.landed
}

const pathsOf = ({ from, path }: Change): readonly string[] => (from === undefined ? [path] : [from, path])

const isLate = ({ later }: Claim): boolean => later === true

const namesIn =
  <Engines>({ machine }: Session<Engines>): NamesClaims =>
  claims =>
    machine.named?.(claims) ?? claims

/** Asks about changes that became known while the tool ran: those of commands, and of tools that find their files. */
async function approveLate<Engines>(
  { session, toolId, claims, options, trail, asked, mayRead, granted, isStaging }: ApprovedCall<Engines>,
  { judged, shown }: { readonly judged: readonly Change[]; readonly shown: readonly Change[] },
  found: readonly Claim[] | undefined,
  keep: () => Promise<string | undefined>,
): Promise<void> {
  if (judged.length > 0 && claims.some(isCommand)) {
    const { approveChanges, judgeCommandChanges } = await import('./command-changes.ts')
    const question = judgeCommandChanges(session.policy, judged, {
      ...granted(),
      named: namesIn(session),
    })
    if (question && !options.dryRun)
      trail.approval = await approveChanges(session, asked, { ...question, changes: shown, mayRead, keep })
  }
  const decision = found && (await import('./late-claims.ts')).judgeLateClaims(session.policy, toolId, found)
  const late = found && decision && { claims: found, decision }
  const creation =
    !claims.some(isCommand) && judged.some(isCreation)
      ? (await import('./unclaimed-creations.ts')).judgeUnclaimedCreations(
          session.policy,
          toolId,
          found ?? claims,
          judged,
        )
      : undefined
  // Who approved the call has seen what it creates.
  const question = late ?? (trail.approval ? undefined : creation)
  if (question && !options.dryRun && !isStaging())
    trail.approval = await (
      await import('./approve.ts')
    ).approve(session, { ...asked, ...question, stated: question.claims }, async () => ({ changes: shown }))
}

const isCreation = ({ kind }: Change): boolean => kind === 'create' || kind === 'move' || kind === 'mkdir'
