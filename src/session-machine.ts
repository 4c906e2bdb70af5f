import { join } from 'node:path'
import { isSameAgain } from './config/effects-rules.ts'
import type { Merged } from './config/merge.ts'
import type { SessionOptions } from './config/session-options.ts'
import { OWN_FILES } from './contracts/load-contract.ts'
import { isPublished } from './contracts/published.ts'
import type { Engines } from './engines/engines.ts'
import type { LazyCommands, SessionCommands } from './engines/lazy-commands.ts'
import type { LazyKnowledge } from './engines/lazy-knowledge.ts'
import { loadGitPlaces, openPlaces } from './engines/open-places.ts'
import { changesFiles, createEngines } from './engines/open-engines.ts'
import type { DocumentationConnection, LazyFixes, RepositoryConnection } from './engines/parts.ts'
import { compileGlob, matchGlob } from './guards/glob.ts'
import { loadCommandParser } from './guards/policy/command-parser.ts'
import { isProtectedName, nameMatters } from './guards/policy/other-names.ts'
import { isAboutCommands, storedRules } from './guards/policy/permission.ts'
import { withPlaces, type Policy } from './guards/policy/policy.ts'
import type { Rule } from './guards/policy/rule.ts'
import { sessionPolicy } from './guards/policy/session-policy.ts'
import type { JournalAdapter } from './kernel/adapters.ts'
import type { Effect } from './kernel/claim.ts'
import type { Contract } from './kernel/contract.ts'
import { guardedFiles, type Environment } from './machine/state/directory.ts'
import type * as CommittedSince from './machine/process/committed-since.ts'
import { leaseIn } from './machine/state/held-place.ts'
import { keptBytes, keptText, withOrigins } from './machine/journal/kept-text.ts'
import type { Network } from './machine/web/network.ts'
import type { OpenWorkspace } from './machine/workspace-resources.ts'
import { appendPrivateLine } from './machine/state/private-file.ts'
import { appendLine } from './machine/workspace/append-line.ts'
import { canonicalClaims, namedClaims } from './machine/workspace/canonical-claims.ts'
import { listUndo, undoPaths } from './machine/workspace/commit/list-undo.ts'
import { createLanding } from './machine/workspace/land.ts'
import type { ReadMemory } from './machine/workspace/read-memory.ts'
import type * as StagedClaims from './machine/workspace/staged-claims.ts'
import type * as UndoTargets from './engines/undo-targets.ts'
import type { OtherNames } from './machine/workspace/other-names/create-other-names.ts'
import type { Root } from './machine/workspace/root.ts'
import { createTransactions, freeTransactionId } from './machine/workspace/transactions.ts'
import { systemClock, type Clock } from './runtime/clock.ts'
import { contentOf } from './machine/workspace/content-of.ts'
import type { Machine } from './runtime/session.ts'

/** What the sessions of one toolkit share besides the workspace. */
export interface Held {
  readonly stored: StoredRules
  readonly commands: LazyCommands
  readonly knowledge: LazyKnowledge
  readonly documentation: DocumentationConnection['held']
  readonly fixes: LazyFixes
}

/** Stored deny rules as rules of a policy, kept up to date while the workspace is open. */
interface StoredRules {
  rules(): readonly Rule[]
  /** Takes in what other processes stored since; undefined if nothing is stored. */
  refresh(): Promise<void> | undefined
}

/** Opens the stored deny rules of a workspace; throws if one of them is not understood. */
export async function openStoredRules({ hasDenials, denials }: OpenWorkspace): Promise<StoredRules> {
  let rules: readonly Rule[] = []
  let from: readonly unknown[] = []
  const refresh = async (): Promise<void> => {
    const shelves = Object.values(await denials())
    const lists = shelves.map(shelf => shelf.list())
    if (lists.every((list, at) => list === from[at])) return
    const all = lists.flat()
    if (all.some(({ deny }) => isAboutCommands(deny))) await loadCommandParser()
    rules = storedRules(
      all,
      shelves.flatMap(shelf => shelf.problem()?.message ?? []),
    )
    from = lists
  }
  if (hasDenials()) await refresh()
  return { rules: () => rules, refresh: () => (hasDenials() ? refresh() : undefined) }
}

/** Returns the policy of a session, judged again once other deny rules are stored. */
export function currentPolicy(
  { stored, commands, places }: Pick<Held, 'stored' | 'commands'> & Pick<MachineOptions, 'places'>,
  first: Policy,
  policyWith: (rules: readonly Rule[]) => Policy,
): () => Policy {
  let rules = stored.rules()
  const withFacts = (judged: Policy): Policy => withPlaces({ ...judged, history: commands.history }, places)
  let policy = withFacts(first)
  return () => {
    if (rules !== stored.rules()) {
      rules = stored.rules()
      policy = withFacts(policyWith(rules))
    }
    return policy
  }
}

export interface MachineOptions {
  readonly sessionId: string
  readonly clock: Clock
  readonly memory: ReadMemory
  readonly network: Network | 'system' | 'none'
  readonly repository: RepositoryConnection
  readonly documentation: DocumentationConnection
  /** Removes the secrets of the session from stored text. */
  readonly redact: <T>(value: T) => T
  readonly transaction: { readonly id: string; readonly begun: boolean } | undefined
  readonly places: OtherNames
  readonly env: Environment
  readonly options: SessionOptions & { readonly contract: Contract<Engines> }
}

/** Returns the engines in the form that the runtime expects. */
export function machineOf(
  workspace: OpenWorkspace,
  { commands, knowledge, fixes, stored }: Held,
  { config }: Merged,
  given: MachineOptions,
): Machine<Engines> {
  const { sessionId, clock, memory, network, repository, documentation } = given
  const { redact, transaction, places, env, options } = given
  const { root, state, store, lock, payloads, ledger, upkeep } = workspace
  const calls = options.journal ? callsOf(options.journal) : workspace.calls
  const transactions = createTransactions(state.transactions, lock)
  if (transaction !== undefined) transactions.enter(transaction.id, transaction)
  const landing = landingOf(workspace, calls, { commands, stored }, config, given)
  let last: { readonly text: string; readonly ref: string } | undefined
  // The intent of a call and its record hold the same input.
  const keep: Machine<Engines>['keep'] = (answer, origin) => {
    if (typeof answer !== 'string') return payloads.put(keptBytes(answer, origin))
    const text = keptText(answer, origin)
    if (last?.text !== text) last = { text, ref: payloads.put(text) }
    return last.ref
  }
  const engines = createEngines({
    commitsOf: target => undoTargets(target),
    leftBehind: target => changing?.leftBehind(state.journal, target) ?? [],
    root,
    store,
    memory,
    transactions,
    payloads,
    landing,
    network,
    repository,
    documentation,
    settings: config.engines,
    outputs: { ...config.schemas, ...options.outputs },
    newId: () => freeTransactionId(state.transactions, clock.id),
    compileGlob,
    foreign: OWN_FILES,
    knowledge,
    fixes,
    redact,
    graph: options.graph,
    ...(clock !== systemClock && { fixedTime: clock.now }),
    sameAgain: isSameAgain(options),
    isOneCall: options.isOneCall ?? false,
    planFile: state.plan,
    commands,
    commandOptions: commandOptionsOf(options, network),
    writeLimits: options.contract.limitsWrites ? [config.limits.commands, options.commandLimits ?? {}] : undefined,
    lastCommand: async () =>
      (await import('./machine/journal/last-command.ts')).lastCommand(state.journal, sessionId, payloads),
  })
  let changing: (typeof CommittedSince & typeof StagedClaims & typeof UndoTargets) | undefined
  const undoTargets = (target: string): readonly string[] =>
    changing?.undoTargets(state.journal, store, target) ?? [target]
  const loadChanging = async (): Promise<void> => void (changing ??= await loadFacts())
  return {
    facts: {
      undoPaths: target =>
        target === undefined ? undoPaths(store) : [...new Set(undoTargets(target).flatMap(id => undoPaths(store, id)))],
      committedSince: target =>
        (target === undefined ? [undefined] : undoTargets(target))
          .map(id => changing?.gitCommitSince(store, root.path, id, env))
          .find(since => since !== undefined),
      repositoryOrigin: engines.repositoryOrigin,
      documentation: () => documentation.settings,
      memoryServers: () => fixes.servers,
      backgroundLine: commands.backgroundLine,
      stagedClaims() {
        const open = transactions.current()
        return open && changing?.stagedClaims(open.staging())
      },
    },
    canonical: claims =>
      withOrigins(payloads, sessionId, canonicalClaims(root, transactions.current()?.staging(), claims, places)),
    named: claims => namedClaims(places, transactions.current()?.staging(), claims),
    // Tools of a foreign program may use any engine that the grant of a call allows.
    load(effects) {
      const used = isPublished(options.contract) ? effects : EVERY_EFFECT
      const loading = [
        engines.load(used),
        used.includes('exec') ? commands.loadHistory() : undefined,
        used.some(changesFiles) && !changing ? loadChanging() : undefined,
      ].filter(each => each !== undefined)
      return loading.length === 0 ? undefined : Promise.all(loading).then(() => {})
    },
    open: engines.open,
    contentOf: path => contentOf(root, transactions.current()?.staging(), path),
    keep,
    intend(entry, { durable, input }) {
      const large = input && { inputRef: { ref: keep(input.text, input.origin), bytes: Buffer.byteLength(input.text) } }
      calls.begin({ ...entry, ...large }, { durable, at: clock.now() })
    },
    record(entry) {
      last = undefined
      calls.end(entry, { at: clock.now() })
      // The record is written; an error of a listener is the listener's own.
      try {
        options.onRecord?.(entry)
      } catch {}
      upkeep.tidy()
    },
    ...(config.memory.hints && !isSameAgain(options) && hinting(fixes, config, { network, options })),
    spent: scope => ledger.usage(scope).calls,
    tell: (file, line) => appendLine(root, file, line),
    tellApart: (file, line) => appendPrivateLine(join(state.metrics, file), line),
    reserve: (scope, budgets) => leaseIn(ledger, scope, budgets),
  }
}

const commandOptionsOf = (
  { commandEnv = {}, deterministic = false, commandLimits: limits, commandTimeoutMs: timeoutMs }: SessionOptions,
  network: MachineOptions['network'],
): SessionCommands => ({
  given: commandEnv,
  fixed: deterministic,
  network,
  ...(limits && { limits }),
  ...(timeoutMs !== undefined && { timeoutMs }),
})

/** Finds past fixes of what fails, by words alone if the process ends with the call. */
const hinting = (
  fixes: LazyFixes,
  { memory: { hintMs: requestMs } }: Merged['config'],
  { network, options: { isOneCall = false } }: Pick<MachineOptions, 'network' | 'options'>,
): Pick<Machine<Engines>, 'pastFix'> => ({
  pastFix(failure, egress) {
    const dueAt = performance.now() + requestMs
    const signal = AbortSignal.timeout(requestMs)
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    signal.addEventListener('abort', () => resolve(undefined))
    const look = async () => {
      const memory = await fixes.load()
      return memory.pastFix(failure, { network, egress, requestMs }, { dueAt, signal, wordsOnly: isOneCall })
    }
    return Promise.race([look(), late])
  },
})

function landingOf(
  { root, state, store, lock, upkeep }: OpenWorkspace,
  calls: Pick<OpenWorkspace['calls'], 'sync'>,
  { commands, stored }: Pick<Held, 'commands' | 'stored'>,
  config: Merged['config'],
  { clock, memory, env, options }: Pick<MachineOptions, 'clock' | 'memory' | 'env' | 'options'>,
): ReturnType<typeof createLanding> {
  // Undo gets half of the space for state; the other half is for the journal and its payloads.
  const bounds = { maxBytes: config.state.maxBytes / 2, maxAgeMs: config.state.maxAgeMs }
  return createLanding({
    root,
    store,
    lock,
    memory,
    async validate(staging, concerned) {
      const { validatorStarts } = await import('./guards/policy/validator-starts.ts')
      const policy = sessionPolicy(config, {
        ...(options.commands && { commands: options.commands }),
        ...(options.denials && { denials: options.denials }),
        stored: stored.rules(),
      })
      const argvs = concerned.map(({ command }) => command)
      const starts = await validatorStarts(policy, argvs)
      return commands.validate(staging, concerned, { fixed: options.deterministic ?? false, starts })
    },
    validators: paths =>
      config.validators.filter(({ globs }) => globs.some(glob => paths.some(path => matchGlob(glob, path)))),
    async objectCheck() {
      const { refuseLostObjects } = await import('./machine/process/overlay/staged-history.ts')
      return staging => refuseLostObjects(root, staging, { state: state.path, env })
    },
    ...(clock !== systemClock && { isTaken: id => listUndo(store).some(commit => commit.id === id) }),
    bounds: () => ({ ...bounds, now: clock.now() }),
    sync: () => calls.sync(),
    committed: bytes => upkeep.grew(bytes),
  })
}

const callsOf = (journal: JournalAdapter): Pick<OpenWorkspace['calls'], 'begin' | 'sync' | 'end'> => ({
  begin: intent => journal.append(intent),
  sync() {},
  end: record => journal.append(record),
})

const EVERY_EFFECT: readonly Effect[] = ['read', 'create', 'write', 'exec', 'net']

/** Returns what a session knows of links and settings that lead to a place. */
export const placesOf = (root: Root, state: string, env: Environment, policy: () => Policy): OtherNames =>
  openPlaces(root, env, {
    guarded: guardedFiles(state),
    matters: name => nameMatters(policy(), name),
    isProtected: name => isProtectedName(policy(), name),
  })

/** Loads what the claims of tools that change files are stated and judged by. */
async function loadFacts(): Promise<typeof CommittedSince & typeof StagedClaims & typeof UndoTargets> {
  const [git, staged, undo] = await Promise.all([
    import('./machine/process/committed-since.ts'),
    import('./machine/workspace/staged-claims.ts'),
    import('./engines/undo-targets.ts'),
    loadGitPlaces(),
  ])
  return { ...git, ...staged, ...undo }
}
