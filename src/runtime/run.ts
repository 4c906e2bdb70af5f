import { bound } from '../guards/limits.ts'
import { decide, permitsInside, type Decision } from '../guards/policy/decide.ts'
import { workflow } from '../guards/workflow.ts'
import { findPlaceholders, reveal } from '../guards/secrets/placeholders.ts'
import { visibleDiff, type Change } from '../kernel/change.ts'
import type { Claim, Effect } from '../kernel/claim.ts'
import type { AnyTool, Call, Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import type { Meta, Outcome } from '../kernel/outcome.ts'
import { freeze, validate } from '../kernel/validate.ts'
import { approve, type Approval } from './approve.ts'
import { conceal, redactorFor } from './conceal.ts'
import { withDeadline } from './deadline.ts'
import { planOf } from './plan.ts'
import { recordOf } from './record.ts'
import type { Registry } from './registry.ts'
import type { Opened, Session } from './session.ts'

export interface Mounted<Engines> {
  readonly contract: Contract<Engines>
  readonly registry: Registry<AnyTool<Engines>>
}

export interface CallOptions {
  readonly dryRun?: boolean
  readonly plan?: string
  readonly task?: string
  readonly signal?: AbortSignal
}

/** What becomes known of a call on its way, so that a refused one is recorded as fully as a finished one. */
export interface Trail {
  readonly task: string
  tool?: { readonly version: string }
  input: unknown
  claims: readonly Claim[]
  decision?: Decision
  approval?: Approval
  /** What was thrown, where that was a defect. */
  defect?: unknown
  /** The size of the answer before any cut. */
  bytes?: number
  changed: readonly string[]
  landed: Partial<Meta>
}

/** Runs one call. Never throws: every call, even an unknown one, ends in one record and one outcome. */
export async function run<Engines>(
  session: Session<Engines>,
  mounted: Mounted<Engines>,
  call: Call,
  options: CallOptions = {},
): Promise<{ readonly outcome: Outcome; readonly answer: unknown }> {
  const { clock } = session
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
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(clock.now()).toISOString(),
    durationMs: Math.round((clock.elapsed() - since) * 1000) / 1000,
    claims: trail.claims,
    // A call that failed has changed nothing.
    changed: result.ok ? trail.changed : [],
    ...(options.dryRun && { dryRun: true as const }),
    ...trail.landed,
  }
  session.history.push({ tool: `${mounted.contract.id}/${call.name}`, ok: result.ok })
  const outcome = noted(session, mounted, call, trail, conceal({ ...result, meta }, session.revealed))
  return { outcome, answer: mounted.contract.envelope(call, outcome) }
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
  const { machine } = session
  const { task } = trail
  const tool = (trail.tool = registry.get(call.name))
  const toolId = `${contract.id}/${tool.name}`
  const input = (trail.input = validate(tool, call.input))
  const keys = session.secrets && mayReveal(tool) ? findPlaceholders(input) : []
  const stated = [...declared(tool, tool.claims(input, machine.facts)), ...reveals(keys)]
  const claims = (trail.claims = freeze(machine.canonical(stated)))
  workflow(session.demands, session.history, { tool: toolId, ...options })

  const decision = (trail.decision = decide(session.policy, claims))
  if (decision.verdict === 'deny') throw refusal(toolId, decision)
  const mayRead = (path: string) => decide(session.policy, [{ action: 'read', resource: path }]).verdict === 'allow'
  const open = (preview: boolean) =>
    machine.open(claims, { strictWrites: contract.strictWrites ?? false, hidden: decision.filters, mayRead, preview })
  if (decision.verdict === 'ask' && !options.dryRun)
    trail.approval = await approve(
      session,
      { tool, toolId, input, stated, claims, decision, task, signal: options.signal },
      () => previewOf(tool, input, open(true)),
    )

  const limits = session.budgets(task, toolId, tool.budget)
  const lease = limits && machine.reserve({ task, tool: toolId }, limits)
  try {
    const real = keys.length > 0 ? reveal(input, await fetchSecrets(session, keys)) : input
    return await session.schedule.run(claims, async () => {
      const opened = open(options.dryRun ?? false)
      const raw = await withDeadline(tool, options.signal, context => tool.run(real, opened.engines, context))
      const answer = fit(session, contract, toolId, tool, raw, trail)
      lease?.take(answer.bytes)
      const changes = mutates(tool) ? opened.changes() : []
      trail.changed = changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path]))
      demandPermitted(session, decision, claims, changes)
      const plan = planOf(toolId, input, changes)
      if (options.plan && options.plan !== plan) throw movedOn(toolId, 'the plan was made')
      if (trail.approval?.shown && keys.length === 0 && trail.approval.shown !== plan)
        throw movedOn(toolId, 'it was approved')
      if (options.dryRun) trail.landed = { ...trail.landed, plan, diff: visibleDiff(changes, mayRead) }
      else if (mutates(tool)) trail.landed = { ...trail.landed, ...(await opened.commit(id)) }
      return answer.data
    })
  } finally {
    lease?.release()
  }
}

const mutates = (tool: { readonly effects: readonly Effect[] }) =>
  tool.effects.includes('write') || tool.effects.includes('create') || tool.effects.includes('exec')

/** A tool that only reads gets no secret: a search for one would tell whether a guess is right. */
const mayReveal = (tool: { readonly effects: readonly Effect[] }) => tool.effects.some(effect => effect !== 'read')

const reveals = (keys: readonly string[]): Claim[] => keys.map(resource => ({ action: 'reveal', resource }))

/** A tool that claims more than it declares is a defect, and nothing of it runs. */
function declared(tool: AnyTool<never>, claims: readonly Claim[]): readonly Claim[] {
  const undeclared = claims.find(({ action }) => action === 'reveal' || !tool.effects.includes(action))
  if (undeclared) throw new Error(`${tool.name} claims '${undeclared.action}' and does not declare it`)
  return claims
}

/** What the call would change, without the secrets and without landing anything. */
async function previewOf<Engines>(
  tool: AnyTool<Engines>,
  input: unknown,
  opened: Opened<Engines>,
): Promise<readonly Change[]> {
  if (tool.effects.includes('exec') || tool.effects.includes('net')) return []
  await withDeadline(tool, undefined, context => tool.run(input, opened.engines, context))
  return opened.changes()
}

async function fetchSecrets<Engines>(
  session: Session<Engines>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>()
  for (const key of keys) {
    const value = await session.secrets?.get(key)
    if (value === undefined)
      throw new ToolError('unknown_secret', `No secret named '${key}'`, {
        hint: `Give the secret provider a value for ${key}, or write \\$ENV.${key} for the literal text`,
      })
    values.set(key, value)
    noteRevealed(session.revealed, key, value)
  }
  return values
}

/** A value that a provider gives no longer is still a secret, so that a new one takes a name beside it. */
function noteRevealed(revealed: Map<string, string>, key: string, value: string): void {
  for (let count = 1; ; count++) {
    const name = count === 1 ? key : `${key}#${count}`
    const known = revealed.get(name)
    if (known === undefined) revealed.set(name, value)
    if (known === undefined || known === value) return
  }
}

/** What a call changed within a directory that it claimed as a whole is judged path by path. */
function demandPermitted<Engines>(
  session: Session<Engines>,
  { verdict }: Decision,
  claims: readonly Claim[],
  changes: readonly Change[],
): void {
  if (!claims.some(({ resource }) => resource.endsWith('**'))) return
  const permits = permitsInside(session.policy, 'write', verdict)
  const refused = changes.flatMap(({ path, from = path }) => [path, from]).find(path => !permits(path))
  if (refused !== undefined)
    throw new ToolError('denied', `'${refused}' may not be changed`, {
      hint: 'Leave it out, or have the policy changed',
    })
}

/** The answer as its schema promises it, cut to a preview where it is too long. */
function fit<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  toolId: string,
  tool: AnyTool<Engines>,
  raw: unknown,
  trail: Trail,
): { readonly data: unknown; readonly bytes: number } {
  const parsed = tool.output.safeParse(raw)
  if (!parsed.success)
    throw new ToolError('invalid_result', `'${toolId}' gave an answer that does not fit its own schema`, {
      details: { issues: parsed.error.issues },
    })
  const { data, bytes, ref } = bound(parsed.data, {
    maxBytes: contract.answerBytes ?? session.answerBytes,
    keep: text => session.machine.keep(redactorFor(session.revealed).text(text)),
  })
  trail.bytes = bytes
  if (ref !== undefined) trail.landed = { ...trail.landed, ref: `ref:${ref}`, bytes }
  return { data, bytes }
}

/** Writes the record before the answer is given; an answer whose record cannot be written is not given. */
function noted<Engines>(
  session: Session<Engines>,
  { contract }: Mounted<Engines>,
  call: Call,
  trail: Trail,
  outcome: Outcome,
): Outcome {
  try {
    session.machine.record(recordOf(session, contract, call, trail, outcome), outcome.meta.undo !== undefined)
    return outcome
  } catch (cause) {
    const error = new ToolError('io', 'The journal could not be written, so the answer is withheld', {
      hint: 'Run toolwright doctor; check the space and permissions of the state directory',
      cause,
      details: { changed: outcome.meta.changed, ...(outcome.meta.undo && { undo: outcome.meta.undo }) },
    })
    return { ok: false, error, meta: outcome.meta }
  }
}

const refusal = (toolId: string, { why, missing, rule }: Decision): ToolError =>
  new ToolError('denied', `'${toolId}' is not allowed: ${why}`, {
    hint: missing
      ? `It needs the permission ${missing}: add it to the permissions of the session (--allow '${missing}' on the command line)`
      : 'No permission opens this; leave it as it is, or have a person change the policy',
    details: { ...(rule && { rule }), ...(missing && { permission: missing }) },
  })

const movedOn = (toolId: string, since: string): ToolError =>
  new ToolError('conflict', `What '${toolId}' would do is not what it was when ${since}`, {
    hint: 'The input or a file has changed since: look at it again with a new dry run',
  })

function asToolError(cause: unknown, trail: Trail): ToolError {
  if (cause instanceof ToolError) return cause
  trail.defect = cause
  return new ToolError('internal', `Unexpected failure: ${messageOf(cause)}`, { cause })
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
