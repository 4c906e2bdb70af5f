import { decide } from '../guards/policy/decide.ts'
import { hiddenBy, secretReading } from '../guards/policy/hidden.ts'
import { readablePaths, unreadableBy } from '../guards/policy/unreadable.ts'
import { remember, workflow } from '../guards/workflow.ts'
import type { AnswerRoom } from '../kernel/answer-room.ts'
import type { AnyTool, Call, Contract } from '../kernel/contract.ts'
import type { Claim } from '../kernel/claim.ts'
import { isoTime } from '../kernel/time.ts'
import type { EffectsMode } from '../kernel/edit-effects.ts'
import type { Meta, Outcome } from '../kernel/outcome.ts'
import type { OutputChunk } from '../kernel/run-facts.ts'
import { freeze, validate } from '../kernel/validate.ts'
import { asToolError } from './as-tool-error.ts'
import { redactOutcome, redactCall } from './redact-outcome.ts'
import { DEFAULT_TIMEOUT_MS, ownTime, withDeadline } from './deadline.ts'
import {
  commandMode,
  cannotWait,
  declaredClaims,
  demandName,
  isCommand,
  isRead,
  mayReveal,
  mutates,
  really,
  reveals,
} from './tool-traits.ts'
import { abridge, limitResult } from './limit-result.ts'
import { lateClaims, judgeLateClaims } from './late-claims.ts'
import type { Turn } from './landings.ts'
import { writeIntent, writeRecord } from './write-record.ts'
import { factsOf, prepare, prepareCommands } from './prepare.ts'
import type { Answerer } from './questions.ts'
import { demandPermitted, refusal, describeDecision } from './refusal.ts'
import type { Registry } from './registry.ts'
import type { Lease, Session } from './session.ts'
import { reportProgress } from './progress.ts'
import type { CallTrace } from './call-trace.ts'

export interface Mounted<Engines> {
  readonly contract: Contract<Engines>
  readonly registry: Registry<AnyTool<Engines>>
}

export interface CallOptions {
  readonly dryRun?: boolean
  readonly plan?: string
  readonly task?: string
  readonly signal?: AbortSignal
  /** Hears what a command prints while it runs. */
  readonly onOutput?: (chunk: OutputChunk) => void
  /** Hears what a call that takes long is doing. */
  readonly onProgress?: (text: string) => void
  /** How long a question about code waits for a language server before it is answered from the text; all its time unless given. */
  readonly waitMs?: number
  /** The answer leaves out what only programs use, such as the bytes of an image; the outcome has it all the same. */
  readonly abridged?: boolean
  /** How much of an answer whoever calls can take, where that is less than the session gives. */
  readonly room?: AnswerRoom
  /** Asked about this call in place of whoever the session asks. */
  readonly approve?: Answerer
  /** Reports whether the answer tells what a change breaks, and whether it waits for all of it; as the session says unless given. */
  readonly effects?: EffectsMode
}

/** Runs one call. Never throws: every call, even an unknown one, ends in one record and one outcome. */
export async function run<Engines>(
  session: Session<Engines>,
  mounted: Mounted<Engines>,
  call: Call,
  options: CallOptions = {},
): Promise<{ readonly outcome: Outcome; readonly answer: unknown }> {
  const { clock } = session
  const { contract } = mounted
  const id = clock.id()
  const startedAt = isoTime(clock.now())
  const since = clock.elapsed()
  const trail: CallTrace = {
    id,
    startedAt,
    dryRun: options.dryRun ?? false,
    task: options.task ?? session.task,
    input: call.input,
    given: call.input,
    claims: [],
    changed: [],
    landed: {},
  }
  const result = await steps(session, mounted, call, options, trail).then(
    data => ({ ok: true as const, data }),
    async cause => {
      const error = asToolError(cause, trail)
      const plan = trail.claims.some(isCommand) ? options.plan : undefined
      return { ok: false as const, error: plan ? (await import('./plan.ts')).sincePlan(error, plan) : error }
    },
  )
  // A failure is told in one line and a hint: what became known waits for an answer that has room for it.
  const late = (contract.tellsEffects && result.ok && session.lateEffects?.splice(0)) || []
  const lateEffects = late.length > 0 && { lateEffects: late }
  const meta: Meta = {
    id,
    startedAt,
    endedAt: isoTime(clock.now()),
    durationMs: Math.round((clock.elapsed() - since) * 1000) / 1000,
    claims: trail.claims,
    // A call that failed has changed nothing.
    changed: result.ok ? trail.changed : [],
    ...(options.dryRun && { dryRun: true as const }),
    ...trail.landed,
    ...lateEffects,
  }
  remember(session.history, { tool: `${contract.id}/${call.name}`, ok: result.ok })
  const outcome = writeRecord(session, mounted, call, trail, redactOutcome({ ...result, meta }, session.revealed))
  const told = options.abridged && outcome.ok ? { ...outcome, data: abridge(trail.tool, outcome.data) } : outcome
  return { outcome, answer: contract.envelope(redactCall(call, session.revealed), told) }
}

/** Read top to bottom: the order of these lines is the guarantee. */
async function steps<Engines>(
  session: Session<Engines>,
  { contract, registry }: Mounted<Engines>,
  call: Call,
  options: CallOptions,
  trail: CallTrace,
): Promise<unknown> {
  const { machine, policy } = session
  const { task } = trail
  const secrecy = session.secrets && (await import('./fetch-secrets.ts'))
  if (session.secrets) await secrecy?.learnSecrets(session, session.secrets)
  demandName(task)
  const tool = (trail.tool = registry.get(call.name))
  const { grantOf, startRules, ...rules } = await prepare(session, tool)
  const toolId = `${contract.id}/${tool.name}`
  const input = (trail.input = validate(tool, call.input))
  const timed = { name: tool.name, timeoutMs: session.timeout(toolId, ownTime(tool, input)) ?? DEFAULT_TIMEOUT_MS }
  const keys = mayReveal(tool) ? (secrecy?.findPlaceholders(input) ?? []) : []
  const stated = [...declaredClaims(tool, tool.claims(input, factsOf(session))), ...reveals(keys)]
  secrecy?.demandPlainPaths(stated, keys)
  const claims = (trail.claims = freeze(machine.canonical(stated)))
  if (claims.some(isCommand)) await prepareCommands(claims)
  workflow(session.demands, session.history, {
    tool: toolId,
    ...options,
    justifiedAfter: tool.justifiedAfter,
    justification: input.justification,
    earlier: () => machine.spent({ task, tool: toolId }),
  })

  // Commands run what is staged, whether or not anybody has agreed to it.
  const staged = (claims.some(isCommand) && machine.facts.stagedClaims?.()) || []
  const decision = (trail.decision = decide(policy, [...claims, ...staged]))
  if (decision.verdict === 'deny') throw refusal(toolId, describeDecision(policy, decision, { stated, claims }))
  const { decided: decidedReading, ...readable } = readablePaths(policy, claims, () => trail.approval !== undefined)
  const { mayRead } = readable
  const granted = () => grantOf(claims, trail.approval !== undefined && trail.approval.answer !== 'rule')
  const open = (preview: boolean) =>
    machine.open(claims, {
      strictWrites: contract.strictWrites ?? false,
      hidden: decision.filters,
      ...readable,
      secretFiles: secretReading(policy),
      ...rules,
      starts: startRules(startingLines(trail, claims)),
      hides: hiddenBy(policy),
      unreadable: unreadableBy(policy, decidedReading()),
      stagedOnly: session.effects.refuse !== 'nothing',
      commandTree: granted().tree,
      keepsRepository: granted().keepsRepository,
      plan: options.plan,
      preview,
      begin: beginning => writeIntent(session, contract, call, trail, beginning),
    })
  const all = { stated: [...stated, ...staged], claims: freeze([...claims, ...staged]) }
  const asked = { tool, toolId, input, ...all, task, signal: options.signal, approver: options.approve, trail }
  const now = options.dryRun ? decide(policy, claims.filter(really)) : decision
  const isStaging = () => machine.facts.stagedClaims?.() !== undefined
  const canWait = () => isStaging() && decide(policy, claims.filter(cannotWait)).verdict === 'allow'
  const asks = now.verdict === 'ask' && !canWait()
  const isAlone = options.plan !== undefined || session.effects.sameAgain === true
  const queues = !options.dryRun && !claims.some(isCommand) && (asks || claims.some(({ later }) => later))
  const leave = queues ? await session.schedule.ask(claims, options.signal) : undefined
  let lease: Lease | undefined
  try {
    if (asks) {
      // What a person has yet to allow reading is not read for the card either.
      const isReadable = decide(policy, claims.filter(isRead)).verdict === 'allow'
      const { approve, previewOf } = await import('./approve.ts')
      trail.approval = await approve(session, { ...asked, decision }, async () =>
        isReadable ? previewOf(tool, timed, input, open(true), options.signal) : undefined,
      )
    }
    const budgets = session.budgets(task, toolId, tool.budget)
    if (budgets.length > 0) {
      const { reserve } = await import('./reserve.ts')
      lease = await reserve(machine, { task, tool: toolId }, budgets, timed, options.signal, trail)
    }
    const secrets = keys.length > 0 ? await secrecy?.fetchSecrets(session, keys) : undefined
    const apart = claims.some(isCommand) ? secrets : undefined
    const real = secrets && secrecy && !apart ? secrecy.reveal(input, secrets) : input
    const commands = commandMode(claims, { tree: granted().tree, isAlone })
    const work = async (turn: Turn): Promise<unknown> => {
      const opened = open(options.dryRun ?? false)
      const told = reportProgress(session, trail, options)
      try {
        const raw = await withDeadline({ ...timed, claims }, options.signal, context =>
          tool.run(real, opened.engines, {
            // Whoever never asks for it pays for no controller.
            get signal() {
              return context.signal
            },
            timeoutMs: context.timeoutMs,
            ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
            ...(options.room && { room: options.room }),
            ...told.context,
            askStart: async start => {
              const resume = context.pause()
              return (await import('./ask-start.ts')).askStart(session, asked, start).finally(resume)
            },
            ...(commands === 'merging' && { land: () => turn.land(context.signal) }),
            ...(apart && { secrets: apart }),
          }),
        )
        if (commands === 'merging') await turn.land(options.signal)
        const answer = await limitResult(session, contract, tool, raw, trail, options.room)
        lease?.take(tool.weigh?.(raw) ?? answer.bytes, tool.gives?.(raw))
        opened.given?.()
        const changes = mutates(tool) ? opened.changes() : []
        trail.changed = changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path]))
        demandPermitted(policy, decision, claims, changes)
        const found = lateClaims(claims, changes)
        if (found) trail.claims = freeze([...claims.filter(({ later }) => !later), ...found])
        const planned = async () => {
          const unstaged = claims.some(isCommand) ? await opened.unstaged?.() : undefined
          return (await import('./plan.ts')).planOf(toolId, input, changes, unstaged)
        }
        const plan = options.plan || options.dryRun ? await planned() : undefined
        if (plan !== undefined && options.plan)
          (await import('./plan.ts')).demandSame(toolId, { plan, changes }, options.plan, 'the plan was made')
        /** Secrets are in no result that is kept. */
        const keep = async () => {
          if (keys.length > 0 || !claims.some(isCommand)) return undefined
          const name = plan ?? (await planned())
          return (await opened.keep?.(name)) ? name : undefined
        }
        if (changes.length > 0 && claims.some(isCommand)) {
          const { approveChanges, judgeCommandChanges } = await import('./command-changes.ts')
          const question = judgeCommandChanges(policy, changes, granted())
          if (question && !options.dryRun)
            trail.approval = await approveChanges(session, asked, { ...question, changes, mayRead, keep })
        }
        const question = found && judgeLateClaims(policy, toolId, found)
        if (question && !options.dryRun && !isStaging())
          trail.approval = await (
            await import('./approve.ts')
          ).approve(session, { ...asked, stated: found, claims: found, decision: question }, async () => changes)
        const shown = keys.length === 0 ? trail.approval?.shown : undefined
        if (shown) {
          const { demandSame, planOf } = await import('./plan.ts')
          demandSame(toolId, { plan: planOf(toolId, input, changes), changes }, shown, 'it was approved')
        }
        const judged =
          changes.length > 0
            ? await (
                await import('./report-effects.ts')
              ).reportEffects(session, contract, opened, {
                name: tool.name,
                input,
                options,
              })
            : undefined
        if (judged) trail.landed = { ...trail.landed, effects: judged.effects }
        const foretold = options.dryRun ? (opened.foretell?.() ?? []) : []
        if (foretold.length > 0) trail.landed = { ...trail.landed, warnings: foretold }
        if (options.dryRun) {
          const diff = (await import('../kernel/change.ts')).visibleDiff(changes, mayRead)
          trail.landed = { ...trail.landed, ...(plan !== undefined && { plan }), diff }
          await keep()
        } else if (mutates(tool)) trail.landed = { ...trail.landed, ...(await opened.commit(trail.id)) }
        const { undo, transaction } = trail.landed
        const change = undo ?? transaction
        if (change !== undefined) judged?.rest?.(change)
        return answer.data
      } finally {
        told.end()
        await opened.close?.()
      }
    }
    return await session.schedule.run(claims, work, commands)
  } finally {
    lease?.release()
    leave?.()
  }
}

/** Approval of a line covers the starts that it shows. */
const startingLines = ({ approval, decision }: CallTrace, claims: readonly Claim[]) => ({
  lines: claims.filter(isCommand).map(({ resource }) => resource),
  approved: approval && { rule: decision?.rule },
})
