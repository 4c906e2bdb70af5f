import { openCode, type ServedCode } from '../../src/knowledge/code/open-code.ts'
import { openServers } from '../../src/knowledge/code/servers/open-servers.ts'
import type { CodeParts } from '../../src/knowledge/code/code-parts.ts'
import type { ServersParts } from '../../src/knowledge/code/servers/types.ts'
import { openIndex } from '../../src/knowledge/index/open-index.ts'
import { openSearch } from '../../src/knowledge/search/open-search.ts'
import { compileGlob } from '../../src/guards/glob.ts'
import { ownIndex } from '../../src/knowledge/index/index-source.ts'
import { openWorkspace } from '../../src/machine/workspace/open-workspace.ts'
import { createReadMemory } from '../../src/machine/workspace/read-memory.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { createStaging, type Staging } from '../../src/machine/workspace/staging.ts'
import { DEFAULTS } from '../../src/config/defaults.ts'
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
  const source = ownIndex(root, { path: workspace.base }, {})
  const staging = createStaging()
  const index = openIndex({ root, source, staging, mayRead, secretFiles: 'open', hides: undefined })
  const claims = [{ action: 'read' as const, resource: '**' }]
  const reference = () => Buffer.alloc(0)
  const sight = { mayRead, mayList: mayRead, secretFiles: 'open', hides: undefined } as const
  const search = openSearch({ root, staging, claims, ...sight, compileGlob, reference })
  return {
    engine: openCode({ root, staging, mayRead, unreadable, index, servers, search }),
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
