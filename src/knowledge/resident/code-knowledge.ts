import { openGraphs, type Graphs } from '../code/graph/open-graphs.ts'
import { createBacklog, type Backlog } from '../code/effects/backlog.ts'
import { openEffects } from '../code/effects/open-effects.ts'
import type { EffectsWork } from '../code/effects/types.ts'
import { openServers } from '../code/servers/open-servers.ts'
import { serverMemory } from '../code/servers/server-memory.ts'
import type { Servers } from '../code/servers/types.ts'
import type { Environment, WorkspaceState } from '../../machine/state/directory.ts'
import type { Root } from '../../machine/workspace/root.ts'
import type { Resident } from './open-resident.ts'
import { residentEffects } from './resident-effects.ts'
import { residentGraphs } from './resident-graphs.ts'
import { residentServers } from './resident-servers.ts'
import type { ServerOptions } from './server-protocol.ts'

export interface CodeParts {
  readonly root: Root
  readonly state: WorkspaceState
  readonly env: Environment
  /** Start options of language servers. */
  readonly wishes: ServerOptions
  /** This program ends soon. */
  readonly isBrief: boolean
}

/** Language servers, graphs and judged changes; `own` belongs to this program alone. */
export interface CodeKnowledge {
  readonly servers: Servers
  readonly ownServers: Servers
  readonly graphs: Graphs
  readonly ownGraphs: Graphs
  readonly effects: EffectsWork
  readonly ownEffects: EffectsWork
  readonly backlog: Backlog
  close(): Promise<void>
}

/** Opens and starts everything on first use. */
export function codeKnowledge(resident: Resident, { root, state, env, wishes, isBrief }: CodeParts): CodeKnowledge {
  const memory = serverMemory()
  const open = () => openServers({ root, env, memory, ...wishes })
  const { servers, own: ownServers } = residentServers(resident, { root: root.path, wishes, isBrief, open })
  const ownGraphs = openGraphs(state.path, env, memory)
  const ownEffects = openEffects({ root, servers: ownServers, configured: wishes.configured })
  return {
    servers,
    ownServers,
    graphs: residentGraphs(resident, ownGraphs),
    ownGraphs,
    effects: residentEffects(resident, { wishes, own: ownEffects, isBrief }),
    ownEffects,
    backlog: createBacklog(),
    async close() {
      ownEffects.close()
      await Promise.all([ownServers.close(), ownGraphs.close()])
    },
  }
}
