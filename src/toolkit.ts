import { COMMAND_LINE_ACCOUNT } from './machine/state/ledger.ts'
import type { Merged } from './config/merge.ts'
import type { Engines } from './engines/engines.ts'
import { lazyCommands, type LazyCommands } from './engines/lazy-commands.ts'
import type { FixMemory } from './engines/fix-memory.ts'
import { lazyDocumentation, lazyKnowledge } from './engines/lazy-knowledge.ts'
import type { DocumentationConnection, LazyFixes, RepositoryConnection, WrittenConnections } from './engines/parts.ts'
import { originOf } from './engines/open-engines.ts'
import { homeDirectory, type Environment, type WorkspaceState } from './machine/state/directory.ts'
import { vaultOf } from './machine/vault/vault.ts'
import { openWorkspaceAt, type OpenWorkspace } from './machine/workspace-resources.ts'
import { freeTransactionId } from './machine/workspace/transactions.ts'
import { listUndo, undoPaths } from './machine/workspace/commit/list-undo.ts'
import { maskDetected } from './guards/secrets/detect.ts'
import { judgementOf } from './guards/judgement.ts'
import type { Protection } from './guards/policy/builtin.ts'
import { denialRules, isAboutCommands } from './guards/policy/permission.ts'
import { loadCommandParsers, provideSecondParser } from './guards/policy/command-parser.ts'
import type { Rule } from './guards/policy/rule.ts'
import type { Contract } from './kernel/contract.ts'
import type { PendingApproval } from './kernel/pending-approval.ts'
import type * as OpenFixes from './config/open-fixes.ts'
import { loadConfig, protectionOf, type Loaded } from './config/load.ts'
import { ADAPTER_PLACES, allContracts, loadContract, OWN_FILES } from './contracts/load-contract.ts'
import { createApprovalList, fixedStorage } from './runtime/approval-list.ts'
import { fixedClock, systemClock, type Clock } from './runtime/clock.ts'
import { createQuestions } from './runtime/questions.ts'
import { redactorFor } from './runtime/redact-outcome.ts'
import type { Session } from './runtime/session.ts'
import { handleOf, type SessionHandle as Handle } from './runtime/session-handle.ts'
import { effectsOf } from './config/effects-rules.ts'
import { createShared, type SessionOptions, type ToolkitOptions } from './config/session-options.ts'
import { loadGitPlaces } from './engines/open-places.ts'
import {
  currentPolicy,
  machineOf,
  openStoredRules,
  placesOf,
  type Held,
  type MachineOptions,
} from './session-machine.ts'

export { CONTRACT_IDS, loadContract, loadForCall } from './contracts/load-contract.ts'
export { createShared, type SessionOptions, type Shared, type ToolkitOptions } from './config/session-options.ts'

/** Our own contract: the default of every surface, and the one whose `stage` ends a transaction. */
const OWN_CONTRACT = 'toolwright'

/** The session of all single calls on the command line, in each workspace. */
const COMMAND_LINE = 'command-line'

/** A session that takes any name and input, and checks them when the call is made. */
export type SessionHandle = Handle<Engines>

/**
 * One workspace, opened with its configuration and state, and a first session in it. Takes any name and input, and
 * checks them when the call is made.
 */
export interface Toolkit extends SessionHandle {
  readonly root: string
  readonly state: WorkspaceState
  readonly config: Loaded
  readonly workspace: OpenWorkspace
  readonly commands: LazyCommands
  readonly fixes: LazyFixes
  session(options?: SessionOptions): SessionHandle
  /** Returns what can be undone, the newest first. */
  commits(): readonly (ReturnType<typeof listUndo>[number] & { readonly paths: readonly string[] })[]
  close(): Promise<void>
}

provideSecondParser(async () => (await import('./machine/grammar/bash-syntax.ts')).loadBashSyntax())

/** Opens a workspace; close it when done. */
export async function openToolkit(options: ToolkitOptions = {}): Promise<Toolkit> {
  const env = options.env ?? process.env
  const { contract: named = OWN_CONTRACT } = options
  const contract = typeof named === 'string' ? await loadContract(named) : named
  // One for all sessions: ids are given in order and must not repeat.
  const fixed = fixedClock()
  const { deterministic = false, denials = [], client, waitForApprovalMs } = options
  const workspace = await openWorkspaceAt(options.root ?? '.', env, (deterministic ? fixed : systemClock).now)
  const { root, state, store } = workspace
  try {
    // A session returns the policy's decision on a command line synchronously.
    const decidesAtOnce = !options.isBrief && !options.parsersWhenNeeded
    const [config] = await Promise.all([
      loadConfig(root.path, env, options),
      decidesAtOnce || [...(options.permissions ?? []), ...denials].some(isAboutCommands)
        ? loadCommandParsers()
        : undefined,
    ])
    const stored = await openStoredRules(workspace)
    const lasting = [...config.config.policy.rules, ...stored.rules()]
    const isDenied = lasting.some(isDeniedPlace)
      ? (await import('./config/purge-denied.ts')).purgeDenied(state.path, lasting)
      : () => false
    workspace.upkeep.keepWithin(config.config.state)
    if (namesTools(config.config)) {
      const { ensureKnownTools } = await import('./config/known-tools.ts')
      await ensureKnownTools(config.config, async () => [contract, ...(await allContracts())])
    }
    const held = { root, env, off: config.config.sandbox === 'off', limits: config.config.limits.commands }
    const commands = lazyCommands({ ...held, state: state.path, history: state.history })
    // The same for a line that makes git show something.
    if (decidesAtOnce) await loadGitPlaces()
    if (decidesAtOnce && [...lasting, ...denialRules(denials)].some(keepsFromReading)) await commands.loadHistory()
    const knowledge = lazyKnowledge({
      root,
      state,
      env,
      use: options.resident ?? 'use',
      settings: config.config.resident,
      foreign: OWN_FILES,
      isDenied,
      isBrief: options.isBrief ?? false,
      serverOptions: { off: held.off, limits: held.limits, configured: config.config.languageServers },
    })
    const documentation = lazyDocumentation({ root: root.path, state, isDenied })
    let memory: Promise<FixMemory> | undefined
    const fixes: LazyFixes = {
      servers: serversOf(config.config.memory),
      load: () => (memory ??= openFixes(state, config.config, options, env)),
    }
    const protection = protectionOf(root.path, options.config)
    const session = (more: SessionOptions = {}) =>
      openSession(workspace, { commands, knowledge, documentation, fixes, stored }, config, env, fixed, {
        contract,
        deterministic,
        protection,
        ...(client !== undefined && { client }),
        ...(waitForApprovalMs !== undefined && { waitForApprovalMs }),
        ...more,
        denials: [...denials, ...(more.denials ?? [])],
      })
    return {
      ...session({ ...options, contract }),
      root: root.path,
      state,
      config,
      workspace,
      commands,
      fixes,
      session,
      commits: () => listUndo(store).map(commit => ({ ...commit, paths: undoPaths(store, commit.id) })),
      async close() {
        await Promise.all([
          commands.close(),
          knowledge.close(),
          documentation.close(),
          memory?.then(opened => opened.close()),
          workspace.upkeep.settled(),
        ])
        workspace.close()
      },
    }
  } catch (error) {
    workspace.close()
    throw error
  }
}

const isDeniedPlace = ({ verdict, path }: { readonly verdict: string; readonly path?: string | undefined }): boolean =>
  verdict === 'deny' && path !== undefined

const keepsFromReading = ({ verdict, action }: Rule): boolean =>
  verdict === 'deny' && (action === 'read' || action === '*')

const namesTools = ({ plans, budgets, timeouts }: Merged['config']): boolean =>
  plans.require.length > 0 || budgets.length > 0 || Object.keys(timeouts).length > 0

function openSession(
  workspace: OpenWorkspace,
  held: Held,
  merged: Merged,
  env: Environment,
  fixed: Clock,
  options: SessionOptions & { readonly contract: Contract<Engines>; readonly protection: Protection },
): SessionHandle {
  const { contract } = options
  const { config } = merged
  const { root, state, approvals } = workspace
  const clock = options.deterministic ? fixed : systemClock
  const { waitForApprovalMs: waitMs } = options
  const questions = createQuestions(clock, {
    waitMs,
    ask: async (...question) => {
      const { askEverywhere } = await import('./runtime/ask-everywhere.ts')
      return askEverywhere(
        { open: workspace.pending, waitMs, onAsked: await notifier(workspace, config, env) },
        ...question,
      )
    },
  })
  if (options.approve) questions.attach(options.approve)
  const { id: sharedId, memory, revealed, schedule, account } = options.shared ?? createShared()
  // Calls made one after another at a prompt share one session, though each is a process of its own.
  const lastingId = options.isOneCall ? COMMAND_LINE : options.continues ? sharedId : undefined
  const sessionId = (options.deterministic ? undefined : lastingId) ?? clock.id()
  const network = options.network ?? (options.deterministic ? 'none' : 'system')
  const secrets = options.secrets ?? vaultOf(config.secrets, env, root.path)
  const repository: RepositoryConnection = {
    written: connectionsOf(config, options),
    secretOf: async key => (await secrets?.get(key)) ?? env[key],
    learn: async (key, value) => (await import('./runtime/fetch-secrets.ts')).learnSecret(revealed, key, value),
  }
  const documentation: DocumentationConnection = {
    held: held.documentation,
    settings: config.engines.documentation ?? {},
    places: [root.path, homeDirectory(env)],
    hide: text => redactorFor(revealed).text(maskDetected(text)),
  }
  const redact: MachineOptions['redact'] = value => redactorFor(revealed).value(value)
  const machineIn = (transaction: MachineOptions['transaction']) =>
    machineOf(workspace, held, merged, {
      sessionId,
      clock,
      memory,
      network,
      repository,
      documentation,
      redact,
      transaction,
      places,
      env,
      options,
    })
  const repositories = [...namedOrigins(config, options), ...held.fixes.servers]
  const judgedBy = { ...config, effects: effectsOf(config, options), repositories }
  const granted = {
    ...options,
    protection: { ...options.protection, ...(options.sageAdapter && { granted: ADAPTER_PLACES }) },
  }
  const judge = (stored: readonly Rule[]) => judgementOf(judgedBy, { ...granted, stored })
  const judgement = judge(held.stored.rules())
  const places = placesOf(root, state.path, env, () => policy())
  const policy = currentPolicy({ ...held, places }, judgement.policy, rules => judge(rules).policy)
  const shelf = (kept: OpenWorkspace['approvals']['user']) =>
    clock === systemClock ? kept : fixedStorage(kept, clock.id, systemClock.now)
  const shelves = { workspace: shelf(approvals.workspace), user: shelf(approvals.user) }
  const session: Session<Engines> = {
    id: sessionId,
    task: options.task ?? 'default',
    account: options.task ?? (options.isOneCall ? COMMAND_LINE_ACCOUNT : account),
    workspace: state.key,
    clock,
    ...judgement,
    checksAnswers: env['TOOLWRIGHT_CHECK_ANSWERS'] === '1',
    policy: policy(),
    history: [],
    questions,
    waitMs,
    ...(options.client !== undefined && { client: options.client }),
    approvals: createApprovalList({
      ...shelves,
      newId: clock.id,
      ...(clock === systemClock && { time: { now: clock.now, latest: () => latestIn(state.journal) } }),
    }),
    secrets,
    revealed,
    schedule,
    ...(!options.isOneCall && { lateEffects: [] }),
    machine: machineIn(options.transaction === undefined ? undefined : { id: options.transaction, begun: false }),
  }
  const { readOnly = false } = options
  return handleOf(session, {
    contract,
    loadContract,
    readOnly,
    stageTool: { contract: OWN_CONTRACT, name: 'stage' },
    newTransaction: () => freeTransactionId(state.transactions, clock.id),
    machineIn: id => machineIn({ id, begun: true }),
    transaction: options.transaction,
    policy,
    refresh: held.stored.refresh,
    closed: workspace.closed,
    ...(options.record && {
      run: options.record.session<Engines>(session, { contract: contract.id, readOnly }, judgedBy, {
        ...granted,
        stored: held.stored.rules(),
      }),
    }),
  })
}

/** Returns what tells the user of a question that waits, if their configuration says whom. */
async function notifier(
  { journal, root, closed }: OpenWorkspace,
  { approvals: { notify } }: Merged['config'],
  env: Environment,
): Promise<((question: PendingApproval) => () => void) | undefined> {
  if (!notify) return undefined
  const { notifyLater } = await import('./machine/process/notify.ts')
  return question =>
    notifyLater(notify, question, {
      root: root.path,
      env,
      onSent(to, problem) {
        const { id } = question
        // The call may be over by now.
        if (!closed()) journal.append({ type: 'notification', question: id, to, ok: problem === undefined, problem })
      },
    })
}

/** Loaded on demand: most calls use no remembered answer, and read no journal. */
const latestIn = async (journal: string): Promise<number> =>
  (await import('./machine/journal/latest-time.ts')).latestTime(journal)

const openFixes: typeof OpenFixes.openFixes = async (...of) => (await import('./config/open-fixes.ts')).openFixes(...of)

/** Returns the session's connections. A given `github` replaces all of the configuration's. */
function connectionsOf(config: Merged['config'], { github, products }: SessionOptions): WrittenConnections {
  const written =
    github === undefined
      ? { usual: config.github, products: { ...config.products, ...products } }
      : { usual: github === 'none' ? undefined : github, products: products ?? {} }
  // Reports an invalid address now, not in the first call that needs it.
  for (const each of [written.usual, ...Object.values(written.products)]) if (each) originOf(each)
  return written
}

/** Returns the origins of the configuration's repositories. Those that a program names instead need a grant. */
function namedOrigins(config: Merged['config'], { github, products }: SessionOptions): readonly string[] {
  if (github !== undefined || products !== undefined) return []
  const named = [...(config.github ? [config.github] : []), ...Object.values(config.products)]
  return [...new Set(named.map(originOf))]
}

/** Returns the origins that the configuration names for past fixes. Reports an invalid address now. */
const serversOf = ({ chroma, embedder }: Merged['config']['memory']): readonly string[] =>
  [chroma?.url, embedder?.openai?.url, embedder?.ollama?.url].flatMap(url =>
    url === undefined ? [] : [originOf({ baseUrl: url })],
  )
