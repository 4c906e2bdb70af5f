import { mergeConfig, type Merged } from './config.ts'
import type { Engines } from './engines/engines.ts'
import { openEngines } from './engines/open-engines.ts'
import { namedConfig, projectConfig, userConfig } from './engines/state/config-file.ts'
import { configDirectory, type Environment, type WorkspaceState } from './engines/state/directory.ts'
import { vaultOf } from './engines/vault/vault.ts'
import { openWorkplace, type Workplace } from './engines/workplace.ts'
import type { Network } from './engines/web/network.ts'
import { createLanding } from './engines/workspace/land.ts'
import { canonicalClaims } from './engines/workspace/canonical-claims.ts'
import { createReadMemory, type ReadMemory } from './engines/workspace/read-memory.ts'
import { prune } from './engines/workspace/retention.ts'
import { createTransactions } from './engines/workspace/transactions.ts'
import { listUndo, undoPaths } from './engines/workspace/undo.ts'
import { effectiveBudget } from './guards/budget.ts'
import { compileGlob, matchGlob } from './guards/glob.ts'
import { makePolicy, NO_POWER, type Policy } from './guards/policy/policy.ts'
import { planFirst } from './guards/workflow.ts'
import type { Contract } from './kernel/contract.ts'
import { ToolError } from './kernel/error.ts'
import type { SecretProvider } from './kernel/secret.ts'
import { createApprovalBook } from './runtime/approval-book.ts'
import { fixedClock, systemClock, type Clock } from './runtime/clock.ts'
import { createQuestions, type Answerer } from './runtime/questions.ts'
import { createSchedule, type Schedule } from './runtime/schedule.ts'
import type { Machine, Session } from './runtime/session.ts'
import { handleOf, type SessionHandle as Handle } from './runtime/session-handle.ts'

/** Each is loaded when it is first named: nobody waits for the tools of another. */
const CONTRACTS: Readonly<Record<string, () => Promise<Contract<Engines>>>> = {
  toolwright: async () => (await import('./contracts/toolwright/contract.ts')).toolwright,
  sage: async () => (await import('./contracts/sage/contract.ts')).sage,
  'cli-agent': async () => (await import('./contracts/cli-agent/contract.ts')).cliAgent,
}

export const CONTRACT_IDS: readonly string[] = Object.keys(CONTRACTS)

const loaded = new Map<string, Contract<Engines>>()

/** A contract by its id. */
export async function loadContract(id: string): Promise<Contract<Engines>> {
  const known = loaded.get(id)
  if (known) return known
  const load = Object.hasOwn(CONTRACTS, id) ? CONTRACTS[id] : undefined
  if (!load)
    throw new ToolError('invalid_input', `There is no contract '${id}'`, {
      hint: `Contracts: ${CONTRACT_IDS.join(', ')}`,
    })
  const contract = await load()
  loaded.set(id, contract)
  return contract
}

export interface SessionOptions {
  /** The contract whose tools are called by their plain names; that of the toolkit unless given. */
  readonly contract?: Contract<Engines>
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
  /** The host registers this session as an adapter that keeps `.sage/`: there, and there only, it may write. */
  readonly sageAdapter?: boolean
  /** The named piece of work that budgets are counted for. */
  readonly task?: string
  /** Stages into this transaction instead of landing each call. */
  readonly transaction?: string
  /** No time, no chance: the same calls on the same files give the same answers. */
  readonly deterministic?: boolean
  /** Stands in for the network of this machine. */
  readonly network?: Network
  /** Sees every record as it is journaled. */
  readonly onRecord?: (record: object) => void
  /** What several sessions have in common that are one piece of work. */
  readonly shared?: Shared
}

export interface Shared {
  readonly memory: ReadMemory
  readonly revealed: Map<string, string>
  readonly schedule: Schedule
}

export const createShared = (): Shared => ({
  memory: createReadMemory(),
  revealed: new Map(),
  schedule: createSchedule(),
})

export interface ToolkitOptions extends Omit<SessionOptions, 'contract'> {
  readonly root?: string
  /** A contract or its id; `toolwright` unless given. */
  readonly contract?: string | Contract<Engines>
  readonly env?: Environment
  /** A configuration file in place of the user's own. */
  readonly config?: string
}

/** A session as programs and surfaces use it. */
export type SessionHandle = Handle<Engines>

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
  const { contract: named = 'toolwright' } = options
  const contract = typeof named === 'string' ? await loadContract(named) : named
  const workplace = openWorkplace(options.root ?? '.', env, () => clockOf(options).now())
  const { root, state, store } = workplace
  try {
    const config = await loadConfig(root.path, env, options.config)
    const session = (more: SessionOptions = {}) => openSession(workplace, config, env, { contract, ...more })
    return {
      ...session({ ...options, contract }),
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

async function loadConfig(root: string, env: Environment, named: string | undefined): Promise<Merged> {
  const home = configDirectory(env)
  const user = named === undefined ? userConfig(home) : namedConfig(named)
  const project = projectConfig(root)
  if (!user && !project) return mergeConfig()
  const [{ parseConfig }, { trustOf }] = await Promise.all([
    import('./config-file.ts'),
    import('./engines/state/trust.ts'),
  ])
  const trusted = project !== undefined && trustOf(home, project.path, project.hash) === 'trusted'
  return mergeConfig(
    user && parseConfig(user.text, user.path),
    project && parseConfig(project.text, project.path),
    trusted,
  )
}

const clockOf = ({ deterministic }: Pick<SessionOptions, 'deterministic'>): Clock =>
  deterministic ? fixedClock() : systemClock

function openSession(
  workplace: Workplace,
  merged: Merged,
  env: Environment,
  options: SessionOptions & { readonly contract: Contract<Engines> },
): SessionHandle {
  const { contract } = options
  const { config } = merged
  const { root, state, approvals } = workplace
  const clock = clockOf(options)
  const questions = createQuestions(clock)
  if (options.approve) questions.attach(options.approve)
  const { memory, revealed, schedule } = options.shared ?? createShared()
  const network = options.network ?? (options.deterministic ? 'none' : 'system')
  const machineIn = (transaction: MachineOptions['transaction']) =>
    machineOf(workplace, merged, { clock, memory, network, transaction, onRecord: options.onRecord })
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
    approvalMs: config.approvals.expireMs,
    approvals: createApprovalBook({ ...approvals, newId: clock.id }),
    secrets: options.secrets ?? vaultOf(config.secrets, env, root.path),
    revealed,
    schedule,
    machine: machineIn(options.transaction === undefined ? undefined : { id: options.transaction, begun: false }),
  }
  return handleOf(session, {
    contract,
    loadContract,
    readOnly: options.readOnly ?? false,
    machineIn: id => machineIn({ id, begun: true }),
    transaction: options.transaction,
  })
}

function policyOf(
  { config }: Merged,
  { permissions = [], permissionsOnly = false, grantSecrets = false, sageAdapter = false }: SessionOptions,
): Policy {
  const protection = { platform: process.platform, ...(sageAdapter && { grantSage: true as const }) }
  const granted = [...permissions, ...(grantSecrets ? ['secret:*'] : [])]
  if (!permissionsOnly)
    return makePolicy({
      defaults: config.policy.defaults,
      rules: config.policy.rules,
      permissions: [...config.permissions, ...granted],
      protection,
    })
  // The configuration's own denials hold all the same.
  const rules = config.policy.rules.filter(rule => rule.verdict === 'deny')
  return makePolicy({
    defaults: NO_POWER,
    rules: rules.map(rule => ({ ...rule, narrows: true as const })),
    permissions: granted,
    protection,
  })
}

interface MachineOptions {
  readonly clock: Clock
  readonly memory: ReadMemory
  readonly network: Network | 'system' | 'none'
  readonly transaction: { readonly id: string; readonly begun: boolean } | undefined
  readonly onRecord: SessionOptions['onRecord']
}

/** The engines as the runtime wants them handed in. */
function machineOf(
  workplace: Workplace,
  { config }: Merged,
  { clock, memory, network, transaction, onRecord }: MachineOptions,
): Machine<Engines> {
  const { root, state, store, lock, journal, payloads, ledger } = workplace
  const transactions = createTransactions(state.transactions, lock)
  if (transaction !== undefined) transactions.enter(transaction.id, transaction)
  const bounds = { maxBytes: config.state.maxBytes / 2, maxAgeMs: config.state.maxAgeMs }
  const landing = createLanding({
    root,
    store,
    lock,
    memory,
    validators: paths =>
      config.validators.filter(({ globs }) => globs.some(glob => paths.some(path => matchGlob(glob, path)))),
    ...(clock !== systemClock && { isTaken: id => listUndo(store).some(commit => commit.id === id) }),
    // Undo gets half of what the state may take; the other half is for the journal and its payloads.
    committed: () => void lock.run(() => prune(store, { ...bounds, now: clock.now() })),
  })
  const parts = { root, store, memory, transactions, payloads, landing, network, newId: clock.id, compileGlob }
  return {
    facts: { undoPaths: id => undoPaths(store, id) },
    canonical: claims => canonicalClaims(root, transactions.current()?.staging(), claims),
    open: (grant, options) => openEngines(parts, grant, options),
    keep: text => payloads.put(text),
    record(entry, durable) {
      journal.append(entry, { durable })
      // It is written: what a listener makes of it is the listener's affair.
      try {
        onRecord?.(entry)
      } catch {}
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
