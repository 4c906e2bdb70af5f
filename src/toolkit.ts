import type { Merged } from './config.ts'
import { isMetricsFile, METRICS_FILES } from './contracts/superconnect/metrics-file.ts'
import type { Engines } from './engines/engines.ts'
import { openEngines, type Parts } from './engines/open-engines.ts'
import { connectionOf } from './engines/github/connect.ts'
import { lastCommand } from './engines/journal/last-command.ts'
import { openCommands, type Commands } from './engines/process/open-commands.ts'
import { openKnowledge, type Knowledge } from './engines/resident/open-knowledge.ts'
import { foreignFiles } from './engines/search/foreign-files.ts'
import { leaseIn } from './engines/state/lease.ts'
import type { Environment, WorkspaceState } from './engines/state/directory.ts'
import { vaultOf } from './engines/vault/vault.ts'
import { openWorkplace, type Workplace } from './engines/workplace.ts'
import type { Network } from './engines/web/network.ts'
import { appendLine } from './engines/workspace/append-line.ts'
import { createLanding } from './engines/workspace/land.ts'
import type { ReadMemory } from './engines/workspace/read-memory.ts'
import { canonicalClaims } from './engines/workspace/canonical-claims.ts'
import { prune } from './engines/workspace/commit/retention.ts'
import { createTransactions, freeTransactionId } from './engines/workspace/transactions.ts'
import { listUndo, undoPaths } from './engines/workspace/commit/undo.ts'
import { compileGlob, matchGlob } from './guards/glob.ts'
import { judgementOf } from './guards/judgement.ts'
import type { Protection } from './guards/policy/builtin.ts'
import type { Contract } from './kernel/contract.ts'
import type { EffectsRules } from './kernel/edit-effects.ts'
import { demandKnownTools } from './known-tools.ts'
import { loadConfig } from './load-config.ts'
import { allContracts, loadContract } from './load-contract.ts'
import { protectionOf } from './protection.ts'
import { createApprovalBook } from './runtime/approval-book.ts'
import { fixedClock, systemClock, type Clock } from './runtime/clock.ts'
import { fixedShelf } from './runtime/fixed-shelf.ts'
import { createQuestions } from './runtime/questions.ts'
import { sessionFacts } from './runtime/recording/session-facts.ts'
import { learnSecret } from './runtime/fetch-secrets.ts'
import type { Machine, Session } from './runtime/session.ts'
import { handleOf, type SessionHandle as Handle } from './runtime/session-handle.ts'
import { createShared, type SessionOptions, type ToolkitOptions } from './session-options.ts'

export { CONTRACT_IDS, loadContract } from './load-contract.ts'
export { createShared, type SessionOptions, type Shared, type ToolkitOptions } from './session-options.ts'

/** A session as programs and surfaces use it. */
export type SessionHandle = Handle<Engines>

/** The way in for programs: one workspace, opened with its configuration and state, and a first session in it. */
export interface Toolkit extends SessionHandle {
  readonly root: string
  readonly state: WorkspaceState
  readonly config: Merged
  readonly workplace: Workplace
  readonly commands: Commands
  session(options?: SessionOptions): SessionHandle
  /** What can be undone, the newest first. */
  commits(): readonly (ReturnType<typeof listUndo>[number] & { readonly paths: readonly string[] })[]
  close(): Promise<void>
}

/** Opens a workspace; close it when done. */
export async function openToolkit(options: ToolkitOptions = {}): Promise<Toolkit> {
  const env = options.env ?? process.env
  const { contract: named = 'toolwright' } = options
  const contract = typeof named === 'string' ? await loadContract(named) : named
  // One for all sessions: names that are given in order must not be given twice.
  const fixed = fixedClock()
  const { deterministic = false } = options
  const workplace = openWorkplace(options.root ?? '.', env, (deterministic ? fixed : systemClock).now)
  const { root, state, store } = workplace
  try {
    const config = await loadConfig(root.path, env, options.config)
    workplace.upkeep.keepWithin(config.config.state)
    await demandKnownTools(config.config, async () => [contract, ...(await allContracts())])
    const held = { root, env, off: config.config.sandbox === 'off', limits: config.config.limits.commands }
    const commands = openCommands({ ...held, state: state.path })
    const knowledge = openKnowledge({
      root,
      state,
      env,
      use: options.resident ?? 'use',
      settings: config.config.resident,
      isForeign: isMetricsFile,
      isBrief: options.isBrief ?? false,
      wishes: { off: held.off, limits: held.limits, configured: config.config.languageServers },
    })
    const protection = protectionOf(root.path, options.config)
    const session = (more: SessionOptions = {}) =>
      openSession(workplace, { commands, knowledge }, config, env, fixed, {
        contract,
        deterministic,
        protection,
        ...more,
      })
    return {
      ...session({ ...options, contract }),
      root: root.path,
      state,
      config,
      workplace,
      commands,
      session,
      commits: () => listUndo(store).map(commit => ({ ...commit, paths: undoPaths(store, commit.id) })),
      async close() {
        await Promise.all([commands.close(), knowledge.close()])
        workplace.close()
      },
    }
  } catch (error) {
    workplace.close()
    throw error
  }
}

function openSession(
  workplace: Workplace,
  held: Held,
  merged: Merged,
  env: Environment,
  fixed: Clock,
  options: SessionOptions & { readonly contract: Contract<Engines>; readonly protection: Protection },
): SessionHandle {
  const { contract } = options
  const { config } = merged
  const { root, state, approvals } = workplace
  const clock = options.deterministic ? fixed : systemClock
  const questions = createQuestions(clock)
  if (options.approve) questions.attach(options.approve)
  const { memory, revealed, schedule } = options.shared ?? createShared()
  const sessionId = clock.id()
  const network = options.network ?? (options.deterministic ? 'none' : 'system')
  const secrets = options.secrets ?? vaultOf(config.secrets, env, root.path)
  const repository = {
    connection: connectionOf(options.github ?? config.github, async key => (await secrets?.get(key)) ?? env[key]),
    learn: (key: string, value: string) => learnSecret(revealed, key, value),
  }
  const machineIn = (transaction: MachineOptions['transaction']) =>
    machineOf(workplace, held, merged, { sessionId, clock, memory, network, repository, transaction, options })
  const judgedBy = { ...config, effects: effectsOf(config, options) }
  const granted = {
    ...options,
    protection: { ...options.protection, ...(options.sageAdapter && { grantSage: true as const }) },
  }
  const shelf = (kept: Workplace['approvals']['user']) =>
    clock === systemClock ? kept : fixedShelf(kept, clock.id, systemClock.now)
  const shelves = { workspace: shelf(approvals.workspace), user: shelf(approvals.user) }
  const session: Session<Engines> = {
    id: sessionId,
    task: options.task ?? 'default',
    workspace: state.key,
    clock,
    ...judgementOf(judgedBy, granted),
    history: [],
    questions,
    approvals: createApprovalBook({ ...shelves, newId: clock.id }),
    secrets,
    revealed,
    schedule,
    machine: machineIn(options.transaction === undefined ? undefined : { id: options.transaction, begun: false }),
  }
  const { readOnly = false } = options
  return handleOf(session, {
    contract,
    loadContract,
    readOnly,
    newTransaction: () => freeTransactionId(state.transactions, clock.id),
    machineIn: id => machineIn({ id, begun: true }),
    transaction: options.transaction,
    closed: workplace.closed,
    ...(options.record && {
      run: options.record.session<Engines>(
        sessionFacts(session, { contract: contract.id, readOnly }, judgedBy, granted),
      ),
    }),
  })
}

/** Where answers have to come out the same again only what was waited for is told. */
const effectsOf = ({ effects }: Merged['config'], options: SessionOptions): EffectsRules => ({
  ...effects,
  ...(options.effects && { mode: options.effects }),
  ...(isSameAgain(options) && { sameAgain: true }),
})

const isSameAgain = ({ deterministic, record }: SessionOptions): boolean =>
  deterministic === true || record !== undefined

/** What the sessions of one toolkit share besides the workplace. */
interface Held {
  readonly commands: Commands
  readonly knowledge: Knowledge
}

interface MachineOptions {
  readonly sessionId: string
  readonly clock: Clock
  readonly memory: ReadMemory
  readonly network: Network | 'system' | 'none'
  readonly repository: Parts['repository']
  readonly transaction: { readonly id: string; readonly begun: boolean } | undefined
  readonly options: SessionOptions
}

/** The engines as the runtime wants them handed in. */
function machineOf(
  workplace: Workplace,
  { commands, knowledge }: Held,
  { config }: Merged,
  { sessionId, clock, memory, network, repository, transaction, options }: MachineOptions,
): Machine<Engines> {
  const { root, state, store, lock, journal, payloads, ledger, upkeep } = workplace
  const transactions = createTransactions(state.transactions, lock)
  if (transaction !== undefined) transactions.enter(transaction.id, transaction)
  const bounds = { maxBytes: config.state.maxBytes / 2, maxAgeMs: config.state.maxAgeMs }
  const landing = createLanding({
    root,
    store,
    lock,
    memory,
    validate: (staging, concerned) => commands.validate(staging, concerned, options.deterministic ?? false),
    validators: paths =>
      config.validators.filter(({ globs }) => globs.some(glob => paths.some(path => matchGlob(glob, path)))),
    ...(clock !== systemClock && { isTaken: id => listUndo(store).some(commit => commit.id === id) }),
    // Undo gets half of what the state may take; the other half is for the journal and its payloads.
    committed(bytes) {
      lock.run(() => prune(store, { ...bounds, now: clock.now() }))
      upkeep.grew(bytes)
    },
  })
  const parts = {
    root,
    store,
    memory,
    transactions,
    payloads,
    landing,
    network,
    repository,
    outputs: { ...config.schemas, ...options.outputs },
    newId: () => freeTransactionId(state.transactions, clock.id),
    compileGlob,
    foreign: foreignFiles(METRICS_FILES),
    user: knowledge.user,
    ...knownBy(knowledge, isSameAgain(options)),
    ...(clock !== systemClock && { fixedTime: clock.now }),
    sameAgain: isSameAgain(options),
    isOneCall: options.isOneCall ?? false,
    commands: commands.parts({
      given: options.commandEnv ?? {},
      fixed: options.deterministic ?? false,
      network,
      ...(options.commandTimeoutMs !== undefined && { timeoutMs: options.commandTimeoutMs }),
    }),
    lastCommand: () => lastCommand(state.journal, sessionId, payloads),
  }
  return {
    facts: { undoPaths: commit => undoPaths(store, commit), repositoryOrigin: () => repository.connection?.origin },
    canonical: claims => canonicalClaims(root, transactions.current()?.staging(), claims),
    open: (grant, more) => openEngines(parts, grant, more),
    keep: text => payloads.put(text),
    record(entry, durable) {
      journal.append(entry, { durable, at: clock.now() })
      // It is written: what a listener makes of it is the listener's affair.
      try {
        options.onRecord?.(entry)
      } catch {}
      upkeep.tidy()
    },
    spent: scope => ledger.usage(scope).calls,
    tell: (file, line) => appendLine(root, file, line),
    reserve: (scope, budgets) => leaseIn(ledger, scope, budgets),
  }
}

/** What a process happens to know must not be in an answer that has to come out the same again. */
const knownBy = (
  knowledge: Knowledge,
  sameAgain: boolean,
): Pick<Parts, 'index' | 'indexed' | 'servers' | 'graphs' | 'effects'> => {
  const { index, search: indexed, servers, graphs, effects } = knowledge
  const { ownIndex, ownServers, ownGraphs, ownEffects } = knowledge
  return sameAgain
    ? { index: ownIndex, servers: ownServers, graphs: ownGraphs, effects: ownEffects }
    : { index, indexed, servers, graphs, effects }
}
