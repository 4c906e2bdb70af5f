import { mergeConfig, parseConfig, type Merged } from './config.ts'
import { sage } from './contracts/sage/contract.ts'
import { toolwright } from './contracts/toolwright/contract.ts'
import type { Engines } from './engines/engines.ts'
import { openEngines } from './engines/open-engines.ts'
import { namedConfig, projectConfig, userConfig } from './engines/state/config-file.ts'
import { configDirectory, type Environment, type WorkspaceState } from './engines/state/directory.ts'
import { trustOf } from './engines/state/trust.ts'
import { vaultOf } from './engines/vault/vault.ts'
import { openWorkplace, type Workplace } from './engines/workplace.ts'
import { createLanding } from './engines/workspace/land.ts'
import { canonicalClaims } from './engines/workspace/canonical-claims.ts'
import { createReadMemory, type ReadMemory } from './engines/workspace/read-memory.ts'
import { prune } from './engines/workspace/retention.ts'
import { createTransactions } from './engines/workspace/transactions.ts'
import { listUndo, undoPaths } from './engines/workspace/undo.ts'
import { effectiveBudget } from './guards/budget.ts'
import { matchGlob } from './guards/glob.ts'
import { decide, type Decision } from './guards/policy/decide.ts'
import { makePolicy, NO_POWER, type Policy } from './guards/policy/policy.ts'
import { planFirst } from './guards/workflow.ts'
import type { AnyTool, Contract } from './kernel/contract.ts'
import { ToolError } from './kernel/error.ts'
import type { Outcome } from './kernel/outcome.ts'
import type { SecretProvider } from './kernel/secret.ts'
import { validate } from './kernel/validate.ts'
import { createApprovalBook } from './runtime/approval-book.ts'
import { fixedClock, systemClock, type Clock } from './runtime/clock.ts'
import { createQuestions, type Answerer, type Questions } from './runtime/questions.ts'
import { createRegistry } from './runtime/registry.ts'
import { run, type CallOptions } from './runtime/run.ts'
import { createSchedule } from './runtime/schedule.ts'
import type { Machine, Session } from './runtime/session.ts'

const CONTRACTS: readonly Contract<Engines>[] = [toolwright, sage]

/** A contract by its id. */
export function contractOf(id: string): Contract<Engines> {
  const found = CONTRACTS.find(contract => contract.id === id)
  if (found) return found
  throw new ToolError('invalid_input', `There is no contract '${id}'`, {
    hint: `Contracts: ${CONTRACTS.map(contract => contract.id).join(', ')}`,
  })
}

export interface SessionOptions {
  /** The contract whose tools are called by their plain names; `toolwright` unless given. */
  readonly contract?: string | Contract<Engines>
  readonly readOnly?: boolean
  /** Granted beforehand, e.g. `fs:write:src/**`. */
  readonly permissions?: readonly string[]
  /** What the permissions do not grant is denied, whatever the configuration says. */
  readonly permissionsOnly?: boolean
  /** Asked where policy says ask; without anybody, ask means no. */
  readonly approve?: Answerer
  readonly secrets?: SecretProvider
  /** Every secret of the provider may be revealed without asking. */
  readonly grantSecrets?: boolean
  /** The named piece of work that budgets are counted for. */
  readonly task?: string
  /** Stages into this transaction instead of landing each call. */
  readonly transaction?: string
  /** No time, no chance: the same calls on the same files give the same answers. */
  readonly deterministic?: boolean
  /** Sees every record as it is journaled. */
  readonly onRecord?: (record: object) => void
}

export interface ToolkitOptions extends SessionOptions {
  readonly root?: string
  readonly env?: Environment
  /** A configuration file in place of the user's own. */
  readonly config?: string
}

export interface RunOptions extends CallOptions {
  readonly contract?: string
}

export interface SessionHandle {
  readonly id: string
  readonly questions: Questions
  tools(contract?: string): readonly AnyTool<Engines>[]
  /** Makes one call and gives the answer exactly as its contract prints it. */
  call(tool: string, input: unknown, options?: RunOptions): Promise<unknown>
  /** The same, with everything that is known of the call. */
  run(
    tool: string,
    input: unknown,
    options?: RunOptions,
  ): Promise<{ readonly outcome: Outcome; readonly answer: unknown }>
  /** What policy says to a call, or to a command line, without making it. */
  check(tool: string, input: unknown, contract?: string): Decision
  checkCommand(line: string): Decision
  /** All changes of the calls made in `work` land together, or, where it throws, not at all. */
  transaction<T>(work: (session: SessionHandle) => Promise<T>): Promise<T>
}

/** The way in for programs: one workspace, opened with its configuration and state, and a first session in it. */
export interface Toolkit extends SessionHandle {
  readonly root: string
  readonly state: WorkspaceState
  readonly config: Merged
  readonly workplace: Workplace
  session(options?: SessionOptions): SessionHandle
  /** What can be undone, the newest first. */
  commits(): readonly {
    readonly id: string
    readonly at: number
    readonly bytes: number
    readonly paths: readonly string[]
  }[]
  close(): Promise<void>
}

/** Opens a workspace; close it when done. */
export async function openToolkit(options: ToolkitOptions = {}): Promise<Toolkit> {
  const env = options.env ?? process.env
  const workplace = openWorkplace(options.root ?? '.', env, () => clockOf(options).now())
  const { root, state, store } = workplace
  try {
    const config = loadConfig(root.path, env, options.config)
    const session = (more: SessionOptions = {}) => openSession(workplace, config, env, more)
    return {
      ...session(options),
      root: root.path,
      state,
      config,
      workplace,
      session,
      commits: () => listUndo(store).map(commit => ({ ...commit, paths: undoPaths(store, commit.id) })),
      close: async () => workplace.close(),
    }
  } catch (error) {
    workplace.close()
    throw error
  }
}

function loadConfig(root: string, env: Environment, named: string | undefined): Merged {
  const home = configDirectory(env)
  const user = named === undefined ? userConfig(home) : namedConfig(named)
  const project = projectConfig(root)
  const trusted = project !== undefined && trustOf(home, project.path, project.hash) === 'trusted'
  return mergeConfig(
    user && parseConfig(user.text, user.path),
    project && parseConfig(project.text, project.path),
    trusted,
  )
}

const clockOf = ({ deterministic }: SessionOptions): Clock => (deterministic ? fixedClock() : systemClock)

function openSession(workplace: Workplace, merged: Merged, env: Environment, options: SessionOptions): SessionHandle {
  const { config } = merged
  const { root, state, approvals } = workplace
  const clock = clockOf(options)
  const questions = createQuestions(clock)
  if (options.approve) questions.attach(options.approve)
  const memory = createReadMemory()
  const machineIn = (transaction: string | undefined) =>
    machineOf(workplace, merged, { clock, memory, transaction, onRecord: options.onRecord })
  const session: Session<Engines> = {
    id: clock.id(),
    task: options.task ?? 'default',
    workspace: state.key,
    clock,
    policy: policyOf(merged, options),
    answerBytes: config.limits.answerBytes,
    budgets: (task, tool, limits) => effectiveBudget(config.budgets, { task, tool }, limits),
    demands: config.plans.require.length > 0 ? [planFirst(config.plans.require)] : [],
    history: [],
    questions,
    approvals: createApprovalBook({ ...approvals, newId: clock.id }),
    secrets: options.secrets ?? vaultOf(config.secrets, env, root.path),
    revealed: new Map(),
    schedule: createSchedule(),
    machine: machineIn(options.transaction),
  }
  return handleOf(session, options, machineIn)
}

function handleOf(
  session: Session<Engines>,
  options: SessionOptions,
  machineIn: (transaction: string) => Machine<Engines>,
): SessionHandle {
  const { machine, policy, clock } = session
  const contract =
    typeof options.contract === 'object' ? options.contract : contractOf(options.contract ?? 'toolwright')
  const mount = (mounted: Contract<Engines>) => ({
    contract: mounted,
    registry: createRegistry(mounted.tools, { readOnly: options.readOnly ?? false }),
  })
  const own = mount(contract)
  const mounted = (id: string | undefined) => (id === undefined || id === contract.id ? own : mount(contractOf(id)))
  const handle: SessionHandle = {
    id: session.id,
    questions: session.questions,
    tools: id => mounted(id).registry.list(),
    async call(tool, input, more = {}) {
      return (await handle.run(tool, input, more)).answer
    },
    run: (tool, input, { contract: id, ...more } = {}) => run(session, mounted(id), { name: tool, input }, more),
    check(name, input, id) {
      const tool = mounted(id).registry.get(name)
      return decide(policy, machine.canonical(tool.claims(validate(tool, input), machine.facts)))
    },
    checkCommand: line => decide(policy, [{ action: 'exec', resource: line }]),
    async transaction(work) {
      const inside = handleOf({ ...session, machine: machineIn(clock.id()) }, options, machineIn)
      const stage = (action: string) => inside.run('stage', { action }, { contract: 'toolwright' })
      try {
        const result = await work(inside)
        const { outcome } = await stage('commit')
        if (!outcome.ok) throw outcome.error
        return result
      } catch (error) {
        await stage('rollback')
        throw error
      }
    },
  }
  return handle
}

function policyOf(
  { config }: Merged,
  { permissions = [], permissionsOnly = false, grantSecrets = false }: SessionOptions,
): Policy {
  const granted = [...permissions, ...(grantSecrets ? ['secret:*'] : [])]
  if (!permissionsOnly)
    return makePolicy({
      defaults: config.policy.defaults,
      rules: config.policy.rules,
      permissions: [...config.permissions, ...granted],
    })
  // The configuration's own denials hold all the same.
  const rules = config.policy.rules.filter(rule => rule.verdict === 'deny')
  return makePolicy({
    defaults: NO_POWER,
    rules: rules.map(rule => ({ ...rule, narrows: true as const })),
    permissions: granted,
  })
}

interface MachineOptions {
  readonly clock: Clock
  readonly memory: ReadMemory
  readonly transaction: string | undefined
  readonly onRecord: SessionOptions['onRecord']
}

/** The engines as the runtime wants them handed in. */
function machineOf(
  workplace: Workplace,
  { config }: Merged,
  { clock, memory, transaction, onRecord }: MachineOptions,
): Machine<Engines> {
  const { root, state, store, lock, journal, payloads, ledger } = workplace
  const transactions = createTransactions(state.transactions)
  if (transaction !== undefined) transactions.enter(transaction)
  const bounds = { maxBytes: config.state.maxBytes / 2, maxAgeMs: config.state.maxAgeMs }
  const landing = createLanding({
    root,
    store,
    lock,
    memory,
    validators: paths =>
      config.validators.filter(({ globs }) => globs.some(glob => paths.some(path => matchGlob(glob, path)))),
    // Undo gets half of what the state may take; the other half is for the journal and its payloads.
    committed: () => void lock.run(() => prune(store, { ...bounds, now: clock.now() })),
  })
  const parts = { root, store, memory, transactions, payloads, landing, newId: clock.id }
  return {
    facts: { undoPaths: id => undoPaths(store, id) },
    canonical: claims => canonicalClaims(root, transactions.current()?.staging, claims),
    open: (grant, { strictWrites }) => openEngines(parts, grant, { strictWrites }),
    keep: text => payloads.put(text),
    record(entry, durable) {
      journal.append(entry, { durable })
      onRecord?.(entry)
    },
    reserve(scope, limits) {
      let lease = ledger.reserve(scope, { calls: 1, bytes: 0 }, limits)
      return {
        take(bytes) {
          lease = ledger.take(lease, bytes)
        },
        release: () => ledger.settle(lease),
      }
    },
  }
}
