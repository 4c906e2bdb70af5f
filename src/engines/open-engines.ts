import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import type { Egress } from '../kernel/egress.ts'
import { ToolError } from '../kernel/error.ts'
import type { Hides } from '../kernel/hides.ts'
import { callEffects, type CallEffects } from './code/effects/call-effects.ts'
import type { EffectsWork } from './code/effects/types.ts'
import { openCode } from './code/open-code.ts'
import type { Graphs } from './code/graph/open-graphs.ts'
import type { Servers } from './code/servers/types.ts'
import type { Engines } from './engines.ts'
import type { IndexSource } from './index/index-source.ts'
import { openIndex } from './index/open-index.ts'
import type { UserPlaces } from './index/tree/ignore/user-places.ts'
import { checkOutput, OUTPUT_TYPES, type OutputTypes } from './desk/check-output.ts'
import { keptPlan } from './desk/kept-plan.ts'
import type { Connected } from './github/connect.ts'
import { openRepositoryEngine, type RepositoryParts } from './github/open-engine.ts'
import type { LastCommand } from './journal/last-command.ts'
import type { Payloads } from './journal/payloads.ts'
import { keptBytes } from './journal/kept-file.ts'
import { referenceId } from './journal/reference.ts'
import type { ForeignFiles } from './search/foreign-files.ts'
import type { IndexedSearch } from './search/indexed-search.ts'
import { openSearch } from './search/open-search.ts'
import type { CommandParts } from './process/command-place.ts'
import { openText } from './open-text.ts'
import { openProcess } from './process/open-process.ts'
import type { Network } from './web/network.ts'
import { openWeb } from './web/open-web.ts'
import type { CommitStore } from './workspace/commit/commit-store.ts'
import { stagedInverse } from './workspace/commit/staged-inverse.ts'
import type { Landed, Landing } from './workspace/land.ts'
import { openWorkspace } from './workspace/open-workspace.ts'
import type { ReadMemory } from './workspace/read-memory.ts'
import type { Root } from './workspace/root.ts'
import { openStage } from './workspace/stage.ts'
import { stageOperations } from './workspace/stage-operations.ts'
import { createStaging, type Staging } from './workspace/staging.ts'
import type { Transactions } from './workspace/transactions.ts'
import { newestUndo, undoOperations, undoPaths } from './workspace/commit/undo.ts'
import type { Workspace } from './workspace/workspace.ts'

/** What engines are opened over: one workspace, and what one session knows of it. */
export interface Parts {
  readonly root: Root
  readonly store: CommitStore
  readonly memory: ReadMemory
  readonly transactions: Transactions
  readonly payloads: Payloads
  readonly landing: Landing
  readonly network: Network | 'system' | 'none'
  readonly commands: CommandParts
  readonly repository: { readonly connection: Connected | undefined } & Pick<RepositoryParts, 'learn'>
  /** Registered besides those that everybody has. */
  readonly outputs: OutputTypes
  readonly index: IndexSource
  readonly servers: Servers
  readonly graphs: Graphs
  readonly effects: EffectsWork
  /** Files in the workspace that no search comes to unless it names them. */
  readonly foreign?: ForeignFiles
  /** Where the user's own ignore rules are. */
  readonly user: UserPlaces
  /** Asked before files are searched, anew for each call. */
  readonly indexed?: () => IndexedSearch
  /** The time, where answers must not depend on it. */
  readonly fixedTime?: () => number
  /** Answers must be the same when the calls are made again: they hold nothing that an index happens to know. */
  readonly sameAgain?: boolean
  /** Nobody asks again: what was read is not kept for a next read. */
  readonly isOneCall?: boolean
  lastCommand(): LastCommand | undefined
  newId(): string
  /** How a glob is read is decided in one place, for policy and search alike. */
  compileGlob(pattern: string): { matches(path: string): boolean }
}

export interface OpenedEngines {
  readonly engines: Engines
  changes(): readonly Change[]
  effects: CallEffects['judged']
  commit(id: string): Promise<Landed>
  foretell(): readonly string[]
  close(): Promise<void>
}

export interface EngineOptions {
  readonly strictWrites: boolean
  readonly mayRead: (path: string) => boolean
  readonly egress: Egress
  readonly hides: Hides | undefined
  /** Everything that the caller may not read. */
  readonly unreadable: Hides | undefined
  readonly isJudged: (path: string) => boolean
  /** A command may change only what is staged. */
  readonly stagedOnly: boolean
  /** Nothing that the call does may land. */
  readonly preview: boolean
}

/** Opens the engines for the claims of one call. */
export function openEngines(parts: Parts, claims: readonly Claim[], options: EngineOptions): OpenedEngines {
  const { root, store, memory, transactions, landing } = parts
  const transaction = transactions.current()
  const staging = createStaging(transaction?.staging())
  const grant = withLooks(claims)
  const open: Open = (layer, more = []) =>
    openWorkspace(root, {
      grant: [...grant, ...more],
      staging: layer,
      memory,
      strictWrites: options.strictWrites,
      mayRead: options.mayRead,
    })
  const ws = open(staging)
  const stage = openStage(parts, open, options.mayRead)
  const commands = openProcess(parts.commands, {
    root,
    staging,
    claims,
    hides: options.hides,
    isJudged: options.isJudged,
    stagedOnly: options.stagedOnly,
    egress: options.egress,
    dryRun: options.preview,
    inTransaction: transaction !== undefined,
  })
  const effects = callEffects({
    ...options,
    root,
    work: parts.effects,
    staging,
    transaction,
    commits: () => stage.changes() !== undefined,
    inverse: id => stagedInverse(root, store, id),
  })
  const index = openIndex({
    root,
    source: parts.index,
    staging,
    mayRead: options.mayRead,
    hides: options.hides,
    fixedTime: parts.fixedTime,
    sameAgain: parts.sameAgain ?? false,
  })
  let undoes: string | undefined
  return {
    engines: {
      text: openText(parts, {
        claims,
        ws,
        open: (layer, check) => open(layer, check ? withWrites(claims) : []),
        staging,
        index,
      }),
      files: {
        move(from, to) {
          const answer = { from: ws.locate(from, { link: true }), to: ws.locate(to, { link: true }) }
          ws.move(from, to)
          return answer
        },
        remove(path) {
          const answer = { path: ws.locate(path, { link: true }) }
          ws.remove(path)
          return answer
        },
        list(path, { named } = {}) {
          const wanted = named === undefined ? undefined : parts.compileGlob(named)
          return ws.list(path).filter(entry => options.mayRead(entry.path) && (wanted?.matches(entry.name) ?? true))
        },
        async tree(path, how) {
          const { listTree } = await import('./search/list-tree.ts')
          return listTree(
            { root, staging, claims, mayRead: options.mayRead, foreign: parts.foreign, user: parts.user },
            path,
            how,
          )
        },
        makeDirectory: path => ws.makeDirectory(path),
        undo(id = newestUndo(store)) {
          if (transaction)
            throw new ToolError('conflict', `Nothing can be undone inside transaction '${transaction.id}'`, {
              hint: 'Commit it or roll it back first',
            })
          if (id === undefined)
            throw new ToolError('not_found', 'There is nothing to undo', {
              hint: 'toolwright log shows what was done here',
            })
          stageOperations(root, staging, undoOperations(root, store, id))
          undoes = id
          return { undone: id, paths: undoPaths(store, id) }
        },
      },
      search: openSearch({
        root,
        staging,
        claims,
        mayRead: options.mayRead,
        hides: options.hides,
        compileGlob: parts.compileGlob,
        foreign: parts.foreign,
        user: parts.user,
        reference: path => keptBytes(parts.payloads, path, referenceId(path) ?? ''),
        indexed: parts.indexed?.(),
      }),
      index,
      code: {
        ...openCode({
          root,
          staging,
          mayRead: options.mayRead,
          unreadable: options.unreadable,
          index,
          servers: parts.servers,
          directory: parts.graphs.directory,
        }),
        effects: effects.later,
        async graph(query, how) {
          const { openGraph } = await import('./code/graph/open-graph.ts')
          const { mayRead, hides } = options
          return openGraph({ root, staging, mayRead, hides, index, graphs: parts.graphs })(query, how)
        },
      },
      web: openWeb({ network: parts.network, egress: options.egress }, claims),
      repository: openRepositoryEngine({ ...parts, ...parts.repository, ...options }, claims),
      desk: {
        check: (type, data) => checkOutput({ ...OUTPUT_TYPES, ...parts.outputs }, type, data),
        plan: steps => keptPlan(memory, steps, options.preview),
      },
      process: commands.engine,
      journal: { lastCommand: parts.lastCommand },
      stage,
    },
    changes: () => stage.changes() ?? ws.changes(),
    effects: effects.judged,
    async commit(id) {
      const decided = await stage.finish(id)
      if (decided) return decided
      const around = commands.around()
      if (!transaction) {
        const how = { id, ...(undoes !== undefined && { undoes }), ...(around && { around }) }
        return finished(await landing.land(staging, ws.changes(), how))
      }
      const add = () => (staging.own().length > 0 ? transaction.add(staging) : undefined)
      if (around) around(add)
      else add()
      return finished({ transaction: transaction.id })
    },
    foretell: commands.foretell,
    close: commands.close,
  }

  /** What is not staged comes last, when nothing can refuse the rest any more. */
  function finished(landed: Landed): Landed {
    const warnings = [...(landed.warnings ?? []), ...commands.finish()]
    return warnings.length > 0 ? { ...landed, warnings } : landed
  }
}

type Open = (layer: Staging, more?: readonly Claim[]) => Workspace

/** What is only checked is tried out on a layer that never lands, and needs no right to write. */
const withWrites = (claims: readonly Claim[]): readonly Claim[] =>
  claims.flatMap(({ action, resource }): Claim[] => (action === 'read' ? [{ action: 'write', resource }] : []))

/** Whoever may write a file may look at it: its encoding and mode are kept, and nothing of it is given away by that. */
const withLooks = (claims: readonly Claim[]): readonly Claim[] => [
  ...claims,
  ...claims.flatMap(({ action, resource }): Claim[] =>
    action === 'write' || action === 'create' ? [{ action: 'read', resource }] : [],
  ),
]
