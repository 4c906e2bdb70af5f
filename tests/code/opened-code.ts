import { openCode, type ServedCode } from '../../src/engines/code/open-code.ts'
import { openServers } from '../../src/engines/code/servers/open-servers.ts'
import type { CodeParts } from '../../src/engines/code/code-parts.ts'
import type { ServersParts } from '../../src/engines/code/servers/types.ts'
import { openIndex } from '../../src/engines/index/open-index.ts'
import { ownIndex } from '../../src/engines/index/index-source.ts'
import { openWorkspace } from '../../src/engines/workspace/open-workspace.ts'
import { createReadMemory } from '../../src/engines/workspace/read-memory.ts'
import { openRoot } from '../../src/engines/workspace/root.ts'
import { createStaging, type Staging } from '../../src/engines/workspace/staging.ts'
import { DEFAULTS } from '../../src/config-defaults.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'

export interface OpenedCode extends AsyncDisposable {
  readonly engine: ServedCode
  readonly staging: Staging
  /** Without a text the file is staged to be gone. */
  stage(path: string, text: string | undefined): void
}

export interface OpenedOptions extends Partial<Pick<ServersParts, 'configured' | 'patience' | 'off'>> {
  readonly mayRead?: (path: string) => boolean
  readonly unreadable?: CodeParts['unreadable']
}

/** Code understanding over a workspace, as a call has it. */
export function openedCode(workspace: TemporaryWorkspace, options: OpenedOptions = {}): OpenedCode {
  const { mayRead = () => true, unreadable, configured = [], off = false, patience = {} } = options
  const root = openRoot(workspace.path)
  const servers = openServers({ root, env: process.env, off, limits: DEFAULTS.commands, configured, patience })
  const source = ownIndex(root, { path: workspace.base }, () => false)
  const staging = createStaging()
  const index = openIndex({ root, source, staging, mayRead, hides: undefined })
  return {
    engine: openCode({ root, staging, mayRead, unreadable, index, servers }),
    staging,
    stage(path, text) {
      const grant = [{ action: 'write' as const, resource: '**' }]
      const files = openWorkspace(root, { grant, staging, memory: createReadMemory(), strictWrites: false, mayRead })
      if (text === undefined) files.remove(path)
      else files.put(path, Buffer.from(text))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([servers.close(), source.close()])
      root.close()
    },
  }
}
