import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openRepositoryIndex } from '../index/open-repository-index.ts'
import type { RepositoryIndex } from '../index/repository-index.ts'
import { userPlaces } from '../tree/ignore/user-places.ts'
import { isSecretFile } from '../../kernel/secret-files.ts'
import type { KnownFile } from '../tree/catalog.ts'
import { openTree, type DiskTree } from '../tree/open-tree.ts'
import { loadTree, saveTree } from '../tree/saved-tree.ts'
import { openSearchIndex } from '../search/index/open-search-index.ts'
import { saveSearch } from '../search/stored/save-search.ts'
import type { StoredPlace } from '../search/stored/stored-place.ts'
import type { CompileGlob } from '../search/wanted-files.ts'
import { openGraphs, type Graphs } from '../code/graph/open-graphs.ts'
import { serverMemory } from '../code/servers/server-memory.ts'
import type { RunningServer } from '../code/servers/types.ts'
import { deniedPlaces, deniedVersion } from '../../machine/state/denied-places.ts'
import { guardedFilesOf, type Environment } from '../../machine/state/directory.ts'
import { writePrivateFile } from '../../machine/state/private-file.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { codeAnswers } from './code-answers.ts'
import type { Knowledge } from './knowledge.ts'
import { searchAnswers } from './search-answers.ts'

/** How far a part of the knowledge is, for `toolwright up`. */
export interface PartStatus {
  readonly name: string
  readonly state: 'building' | 'current' | 'behind'
  /** Files read so far, and those still to read. */
  readonly files: number
  readonly pending: number
  readonly bytes?: number
  /** Files that could not be parsed, and why. */
  readonly unparsed?: readonly { readonly path: string; readonly why: string }[]
  /** Reason why it will never be current again; callers do without it. */
  readonly failure?: string
}

/** Rules passed to engines, which do not decide them. */
export interface KnowledgeRules {
  readonly compileGlob: CompileGlob
  /** Files of the workspace that do not belong to the repository. */
  readonly isForeign: (path: string) => boolean
  /** Reports whether one of these globs denies reading a path. */
  readonly deniedBy: (globs: readonly string[]) => (path: string) => boolean
}

interface KnowledgeParts {
  readonly root: Root
  /** The workspace's folder in the state directory. */
  readonly state: string
  /** Where the search is stored for the next process. */
  readonly store: StoredPlace
  readonly env: Environment
  readonly memoryBytes: number
  readonly rules: KnowledgeRules
}

/** What the process of a workspace holds. */
interface OpenKnowledge {
  readonly knowledge: Knowledge
  status(): Promise<readonly PartStatus[]>
  /** Running processes that it started. */
  processes(): Promise<readonly RunningServer[]>
  /** Called with the number of clients: what no one waits for ends. */
  clients(count: number): void
  close(): Promise<void>
}

/** A caller that ran out of time asks again within this time, and finds the graph further on. */
const GRAPHS_LINGER_MS = 60_000

/** Opens the knowledge of a workspace. All of it is built in the background. */
export function openKnowledge({ root, state, store, env, memoryBytes, rules }: KnowledgeParts): OpenKnowledge {
  const treeFile = join(state, 'tree')
  const tree = openTree(root, { saved: loadTree(treeFile), user: userPlaces(env) })
  const isDenied = deniedNow(state, rules.deniedBy)
  const searchIndex = openSearchIndex({
    directory: `/proc/self/fd/${root.fd}`,
    tree,
    compileGlob: rules.compileGlob,
    memoryBytes: Math.min(memoryBytes, mostBytes()),
    cache: store,
    isDenied,
    async onStored(segments) {
      await tree.settle()
      const image = tree.image(rules.isForeign)
      if (image) saveSearch(store, image, segments)
    },
  })
  const { close: closeFacts, ...facts } = openRepositoryIndex({
    tree,
    directory: root.path,
    cacheDirectory: join(state, 'index'),
    leaveOut: rules.isForeign,
    isDenied,
    after: searchIndex.ready(),
  })
  const memory = serverMemory()
  const graphs = openGraphs(state, env, memory)
  const graphsLinger = closeUnused(graphs)
  const code = codeAnswers({ root, tree, env, memory })
  const built = whenBuilt(facts, tree)
  const treeKeeper = keepTree(tree, treeFile, searchIndex.ready(), files => saveGuarded(state, files, isDenied))
  return {
    knowledge: {
      search: searchAnswers({ tree, index: searchIndex, ...rules, around: facts.around }),
      // Parsing one file takes less time than waiting for all.
      index: { ...facts, facts: async question => (built.isBuilt() ? facts.facts(question) : undefined) },
      servers: code.servers,
      effects: code.effects,
      graphs: { prepare: graphs.prepare, ask: graphs.ask },
    },
    async status() {
      const defect = tree.defect()
      const failure = defect !== undefined && { failure: defect }
      const { state: searchState, files, bytes } = searchIndex.status()
      const { state: indexState, totalFiles, pending, unparsed } = await facts.status({})
      return [
        {
          name: 'search',
          state: searchState,
          files,
          pending: Math.max(0, tree.files().size - files),
          bytes,
          ...failure,
        },
        {
          name: 'index',
          state: indexState,
          files: totalFiles - pending,
          pending,
          ...(unparsed.length > 0 && { unparsed }),
          ...failure,
        },
      ]
    },
    processes: async () => [...(await code.processes()), ...graphs.running()],
    clients(count) {
      code.clients(count)
      graphsLinger.clients(count)
    },
    async close() {
      built.stop()
      graphsLinger.stop()
      await searchIndex.close()
      await closeFacts()
      await code.close()
      await graphs.close()
      treeKeeper.save()
      tree.close()
    },
  }
}

/** Ends what builds graphs some time after the last client: a graph that no one waits for is not built to its end. */
export function closeUnused(
  graphs: Pick<Graphs, 'close'>,
  lingerMs = GRAPHS_LINGER_MS,
): { clients(count: number): void; stop(): void } {
  let lingering: NodeJS.Timeout | undefined
  return {
    clients(count) {
      clearTimeout(lingering)
      if (count === 0) lingering = setTimeout(() => void graphs.close(), lingerMs).unref()
    },
    stop: () => clearTimeout(lingering),
  }
}

const BUILT_LOOK_MS = 200

/** Looks from time to time whether the index was built once. */
function whenBuilt(
  index: Pick<RepositoryIndex, 'status'>,
  tree: Pick<DiskTree, 'defect'>,
): { isBuilt(): boolean; stop(): void } {
  let [isBuilt, isStopped] = [false, false]
  const look = async (): Promise<void> => {
    isBuilt = (await index.status({}).catch(() => undefined))?.state === 'current'
    if (isBuilt || isStopped || tree.defect() !== undefined) return
    await pause(BUILT_LOOK_MS)
    void look()
  }
  void look()
  return { isBuilt: () => isBuilt, stop: () => void (isStopped = true) }
}

/** At most a quarter of the memory of a small machine or container. */
const mostBytes = (): number => Math.min(process.constrainedMemory() || Infinity, totalmem()) / 4

const LOOK_MS = 20

/** Reports whether a rule denies a path, by the rules recorded for the workspace at that moment. */
function deniedNow(
  state: string,
  deniedBy: (globs: readonly string[]) => (path: string) => boolean,
): (path: string) => boolean {
  let [version, lastLook] = ['', -Infinity]
  let isDenied = (_path: string): boolean => false
  return path => {
    const now = performance.now()
    if (now - lastLook > LOOK_MS) {
      lastLook = now
      const current = deniedVersion(state)
      if (current !== version) isDenied = deniedBy(deniedPlaces(state))
      version = current
    }
    return isDenied(path)
  }
}

/** Stores which files rules deny or hold secrets: a session that is given another name of one (a hard link) asks. */
function saveGuarded(state: string, files: ReadonlyMap<string, KnownFile>, isDenied: (path: string) => boolean): void {
  const guardedFiles = [...files.values()].filter(({ path }) => isSecretFile(path) || isDenied(path))
  writePrivateFile(guardedFilesOf(state), JSON.stringify(guardedFiles.map(({ path, ino }) => ({ path, ino }))))
}

/**
 * Saves the files of a tree for the next process: once they are known, because a process may be killed, and when it
 * ends. A missing or old list costs the next process only some time.
 */
function keepTree(
  tree: DiskTree,
  path: string,
  known: Promise<void>,
  saveMore: (files: ReadonlyMap<string, KnownFile>) => void,
): { save(): void } {
  let savedVersion: number | undefined
  function save(): void {
    if (savedVersion === tree.version() || tree.defect() !== undefined) return
    savedVersion = tree.version()
    try {
      saveTree(tree.files(), path)
      saveMore(tree.files())
    } catch {}
  }
  let isKnown = false
  known.then(
    () => {
      isKnown = true
      save()
    },
    () => undefined,
  )
  return { save: () => void (isKnown && save()) }
}
