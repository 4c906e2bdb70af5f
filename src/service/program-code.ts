import { openGraphs, type Graphs } from '../knowledge/code/graph/open-graphs.ts'
import { createBacklog, type Backlog } from '../knowledge/code/effects/backlog.ts'
import { openEffects } from '../knowledge/code/effects/open-effects.ts'
import type { EffectsWork } from '../knowledge/code/effects/types.ts'
import { openServers } from '../knowledge/code/servers/open-servers.ts'
import { serverMemory } from '../knowledge/code/servers/server-memory.ts'
import type { Servers } from '../knowledge/code/servers/types.ts'
import type { Environment, WorkspaceState } from '../machine/state/directory.ts'
import type { Root } from '../machine/workspace/root.ts'
import type { Resident } from './open-resident.ts'
import type { ServerOptions } from '../knowledge/answers/held-server.ts'
import type { Tree } from '../knowledge/code/graph/host/messages.ts'
import { reachedEffects } from './reached-effects.ts'
import { reachedServers } from './reached-servers.ts'
import { routed } from './routed.ts'

export interface CodeParts {
  readonly root: Root
  readonly state: WorkspaceState
  readonly env: Environment
  /** Start options of language servers. */
  readonly serverOptions: ServerOptions
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
export function codeKnowledge(
  resident: Resident,
  { root, state, env, serverOptions, isBrief }: CodeParts,
): CodeKnowledge {
  const memory = serverMemory()
  const open = () => openServers({ root, env, memory, ...serverOptions })
  const { servers, own: ownServers } = reachedServers(resident, {
    root: root.path,
    options: serverOptions,
    isBrief,
    open,
  })
  const ownGraphs = openGraphs(state.path, env, memory)
  const ownEffects = openEffects({ root, servers: ownServers, configured: serverOptions.configured })
  return {
    servers,
    ownServers,
    graphs: reachedGraphs(resident, ownGraphs),
    ownGraphs,
    effects: reachedEffects(resident, { servers: serverOptions, own: ownEffects, isBrief }),
    ownEffects,
    backlog: createBacklog(),
    async close() {
      ownEffects.close()
      await Promise.all([ownServers.close(), ownGraphs.close()])
    },
  }
}

/** Larger staged contents are not sent to another process. */
const MOST_BYTES = 8 * 1024 ** 2

/**
 * The graphs of the process, or our own if there is none or it ends. Both use the same store, so each finds what the
 * other has built.
 */
function reachedGraphs(resident: Resident, localGraphs: Graphs): Graphs {
  const { prepare, ask } = routed('graphs', {
    line: question => (isTooMuch(Object(question)) ? undefined : resident.reach()),
    here: () => localGraphs,
    continues: (_error, line, leftMs) => !line.isOpen() && leftMs > 0,
  })
  return { ...localGraphs, prepare, ask }
}

const isTooMuch = ({ files = [] }: Partial<Tree>): boolean =>
  files.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0) > MOST_BYTES
