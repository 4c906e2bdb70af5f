import { onceLoaded } from '../kernel/once.ts'
import type { Connected } from '../knowledge/github/connect.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import type { Engines } from './engines.ts'
import type { Parts } from './parts.ts'

/** The hosts that one call may reach: the web, and the repository that the session is connected to. */
export function openRemote(
  parts: Parts,
  scope: CallScope,
  connection: Connected | undefined,
): Pick<Engines, 'web' | 'repository'> {
  const { network, compileGlob, repository } = parts
  const opened = onceLoaded(async () => {
    const { openRepositoryEngine } = await import('../knowledge/github/open-engine.ts')
    return openRepositoryEngine({ ...scope, network, compileGlob, learn: repository.learn, connection })
  })
  return {
    web: {
      async fetch(request, signal) {
        const { openWeb } = await import('../machine/web/open-web.ts')
        return openWeb({ ...scope, network }).fetch(request, signal)
      },
    },
    repository: {
      directories: async (...args) => (await opened()).directories(...args),
      list: async (...args) => (await opened()).list(...args),
      read: async (...args) => (await opened()).read(...args),
      search: async (...args) => (await opened()).search(...args),
      grep: async options => (await opened()).grep(options),
      query: async (...args) => (await opened()).query(...args),
    },
  }
}
