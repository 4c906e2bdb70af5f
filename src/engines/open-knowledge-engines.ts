import { methodsOnUse, onceLoaded } from '../kernel/once.ts'
import { whileLoading } from '../kernel/loading.ts'
import { referenceId } from '../kernel/reference.ts'
import type { CallEffects } from '../knowledge/code/effects/call-effects.ts'
import type { openIndex as OpenIndex } from '../knowledge/index/open-index.ts'
import type { CodeKnowledge } from '../service/program-code.ts'
import type { ProgramKnowledge } from '../service/program-knowledge.ts'
import { storedBytes } from '../machine/text/stored-answer.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import type { Engines } from './engines.ts'
import type { Parts } from './parts.ts'
import type { GraphAdapter } from '../kernel/adapters.ts'
import type { CodeEngine, GraphAnswer } from '../knowledge/code/types.ts'

/**
 * Loaded with the first query to an index. Every read asks for what is known of its file, and must not wait for an
 * import.
 */
let openIndex: typeof OpenIndex | undefined

// Once for all calls: even of a loaded module, an import takes a tenth of the time of a read.
const loadIndex = onceLoaded(async () => {
  ;({ openIndex } = await import('../knowledge/index/open-index.ts'))
  return openIndex
})
const loadSearch = onceLoaded(async () => {
  const [{ openSearch }, { foreignFiles }] = await Promise.all([
    import('../knowledge/search/open-search.ts'),
    import('../knowledge/search/foreign-files.ts'),
  ])
  return { openSearch, foreignFiles }
})
const loadEffects = onceLoaded(async () => {
  const [{ callEffects }, { landedChange }] = await Promise.all([
    import('../knowledge/code/effects/call-effects.ts'),
    import('../machine/workspace/commit/landed-change.ts'),
  ])
  return { callEffects, landedChange }
})

/** What is known of the code, for one call; each engine is loaded on first use. */
interface KnowledgeEngines {
  readonly engines: Pick<Engines, 'search' | 'index' | 'code'>
  readonly index: Engines['index']
  judged: CallEffects['judged']
}

/** `commits`: whether the call lands its own transaction. */
export function openKnowledgeEngines(parts: Parts, scope: CallScope, commits: () => boolean): KnowledgeEngines {
  const { sameAgain, fixedTime, knowledge } = parts
  const knowledgeSources = async () => sourcesIn(await knowledge.open(), sameAgain)
  const knownCode = async () => codeIn(await (await knowledge.open()).code(), sameAgain)
  let undecidedCount = 0

  const search = onceLoaded(async () => {
    const [{ openSearch, foreignFiles }, { indexed, stored, user }] = await Promise.all([
      loadSearch(),
      knowledgeSources(),
    ])
    return openSearch({
      ...scope,
      compileGlob: parts.compileGlob,
      foreign: foreignFiles(...parts.foreign),
      user,
      reference: path => storedBytes(parts.payloads, path, referenceId(path) ?? ''),
      indexed: indexed?.(),
      stored: stored && (options => stored(parts.compileGlob, options)),
    })
  })

  const openedIndex = onceLoaded(async () => {
    const [open, { index: source }] = await Promise.all([loadIndex(), knowledgeSources()])
    return open({ ...scope, source, fixedTime, sameAgain })
  })
  const index: Engines['index'] = methodsOnUse(openedIndex, {
    known(path: string) {
      const openedKnowledge = knowledge.opened()
      if (sameAgain || !knowledge.isNear()) return undefined
      if (openedKnowledge && openIndex)
        return openIndex({ ...scope, source: openedKnowledge.index, fixedTime, sameAgain }).known(path)
      return openedIndex().then(found => found.known(path))
    },
    async around(places: Parameters<Engines['index']['around']>[0]) {
      return sameAgain || !knowledge.isNear() ? [] : (await openedIndex()).around(places)
    },
  })

  const code = onceLoaded(async () => {
    const [{ openCode }, { servers, graphs }] = await Promise.all([
      import('../knowledge/code/open-code.ts'),
      knownCode(),
    ])
    const grep: Engines['search']['grep'] = async options => (await search()).grep(options)
    return openCode({ ...scope, index, servers, search: { grep }, directory: graphs.directory })
  })

  const effects = onceLoaded(async () => {
    const [{ callEffects, landedChange }, { effects: work, backlog }] = await Promise.all([loadEffects(), knownCode()])
    const { root, store, transactions } = parts
    const landedChangeOf = (id: string | undefined) => landedChange(root, store, id)
    const transaction = transactions.current()
    return callEffects({
      ...scope,
      work,
      backlog,
      transaction,
      commits,
      landed: landedChangeOf,
      undecided: () => undecidedCount,
    })
  })

  const engines: KnowledgeEngines['engines'] = {
    search: methodsOnUse(search),
    index,
    code: methodsOnUse(code, {
      awaitServer: (...[path, wait]: Parameters<CodeEngine['awaitServer']>) =>
        whileLoading(wait.loading, async () => (await code()).awaitServer(path, wait)),
      async refactoring(question: Parameters<CodeEngine['refactoring']>[0]) {
        const refactoring = await (await code()).refactoring(question)
        undecidedCount += refactoring.occurrences?.undecided ?? 0
        return refactoring
      },
      effects: async (options: Parameters<CodeEngine['effects']>[0]) => (await effects()).later(options),
      async graph(...[query, how]: Parameters<CodeEngine['graph']>) {
        if (parts.graph) return adaptedGraph(parts.graph, query, how)
        const [{ openGraph }, { graphs }] = await Promise.all([
          import('../knowledge/code/graph/open-graph.ts'),
          knownCode(),
        ])
        return openGraph({ ...scope, index, graphs })(query, how)
      },
    }),
  }
  return { engines, index, judged: async wish => (await effects()).judged(wish) }
}

/** Leaves out what a process happens to know if answers must be reproducible. */
const sourcesIn = ({ user, index, ownIndex, search, storedSearch }: ProgramKnowledge, sameAgain: boolean) =>
  sameAgain
    ? { user, index: ownIndex, indexed: undefined, stored: undefined }
    : { user, index, indexed: search, stored: storedSearch }

const codeIn = (code: CodeKnowledge, sameAgain: boolean) => {
  const { servers, ownServers, graphs, ownGraphs, effects, ownEffects, backlog } = code
  return sameAgain
    ? { servers: ownServers, graphs: ownGraphs, effects: ownEffects, backlog }
    : { servers, graphs, effects, backlog }
}

/** Wraps a foreign graph in the limits of our own. */
async function adaptedGraph(
  adapter: GraphAdapter,
  query: string,
  { params = {}, commit, maxRows }: Parameters<CodeEngine['graph']>[1],
): Promise<GraphAnswer> {
  const rows = await adapter.query(query, { params, commit })
  return {
    columns: Object.keys(rows[0] ?? {}),
    rows: rows.slice(0, maxRows),
    truncated: rows.length > maxRows,
    unread: [],
    ...(commit !== undefined && { commit }),
  }
}
