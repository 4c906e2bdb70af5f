import type { Change } from '../kernel/change.ts'
import type { Claim, Effect } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import { onceLoaded } from '../kernel/once.ts'
import type { OpenOptions, SessionState } from '../kernel/open-options.ts'
import { GITHUB, readTarget } from '../kernel/target.ts'
import type { Connected, WrittenConnection } from '../knowledge/github/connect.ts'
import type * as ForeignFiles from '../knowledge/search/foreign-files.ts'
import type * as ListTree from '../knowledge/search/list-tree.ts'
import type * as UserPlaces from '../knowledge/tree/ignore/user-places.ts'
import type { OpenProcess } from '../machine/process/open-process.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import type { Landed } from '../machine/workspace/land.ts'
import { openReading, type Reading } from '../machine/workspace/open-reading.ts'
import { createStaging } from '../machine/workspace/staging.ts'
import type { Engines, ListedEntry } from './engines.ts'
import { openKnowledgeEngines } from './open-knowledge-engines.ts'
import { openText } from './open-text.ts'
import type { Writing } from './open-writing.ts'
import type { OpenedEngines } from './opened-engines.ts'
import type { Parts, WrittenConnections } from './parts.ts'
import { openRegistered } from './registry.ts'
import { withLooks } from '../machine/workspace/grant.ts'

/** The engines of one session. */
interface SessionEngines {
  /** Loads the code behind tools with these effects; undefined if it is loaded. */
  load(effects: readonly Effect[]): Promise<void> | undefined
  /** Opens the engines for the claims of one call; each engine is created on first use. */
  open(claims: readonly Claim[], options: OpenOptions): OpenedEngines
  /** Returns the origin to claim for a product's repository; undefined if it has none. */
  repositoryOrigin(product?: string): string | undefined
}

/** What calls with certain effects need, once loaded. */
interface Loaded {
  writing?: (scope: CallScope, reading: Reading) => Writing
  commands?: (scope: CallScope, inTransaction: boolean) => OpenProcess
  connect?: (product: string | undefined) => Connected
}

export function createEngines(parts: Parts): SessionEngines {
  const loadedModules: Loaded = {}
  const loadWriting = onceLoaded(async () => {
    const { openWriting } = await import('./open-writing.ts')
    loadedModules.writing = (scope, reading) => openWriting(parts, scope, reading)
  })
  const loadCommands = onceLoaded(async () => {
    const [{ openProcess }, commands] = await Promise.all([
      import('../machine/process/open-process.ts'),
      parts.commands.parts(parts.commandOptions),
    ])
    loadedModules.commands = (scope, inTransaction) => openProcess(commands, { ...scope, inTransaction })
  })
  const { written, secretOf } = parts.repository
  const loadConnect = onceLoaded(async () => {
    const { connectionOf } = await import('../knowledge/github/connect.ts')
    loadedModules.connect = product => {
      const connection = connectionFor(written, product)
      if (!connection) throw noConnection(written, product)
      return connectionOf(connection, secretOf)
    }
  })
  return {
    load(effects) {
      const loading: Promise<void>[] = []
      if (!loadedModules.writing && effects.some(changesFiles)) loading.push(loadWriting())
      if (!loadedModules.commands && effects.includes('exec')) loading.push(loadCommands())
      if (!loadedModules.connect && effects.includes('net')) loading.push(loadConnect())
      return loading.length === 0 ? undefined : Promise.all(loading).then(() => {})
    },
    open: (claims, options) => openEngines(parts, loadedModules, claims, options),
    repositoryOrigin(product) {
      const connection = connectionFor(written, product)
      return connection && originOf(connection)
    },
  }
}

/** Commands may change files too. */
export const changesFiles = (effect: Effect): boolean => effect === 'create' || effect === 'write' || effect === 'exec'

function openEngines(parts: Parts, loaded: Loaded, claims: readonly Claim[], options: OpenOptions): OpenedEngines {
  const { root, memory, transactions, landing } = parts
  const transaction = transactions.current()
  const staging = createStaging(transaction?.staging())
  const scope: CallScope = { ...options, root, claims, staging }
  const reading = openReading(root, { grant: withLooks(claims), staging, memory })
  const lazyEngines: { writing?: Writing; commands?: OpenProcess } = {}
  const { needEffect, needState } = declarations(options)
  // The session also reads what a call staged; only its tool is held to what it declares.
  const writing = (): Writing =>
    (lazyEngines.writing ??= requireDeclared(loaded.writing, 'change files')(scope, reading))
  const commands = (): OpenProcess =>
    (lazyEngines.commands ??= requireDeclared(loaded.commands, 'run commands')(scope, transaction !== undefined))
  const changing = (): Writing => {
    needEffect('change files', 'create', 'write')
    return writing()
  }
  const running = (): OpenProcess => {
    needEffect('run commands', 'exec')
    return commands()
  }
  const transacting = (): Writing => {
    needState('stage')
    return writing()
  }
  const knowledgeEngines = openKnowledgeEngines(parts, scope, () => lazyEngines.writing?.stage.changes() !== undefined)
  const text = openText(parts, scope, reading, knowledgeEngines.index)
  return {
    engines: {
      text: {
        ...text.engine,
        write: (...args) => changing().text.write(...args),
        replace: (...args) => changing().text.replace(...args),
        splice: (...args) => changing().text.splice(...args),
        // A check changes nothing.
        patch: (diff, how) => (how.check ? writing() : changing()).text.patch(diff, how),
      },
      files: {
        ...openListing(parts, scope, reading),
        move: (...args) => changing().files.move(...args),
        remove: path => changing().files.remove(path),
        makeDirectory: path => changing().files.makeDirectory(path),
        undo(id) {
          needState('undo')
          return changing().files.undo(id)
        },
      },
      ...knowledgeEngines.engines,
      ...openRegistered({ parts, scope, isPreview: options.preview, needState, connect: loaded.connect }),
      process: {
        run: async (...args) => running().engine.run(...args),
        start: async (...args) => running().engine.start(...args),
        poll: handle => running().engine.poll(handle),
        read: (...args) => running().engine.read(...args),
        write: (...args) => running().engine.write(...args),
        stop: async handle => running().engine.stop(handle),
      },
      journal: {
        async lastCommand() {
          needState('journal')
          const last = await parts.lastCommand()
          if (last) await options.ensureReadable(last.origin)
          return last
        },
      },
      stage: {
        begin: () => transacting().stage.begin(),
        diff: () => transacting().stage.diff(),
        validate: async () => transacting().stage.validate(),
        commit: () => transacting().stage.commit(),
        rollback: () => transacting().stage.rollback(),
      },
    },
    given: text.given,
    changes: () => writing().stage.changes() ?? writing().changes(),
    accept: hunks => writing().accept(hunks),
    repository: () => writing().repository(),
    rewritten: () => staging.rewritten(),
    effects: knowledgeEngines.judged,
    async ensureStarts() {
      if (claims.some(({ action }) => action === 'exec')) commands().ensureStarts()
      else (await import('../machine/web/resolve.ts')).ensureReachable(options.egress, claims)
    },
    async commit(id) {
      const { stage, undoes, changes: stagedChanges } = writing()
      const hasUnstaged = lazyEngines.commands?.landsUnstaged() ?? false
      const begin = (ofThese: readonly Change[], durable: boolean) =>
        options.begin({ durable, changed: pathsOf(ofThese), ...(hasUnstaged && { unstaged: hasUnstaged }) })
      // Landing flushes it to disk itself, together with the rest.
      const finishedLanding = await stage.finish(id, these => begin(these, false))
      if (finishedLanding) return finishedLanding
      const around = lazyEngines.commands?.around()
      if (!transaction) {
        const [landedChanges, undone] = [stagedChanges(), undoes()]
        let hasBegun = false
        const beginLanding = () => {
          begin(landedChanges, false)
          hasBegun = true
        }
        const how = {
          id,
          begin: beginLanding,
          ...(undone !== undefined && { undoes: undone }),
          ...(around && { around }),
        }
        if (staging.toOperations().length > 0) lazyEngines.commands?.prepare(id)
        const answer = await landing.land(staging, landedChanges, how)
        if (hasUnstaged && !hasBegun) begin(landedChanges, true)
        return finishLanding(answer)
      }
      if (hasUnstaged) begin([], true)
      const add = () => (staging.own().length > 0 ? transaction.add(staging) : undefined)
      if (around) around.land(add)
      else add()
      return finishLanding({ transaction: transaction.id })
    },
    ...ofCommands(() => lazyEngines.commands),
    previewWarnings: () => [
      ...(lazyEngines.writing?.warnings() ?? []),
      ...(lazyEngines.commands?.previewWarnings() ?? []),
    ],
  }

  /** Lands unstaged changes last, when nothing can refuse the rest any more. */
  function finishLanding(landed: Landed): Landed {
    const stagingWarnings = lazyEngines.writing?.warnings() ?? []
    const warnings = [...stagingWarnings, ...(landed.warnings ?? []), ...(lazyEngines.commands?.finish() ?? [])]
    return warnings.length > 0 ? { ...landed, warnings } : landed
  }
}

/** Returns what commands of the call did besides staging changes; nothing while it has run none. */
const ofCommands = (
  commands: () => OpenProcess | undefined,
): Pick<OpenedEngines, 'content' | 'unstaged' | 'keep' | 'close'> => ({
  content: () => commands()?.content() ?? [],
  unstaged: async () => commands()?.unstaged() ?? [],
  keep: async plan => commands()?.keep(plan) ?? false,
  close: () => commands()?.close(),
})

type Listing = typeof ListTree & typeof ForeignFiles & typeof UserPlaces

let listing: Listing | undefined
const loadListing = onceLoaded(
  async (): Promise<Listing> =>
    (listing = {
      ...(await import('../knowledge/search/list-tree.ts')),
      ...(await import('../knowledge/search/foreign-files.ts')),
      ...(await import('../knowledge/tree/ignore/user-places.ts')),
    }),
)

function openListing(
  parts: Parts,
  scope: CallScope & OpenOptions,
  reading: Reading,
): Pick<Engines['files'], 'list' | 'tree'> {
  const targetOf = (link: string): { readonly target?: NonNullable<ListedEntry['target']> } => {
    try {
      return reading.view.look(link, {}, ({ type, located }) =>
        type !== 'absent' && scope.mayList(located.rel) ? { target: type } : {},
      )
    } catch (error) {
      // It leads outside, in a circle, or nowhere.
      if (error instanceof ToolError) return {}
      throw error
    }
  }
  return {
    list(path, { named } = {}) {
      const namePattern = named === undefined ? undefined : parts.compileGlob(named)
      return reading
        .list(path)
        .filter(entry => scope.mayList(entry.path) && (namePattern?.matches(entry.name) ?? true))
        .map(entry => (entry.type === 'symlink' ? { ...entry, ...targetOf(entry.path) } : entry))
    },
    tree(path, how) {
      const list = ({ listTree, foreignFiles, userPlaces }: Listing) => {
        const user = userPlaces(parts.knowledge.env)
        return listTree({ ...scope, foreign: foreignFiles(...parts.foreign), user }, path, how)
      }
      return listing ? list(listing) : loadListing().then(list)
    },
  }
}

const pathsOf = (landing: readonly Change[]): string[] =>
  landing.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path]))

/** Returns what was loaded for an effect. Throws for an undeclared one, for which nothing was. */
function requireDeclared<T>(loaded: T | undefined, what: string): T {
  if (loaded !== undefined) return loaded
  throw new ToolError('denied', `A tool that does not declare it cannot ${what}`, {
    hint: 'Add the effect to the effects of the tool',
  })
}

/** Says why there is no connection. */
function noConnection({ products }: WrittenConnections, product: string | undefined): ToolError {
  const names = Object.keys(products)
  if (product === undefined && names.length > 1)
    return new ToolError('invalid_input', 'Several products are configured, and the call names none of them', {
      hint: `Give 'product': ${names.join(', ')}`,
    })
  const productList = names.length > 0 ? `; products: ${names.join(', ')}` : ''
  const message =
    product === undefined ? 'No active GitHub connection found' : `There is no product '${product}'${productList}`
  return new ToolError('unavailable', message, { details: { access: 'none' } })
}

/** Returns the connection of a product; without a name the default one, or that of the only product. */
function connectionFor(
  { usual, products }: WrittenConnections,
  product: string | undefined,
): WrittenConnection | undefined {
  if (product !== undefined) return Object.hasOwn(products, product) ? products[product] : undefined
  const [only, ...others] = Object.values(products)
  return usual ?? (others.length === 0 ? only : undefined)
}

/** Returns the API origin of a connection. */
export const originOf = ({ baseUrl = GITHUB }: Pick<WrittenConnection, 'baseUrl'>): string => readTarget(baseUrl).origin

/** Checks of what the tool of a call declares, for what no claim can name. Each throws `denied`. */
function declarations({ declared: { effects, uses } }: Pick<OpenOptions, 'declared'>) {
  return {
    /** Needs one of these effects. */
    needEffect(what: string, ...some: readonly Effect[]): void {
      if (some.some(effect => effects.includes(effect))) return
      throw new ToolError('denied', `A tool that does not declare it cannot ${what}`, {
        hint: `Add ${some.join(' or ')} to the effects of the tool`,
      })
    },
    needState(state: SessionState): void {
      if (uses.includes(state)) return
      throw new ToolError('denied', `A tool that does not declare it cannot use the ${state} of the session`, {
        hint: `Add '${state}' to what the tool uses`,
      })
    },
  }
}
