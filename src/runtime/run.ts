import { egressOf } from '../guards/egress/egress.ts'
import { decide, permitsInside } from '../guards/policy/decide.ts'
import { hiddenBy } from '../guards/policy/hidden.ts'
import { unreadableBy } from '../guards/policy/unreadable.ts'
import { decideMade } from '../guards/policy/of-command.ts'
import { workflow, type PastStep } from '../guards/workflow.ts'
import { findPlaceholders, reveal } from '../guards/secrets/placeholders.ts'
import { visibleDiff } from '../kernel/change.ts'
import type { AnyTool, Call, Contract } from '../kernel/contract.ts'
import { isoTime } from '../kernel/iso-time.ts'
import { once } from '../kernel/once.ts'
import type { EffectsMode } from '../kernel/edit-effects.ts'
import type { Meta, Outcome } from '../kernel/outcome.ts'
import type { OutputChunk } from '../kernel/run-facts.ts'
import { freeze, validate } from '../kernel/validate.ts'
import { approve } from './approve.ts'
import { asToolError } from './as-tool-error.ts'
import { conceal } from './conceal.ts'
import { DEFAULT_TIMEOUT_MS, withDeadline } from './deadline.ts'
import { declared, demandPlainPaths, reveals } from './declared.ts'
import { isCommand, isRead, mayReveal, mutates, really } from './effects.ts'
import { factsOf } from './facts.ts'
import { fetchSecrets, learnSecrets } from './fetch-secrets.ts'
import { fit } from './fit.ts'
import { foundClaims, judgeFound } from './found.ts'
import { judgeMade } from './made.ts'
import { noted } from './noted.ts'
import { demandSame, planOf } from './plan.ts'
import { previewOf } from './preview.ts'
import type { Answerer } from './questions.ts'
import { demandPermitted, refusal, toldDecision } from './refusal.ts'
import { reserve } from './reserve.ts'
import type { Registry } from './registry.ts'
import type { Session } from './session.ts'
import { demandName } from './task-name.ts'
import { tellEffects } from './tell-effects.ts'
import { telling } from './telling.ts'
import type { Trail } from './trail.ts'

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
  /** Asked about this call in place of whoever the session asks. */
  readonly approve?: Answerer
  /** Whether the answer tells what a change breaks, and whether it waits for all of it; as the session says unless given. */
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
  const startedAt = clock.now()
  const since = clock.elapsed()
  const trail: Trail = { task: options.task ?? session.task, input: call.input, claims: [], changed: [], landed: {} }
  const result = await steps(session, mounted, call, options, id, trail).then(
    data => ({ ok: true as const, data }),
    cause => ({ ok: false as const, error: asToolError(cause, trail) }),
  )
  const meta: Meta = {
    id,
    startedAt: isoTime(startedAt),
    endedAt: isoTime(clock.now()),
    durationMs: Math.round((clock.elapsed() - since) * 1000) / 1000,
    claims: trail.claims,
    // A call that failed has changed nothing.
    changed: result.ok ? trail.changed : [],
    ...(options.dryRun && { dryRun: true as const }),
    ...trail.landed,
  }
  remember(session.history, { tool: `${contract.id}/${call.name}`, ok: result.ok })
  const outcome = noted(session, mounted, call, trail, conceal({ ...result, meta }, session.revealed))
  return { outcome, answer: contract.envelope(call, outcome) }
}

/** Read top to bottom: the order of these lines is the guarantee. */
async function steps<Engines>(
  session: Session<Engines>,
  { contract, registry }: Mounted<Engines>,
  call: Call,
  options: CallOptions,
  id: string,
  trail: Trail,
): Promise<unknown> {
  const { machine, policy } = session
  const { task } = trail
  if (session.secrets) await learnSecrets(session, session.secrets)
  demandName(task)
  const tool = (trail.tool = registry.get(call.name))
  const toolId = `${contract.id}/${tool.name}`
  const timed = { name: tool.name, timeoutMs: session.timeout(toolId, tool.timeoutMs) ?? DEFAULT_TIMEOUT_MS }
  const input = (trail.input = validate(tool, call.input))
  const keys = session.secrets && mayReveal(tool) ? findPlaceholders(input) : []
  const stated = [...declared(tool, tool.claims(input, factsOf(session))), ...reveals(keys)]
  demandPlainPaths(stated, keys)
  const claims = (trail.claims = freeze(machine.canonical(stated)))
  workflow(session.demands, session.history, {
    tool: toolId,
    ...options,
    justifiedAfter: tool.justifiedAfter,
    justification: input.justification,
    earlier: () => machine.spent({ task, tool: toolId }),
  })

  const decision = (trail.decision = decide(policy, claims))
  if (decision.verdict === 'deny') throw refusal(toolId, toldDecision(policy, decision, { stated, claims }))
  const read = once(() => decide(policy, claims.filter(isRead)).verdict)
  // Whoever was asked about a directory was asked about what is in it, but for what a rule denies.
  const decidedReading = () => (trail.approval ? read() : 'allow')
  const mayRead = (path: string) => permitsInside(policy, 'read', decidedReading())(path)
  const open = (preview: boolean) =>
    machine.open(claims, {
      strictWrites: contract.strictWrites ?? false,
      hidden: decision.filters,
      mayRead,
      egress: egressOf(policy),
      hides: hiddenBy(policy),
      unreadable: unreadableBy(policy, decidedReading()),
      isJudged: path => decideMade(policy, path, { ignored: true }).verdict !== 'allow',
      stagedOnly: session.effects.refuse !== 'nothing',
      preview,
    })
  const asked = { tool, toolId, input, stated, claims, task, signal: options.signal, approver: options.approve }
  const now = options.dryRun ? decide(policy, claims.filter(really)) : decision
  if (now.verdict === 'ask') {
    // What a person has yet to allow reading is not read for the card either.
    const readable = decide(policy, claims.filter(isRead)).verdict === 'allow'
    trail.approval = await approve(session, { ...asked, decision }, async () =>
      readable ? previewOf(tool, timed, input, open(true), options.signal) : undefined,
    )
  }

  const budgets = session.budgets(task, toolId, tool.budget)
  const lease =
    budgets.length > 0 ? await reserve(machine, { task, tool: toolId }, budgets, timed, options.signal) : undefined
  try {
    const secrets = keys.length > 0 ? await fetchSecrets(session, keys) : undefined
    const apart = claims.some(isCommand) ? secrets : undefined
    const real = secrets && !apart ? reveal(input, secrets) : input
    return await session.schedule.run(claims, async () => {
      const opened = open(options.dryRun ?? false)
      const told = telling(session, trail, options.onOutput)
      try {
        const raw = await withDeadline(timed, options.signal, context =>
          tool.run(real, opened.engines, {
            // Whoever never asks for it pays for no controller.
            get signal() {
              return context.signal
            },
            timeoutMs: context.timeoutMs,
            ...told.context,
            ...(apart && { secrets: apart }),
          }),
        )
        const answer = fit(session, contract, tool, raw, trail)
        lease?.take(tool.weigh?.(raw) ?? answer.bytes)
        const changes = mutates(tool) ? opened.changes() : []
        trail.changed = changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path]))
        demandPermitted(policy, decision, claims, changes)
        const found = foundClaims(claims, changes)
        if (found) trail.claims = freeze([...claims.filter(({ later }) => !later), ...found])
        const command = claims.some(isCommand) ? judgeMade(policy, changes) : undefined
        const question = (found && judgeFound(policy, toolId, found)) ?? command
        const whole = found ? { ...asked, stated: found, claims: found } : asked
        if (question && !options.dryRun)
          trail.approval = await approve(session, { ...whole, decision: question }, async () => changes)
        const plan = () => planOf(toolId, input, changes)
        if (options.plan) demandSame(toolId, plan(), options.plan, 'the plan was made')
        const shown = keys.length === 0 && trail.approval?.shown
        if (shown) demandSame(toolId, plan(), shown, 'it was approved')
        const effects =
          changes.length > 0
            ? await tellEffects(session, contract, opened, { name: tool.name, input, options })
            : undefined
        if (effects) trail.landed = { ...trail.landed, effects }
        const foretold = options.dryRun ? (opened.foretell?.() ?? []) : []
        if (foretold.length > 0) trail.landed = { ...trail.landed, warnings: foretold }
        if (options.dryRun) trail.landed = { ...trail.landed, plan: plan(), diff: visibleDiff(changes, mayRead) }
        else if (mutates(tool)) trail.landed = { ...trail.landed, ...(await opened.commit(id)) }
        return answer.data
      } finally {
        told.end()
        await opened.close?.()
      }
    })
  } finally {
    lease?.release()
  }
}

/** Rules about the order of work look back so far. */
const LOOK_BACK = 1000

function remember(history: PastStep[], step: PastStep): void {
  history.push(step)
  if (history.length > LOOK_BACK) history.shift()
}
