import { openGraphs, type Graphs } from '../code/graph/open-graphs.ts'
import { createBacklog, type Backlog } from '../code/effects/backlog.ts'
import { openEffects } from '../code/effects/open-effects.ts'
import type { EffectsWork } from '../code/effects/types.ts'
import { openServers } from '../code/servers/open-servers.ts'
import type { Servers } from '../code/servers/types.ts'
import { ownIndex, type IndexSource } from '../index/index-source.ts'
import { userPlaces, type UserPlaces } from '../tree/ignore/user-places.ts'
import type { IndexedSearch } from '../search/indexed-search.ts'
import type { Environment, WorkspaceState } from '../../machine/state/directory.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { openResident, type ResidentUse } from './open-resident.ts'
import { residentEffects } from './resident-effects.ts'
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
  readonly effects: EffectsWork
  readonly ownEffects: EffectsWork
  readonly backlog: Backlog
  /** Where the user's own ignore rules are, which hold for all of it. */
  readonly user: UserPlaces
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
  /** Files that a rule denies: nothing of what they say is kept on disk. */
  readonly isDenied: (path: string) => boolean
  /** How language servers are started. */
  readonly wishes: ServerWishes
  /** This program ends soon. */
  readonly isBrief: boolean
}

/** Nothing is opened or started before somebody asks. */
export function openKnowledge(parts: KnowledgeParts): Knowledge {
  const { root, state, env, use, settings, isForeign, isDenied, wishes, isBrief } = parts
  const told = { root: root.path, key: state.key, ...settings }
  const resident = openResident({ use, state: state.path, env, settings: told })
  const user = userPlaces(env)
  const own = ownIndex(root, state, { leaveOut: isForeign, isDenied }, user)
  const open = () => openServers({ root, env, ...wishes })
  const { servers, own: ownServers } = residentServers(resident, { root: root.path, wishes, isBrief, open })
  const ownGraphs = openGraphs(state.path, env)
  const ownEffects = openEffects({ root, servers: ownServers, configured: wishes.configured })
  return {
    servers,
    ownServers,
    graphs: residentGraphs(resident, ownGraphs),
    ownGraphs,
    effects: residentEffects(resident, { wishes, own: ownEffects, isBrief }),
    ownEffects,
    backlog: createBacklog(),
    index: residentIndex(resident, own),
    ownIndex: own,
    search: residentSearch(resident),
    user,
    async close() {
      resident.close()
      ownEffects.close()
      await Promise.all([own.close(), ownServers.close(), ownGraphs.close()])
    },
  }
}
