import { basename } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import type { Environment } from '../../machine/state/directory.ts'
import type { Toolkit } from '../../toolkit.ts'
import { serveWorkspace, type ServedWorkspace } from './served-workspace.ts'

/** The workspaces of one server, by name. */
export interface Workspaces {
  all(): readonly ServedWorkspace[]
  /** Returns the workspace of this name; without a name the only one. */
  named(name: string | undefined): ServedWorkspace
}

/** What the workspaces of a server were opened with. */
export interface WorkspacesOptions {
  readonly kits: readonly Toolkit[]
  readonly env: Environment
  /** A configuration file in place of the user's own. */
  readonly config: string | undefined
  /** How long a call waits for the answer to its question; 0 if it does not. */
  readonly approvalMs: number
}

/** Names each workspace after its directory; a second one of the same name gets a number. */
export function openWorkspaces({ kits, ...options }: WorkspacesOptions): Workspaces {
  const workspacesByName = new Map<string, ServedWorkspace>()
  for (const kit of kits) {
    const plain = basename(kit.root) || 'workspace'
    let name = plain
    for (let number = 2; workspacesByName.has(name); number++) name = `${plain}-${number}`
    workspacesByName.set(name, serveWorkspace({ name, kit, ...options }))
  }
  const names = [...workspacesByName.keys()].join(', ')
  const [only, ...more] = workspacesByName.values()
  return {
    all: () => [...workspacesByName.values()],
    named(name) {
      const workspace = name === undefined && more.length === 0 ? only : workspacesByName.get(name ?? '')
      if (workspace) return workspace
      const [message, hint] =
        name === undefined
          ? ['Several workspaces are served here', `Name one with "workspace": ${names}`]
          : [`There is no workspace '${name}' here`, `Served here: ${names}`]
      throw new ToolError(name === undefined ? 'invalid_input' : 'not_found', message, { hint })
    },
  }
}
