import { decide } from '../guards/policy/decide.ts'
import { hiddenBy, secretReading } from '../guards/policy/hidden-paths.ts'
import { readablePaths, unreadableBy } from '../guards/policy/unreadable-paths.ts'
import { remember, workflow } from '../guards/workflow.ts'
import type { AnyTool, Call, Contract } from '../kernel/contract.ts'
import type { Claim } from '../kernel/claim.ts'
import { isoTime } from '../kernel/time.ts'
import type { Meta, Outcome } from '../kernel/outcome.ts'
import { unreadable } from '../kernel/nesting.ts'
import { freeze, validate } from '../kernel/validate.ts'
import { asToolError } from './as-tool-error.ts'
import { ensureReadable, keptOrigin } from './kept-origin.ts'
import { concealerFor, redactorFor, redactOutcome, redactCall } from './redact-outcome.ts'
import type { CallOptions } from './call-options.ts'
import { DEFAULT_TIMEOUT_MS, ownTime } from './deadline.ts'
import {
  concurrencyOf,
  cannotWait,
  declaredClaims,
  ensureName,
  isCommand,
  isRead,
  mayReveal,
  really,
  reveals,
} from './tool-traits.ts'
import { abridge } from './limit-result.ts'
import { performCall } from './perform-call.ts'
import { endAnswers } from './used-answers.ts'
import { writeIntent, writeRecord } from './write-record.ts'
import { factsOf, prepare, prepareCommands } from './prepare.ts'
import { refusal, describeDecision } from './refusal.ts'
import type { Registry } from './registry.ts'
import type { Lease, Session } from './session.ts'
import type { CallTrace } from './call-trace.ts'

export interface Mounted<Engines> {
  readonly contract: Contract<Engines>
  readonly registry: Registry<AnyTool<Engines>>
}

/** Runs one call. Never throws: every call, even an unknown one, ends in one record and one outcome. */
export async function run<Engines>(
  session: Session<Engines>,
  mount: Mounted<Engines>,
  request: Call,
  options: CallOptions = {},
): Promise<{ readonly outcome: Outcome; readonly answer: unknown }> {
  const { clock, machine } = session
  const { contract } = mount
  const id = clock.id()
  const startedAt = isoTime(clock.now())
  const since = clock.elapsed()
  const busySince = contract.recordsResources && clock.processorMs?.()
  const unreadableInput = unreadable(request.input, `The input of ${request.name}`)
  // Such an input could neither be recorded nor redacted.
  const call = unreadableInput ? { ...request, input: {} } : request
  const trail: CallTrace = {
    id,
    startedAt,
    dryRun: options.dryRun ?? false,
    task: options.task ?? session.task,
    caller: options.caller,
    // Only where a contract's own budgets count for a named piece of work is a session without a name one of its own.
    account: options.task ?? (contract.taskParameter ? session.account : session.task),
    input: call.input,
    given: call.input,
    claims: [],
    changed: [],
    landed: {},
  }
  const callResult = unreadableInput ? Promise.reject(unreadableInput) : steps(session, mount, call, options, trail)
  const result = await callResult.then(
    data => ({ ok: true as const, data }),
    async cause => {
      const error = asToolError(cause, trail)
      const plan = trail.claims.some(isCommand) ? options.plan : undefined
      return { ok: false as const, error: plan ? (await import('./plan.ts')).sincePlan(error, plan) : error }
    },
  )
  // A failure is one line and a hint, so late effects wait for an answer that has room for them.
  const late = (contract.tellsEffects && result.ok && session.lateEffects?.splice(0)) || []
  const lateEffects = late.length > 0 && { lateEffects: late }
  const hint =
    contract.namesPastFixes && machine.pastFix && mayHaveFailed(result)
      ? await (await import('./past-fix.ts')).pastFixHint(session, result)
      : undefined
  const meta: Meta = {
    id,
    startedAt,
    endedAt: isoTime(clock.now()),
    durationMs: Math.round((clock.elapsed() - since) * 1000) / 1000,
    claims: trail.claims,
    // A failed call has changed nothing.
    changed: result.ok ? trail.changed : [],
    ...(options.dryRun && { dryRun: true as const }),
    ...trail.landed,
    ...(trail.warnings && { warnings: [...trail.warnings, ...(trail.landed.warnings ?? [])] }),
    ...lateEffects,
    ...(hint !== undefined && { hint }),
  }
  remember(session.history, { tool: `${contract.id}/${call.name}`, ok: result.ok })
  if (busySince !== undefined && clock.processorMs && !trail.facts?.resources)
    trail.facts = { ...trail.facts, resources: { cpuMs: Math.round((clock.processorMs() - busySince) * 1000) / 1000 } }
  if (trail.answers) endAnswers(trail)
  const outcome = writeRecord(session, mount, call, trail, redactOutcome({ ...result, meta }, session.revealed))
  const answerOutcome =
    options.abridged && outcome.ok ? { ...outcome, data: abridge(trail.tool, outcome.data) } : outcome
  return { outcome, answer: contract.envelope(redactCall(call, session.revealed), answerOutcome) }
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
  const { task, account } = trail
  const secrecy = session.secrets && (await import('./fetch-secrets.ts'))
  if (session.secrets) await secrecy?.learnSecrets(session, session.secrets)
  ensureName(task)
  const tool = (trail.tool = registry.get(call.name))
  const preparation = prepare(session, tool)
  const { grantOf, startRules, egress, isJudged } = preparation instanceof Promise ? await preparation : preparation
  const toolId = `${contract.id}/${tool.name}`
  const input = (trail.input = validate(tool, call.input))
  const timing = { name: tool.name, timeoutMs: session.timeout(toolId, ownTime(tool, input)) ?? DEFAULT_TIMEOUT_MS }
  const placeholders = secrecy?.findPlaceholders(input) ?? []
  const keys = mayReveal(tool) ? placeholders : []
  const statedClaims = [...declaredClaims(tool, tool.claims(input, factsOf(session))), ...reveals(keys)]
  secrecy?.ensurePlainPaths(statedClaims, placeholders)
  const claims = (trail.claims = freeze(machine.canonical(statedClaims)))
  const preparing = prepareCommands(claims)
  if (preparing) await preparing
  if (session.demands.length > 0)
    workflow(session.demands, session.history, {
      tool: toolId,
      dryRun: options.dryRun,
      plan: options.plan,
      justifiedAfter: tool.justifiedAfter,
      justification: input.justification,
      earlier: () => machine.spent({ task: account, tool: toolId }),
    })

  // Commands run what is staged, approved or not.
  const inTransaction = claims.some(isCommand) ? machine.facts.stagedClaims?.() : undefined
  const stagedClaims = inTransaction ?? []
  const [allStated, all] =
    stagedClaims.length > 0
      ? [[...statedClaims, ...stagedClaims], freeze([...claims, ...stagedClaims])]
      : [statedClaims, claims]
  const decision = (trail.decision = decide(policy, all))
  if (decision.verdict === 'deny')
    throw refusal(toolId, describeDecision(policy, decision, { stated: statedClaims, claims }))
  const { decided, mayRead, mayList } = readablePaths(policy, claims, () => trail.approval !== undefined)
  const currentGrant = () => grantOf(claims, trail.approval !== undefined && trail.approval.answer !== 'rule')
  const open = (preview: boolean) =>
    machine.open(claims, {
      declared: { effects: tool.effects, uses: tool.uses ?? [] },
      strictWrites: contract.strictWrites ?? false,
      hidden: decision.filters,
      mayRead,
      mayList,
      secretFiles: secretReading(policy),
      conceal: () => concealerFor(session.revealed),
      egress,
      isJudged,
      starts: startRules(startingLines(trail, claims)),
      hides: hiddenBy(policy),
      unreadable: unreadableBy(policy, decided()),
      stagedOnly: session.effects.refuse !== 'nothing',
      commandTree: currentGrant().tree,
      keepsRepository: currentGrant().keepsRepository,
      plan: options.plan,
      preview,
      store: text => machine.keep(redactorFor(session.revealed).text(text), keptOrigin(session, trail)),
      ensureReadable: origin => ensureReadable(policy, toolId, origin),
      begin: beginning => writeIntent(session, contract, call, trail, beginning),
    })
  const { signal, approve: approver, caller } = options
  const isStaged = inTransaction !== undefined
  const about = { tool, toolId, input, stated: allStated, claims: all, task, signal }
  const approvalRequest = { ...about, approver, caller, trail, isStaged }
  const now = options.dryRun ? decide(policy, claims.filter(really)) : decision
  const isStaging = () => (trail.isStaging = machine.facts.stagedClaims?.() !== undefined)
  const canWait = () => isStaging() && decide(policy, claims.filter(cannotWait)).verdict === 'allow'
  const asks = now.verdict === 'ask' && !canWait()
  const isAlone = options.plan !== undefined || session.effects.sameAgain === true
  const queues = !options.dryRun && !claims.some(isCommand) && (asks || claims.some(({ later }) => later))
  const leave = queues ? await session.schedule.ask(claims, options.signal) : undefined
  let lease: Lease | undefined
  try {
    if (asks) {
      // The card reads no file that a person has yet to open for reading.
      const isReadable = decide(policy, claims.filter(isRead)).verdict === 'allow'
      const { approve, previewOf } = await import('./approve.ts')
      const { isUnchanged } = await import('./is-unchanged.ts')
      trail.approval = await approve(session, { ...approvalRequest, decision }, async () => {
        if (!isReadable) return undefined
        const previewEngines = open(true)
        const preview = await previewOf(tool, timing, input, previewEngines, options.signal)
        const rewritten = () => previewEngines.rewritten?.() ?? []
        return preview && { ...preview, isUnchanged: isUnchanged(policy, tool, all, preview.changes, rewritten) }
      })
      trail.mustChangeNothing = trail.approval === undefined
    }
    const budgets = session.budgets(task, toolId, tool.budget)
    if (budgets.length > 0) {
      const { reserve } = await import('./reserve.ts')
      lease = await reserve(machine, { task: account, tool: toolId }, budgets, timing, options.signal, trail)
    }
    const secrets = keys.length > 0 ? await secrecy?.fetchSecrets(session, keys) : undefined
    const commandSecrets = claims.some(isCommand) ? secrets : undefined
    const real = secrets && secrecy && !commandSecrets ? secrecy.reveal(input, secrets) : input
    const concurrency = concurrencyOf(tool, claims, { tree: currentGrant().tree, isAlone })
    const judgedCall = {
      session,
      contract,
      tool,
      toolId,
      input,
      real,
      secrets: commandSecrets,
      keys,
      claims,
      decision,
      asked: approvalRequest,
    }
    const approvedCall = {
      ...judgedCall,
      timed: timing,
      concurrency,
      options,
      trail,
      lease,
      mayRead,
      granted: currentGrant,
      isStaging,
      open,
    }
    return await session.schedule.run(claims, turn => performCall(approvedCall, turn), concurrency)
  } finally {
    lease?.release()
    leave?.()
  }
}

/** Reports whether an answer may be about a failed command or validator; cheap, because every call asks. */
const mayHaveFailed = (result: { readonly ok: boolean; readonly data?: unknown }): boolean =>
  !result.ok ||
  (typeof result.data === 'object' && result.data !== null && /exitCode|validators/.test(keysOf(result.data)))

const keysOf = (data: object): string => Object.keys(data).join()

/** Approval of a line covers the starts that it shows. */
const startingLines = ({ approval, decision }: CallTrace, claims: readonly Claim[]) => ({
  lines: claims.filter(isCommand).map(({ resource }) => resource),
  approved: approval && { rule: decision?.rule },
})
