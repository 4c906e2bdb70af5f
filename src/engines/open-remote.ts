import { GITHUB, readTarget } from '../kernel/target.ts'
import type { Connected, WrittenConnection } from '../knowledge/github/connect.ts'
import type { OfProduct, RepositoryEngine } from '../knowledge/github/types.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import type { Engines } from './engines.ts'
import type { Parts, WrittenConnections } from './parts.ts'

/** Opens the hosts that one call may reach: the web, and the session's connected repositories. */
export function openRemote(
  parts: Parts,
  scope: CallScope,
  connect: ((product: string | undefined) => Connected) | undefined,
): Pick<Engines, 'web' | 'repository'> {
  const { network, compileGlob, repository } = parts
  const engines = new Map<string | undefined, Promise<RepositoryEngine>>()
  const opened = ({ product }: OfProduct): Promise<RepositoryEngine> => {
    const engine = engines.get(product) ?? open(product)
    engines.set(product, engine)
    return engine
  }
  return {
    web: {
      async fetch(request, signal) {
        const { openWeb } = await import('../machine/web/open-web.ts')
        return openWeb({ ...scope, network }).fetch(request, signal)
      },
    },
    repository: {
      directories: async (path, options, signal) => (await opened(options)).directories(path, options, signal),
      list: async (path, options, signal) => (await opened(options)).list(path, options, signal),
      read: async (path, options, signal) => (await opened(options)).read(path, options, signal),
      search: async (options, signal) => (await opened(options)).search(options, signal),
      grep: async options => (await opened(options)).grep(options),
      query: async (query, options, signal) => (await opened(options)).query(query, options, signal),
    },
  }

  async function open(product: string | undefined): Promise<RepositoryEngine> {
    const { openRepositoryEngine } = await import('../knowledge/github/open-engine.ts')
    const connection = connect?.(product)
    return openRepositoryEngine({ ...scope, network, compileGlob, learn: repository.learn, connection })
  }
}

/** Returns the connection of a product; without a name the default one, or that of the only product. */
export function connectionFor(
  { usual, products }: WrittenConnections,
  product: string | undefined,
): WrittenConnection | undefined {
  if (product !== undefined) return Object.hasOwn(products, product) ? products[product] : undefined
  const [only, ...others] = Object.values(products)
  return usual ?? (others.length === 0 ? only : undefined)
}

/** Returns the API origin of a connection. */
export const originOf = ({ baseUrl = GITHUB }: Pick<WrittenConnection, 'baseUrl'>): string => readTarget(baseUrl).origin
