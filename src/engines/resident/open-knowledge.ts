import { openGraphs, type Graphs } from '../code/graph/open-graphs.ts'
import { openServers } from '../code/servers/open-servers.ts'
import type { Servers } from '../code/servers/types.ts'
import { ownIndex, type IndexSource } from '../index/index-source.ts'
import type { IndexedSearch } from '../search/indexed-search.ts'
import type { Environment, WorkspaceState } from '../state/directory.ts'
import type { Root } from '../workspace/root.ts'
import { openResident, type ResidentUse } from './open-resident.ts'
import { residentGraphs } from './resident-graphs.ts'
import { residentIndex } from './resident-index.ts'
import { residentSearch } from './resident-search.ts'
import { residentServers } from './resident-servers.ts'
import type { ServerWishes } from './server-words.ts'
import type { ResidentSettings } from './settings.ts'

/** What one program knows of a workspace without reading its files: by the process that holds it, or by itself. */
export interface Knowledge {
  readonly index: IndexSource
  /** Of this program alone, whatever process there is. */
  readonly ownIndex: IndexSource
  /** For one call. */
  search(): IndexedSearch
  readonly servers: Servers
  readonly ownServers: Servers
  readonly graphs: Graphs
  readonly ownGraphs: Graphs
  close(): Promise<void>
}

export interface KnowledgeParts {
  readonly root: Root
  readonly state: WorkspaceState
  readonly env: Environment
  readonly use: ResidentUse
  readonly settings: Pick<ResidentSettings, 'idleMs' | 'memoryBytes'>
  /** Files of the workspace that are none of the repository's own. */
  readonly isForeign: (path: string) => boolean
  /** How language servers are started. */
  readonly wishes: ServerWishes
}

/** Nothing is opened or started before somebody asks. */
export function openKnowledge({ root, state, env, use, settings, isForeign, wishes }: KnowledgeParts): Knowledge {
  const told = { root: root.path, key: state.key, ...settings }
  const resident = openResident({ use, state: state.path, env, settings: told })
  const own = ownIndex(root, state, isForeign)
  const open = () => openServers({ root, env, ...wishes })
  const { servers, own: ownServers } = residentServers(resident, { root: root.path, wishes, open })
  const ownGraphs = openGraphs(state.path, env)
  return {
    servers,
    ownServers,
    graphs: residentGraphs(resident, ownGraphs),
    ownGraphs,
    index: residentIndex(resident, own),
    ownIndex: own,
    search: residentSearch(resident),
    async close() {
      resident.close()
      await Promise.all([own.close(), ownServers.close(), ownGraphs.close()])
    },
  }
}
