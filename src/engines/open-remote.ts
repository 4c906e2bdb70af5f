import { openedOnUse, type OpenedOnUse } from '../kernel/once.ts'
import { GITHUB, readTarget } from '../kernel/target.ts'
import type { DocumentationHolder, HolderParts } from '../knowledge/documentation/documentation-holder.ts'
import type { Connected, WrittenConnection } from '../knowledge/github/connect.ts'
import type { OfProduct, RepositoryEngine } from '../knowledge/github/types.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import type { Engines } from './engines.ts'
import type { Parts, WrittenConnections } from './parts.ts'

/** Opens what one call may reach elsewhere: the web, connected repositories, and sources of documentation. */
export function openRemote(
  parts: Parts,
  scope: CallScope,
  connect: ((product: string | undefined) => Connected) | undefined,
): Pick<Engines, 'web' | 'repository' | 'documentation'> {
  const { network, compileGlob, repository, documentation, sameAgain } = parts
  const engines = new Map<string | undefined, Promise<RepositoryEngine>>()
  const repositoryOf = ({ product }: OfProduct): Promise<RepositoryEngine> => {
    const engine = engines.get(product) ?? open(product)
    engines.set(product, engine)
    return engine
  }
  const web: Engines['web'] = {
    async fetch(request, signal) {
      const { openWeb } = await import('../machine/web/open-web.ts')
      return openWeb({ ...scope, network }).fetch(request, signal)
    },
  }
  return {
    web,
    documentation: {
      async search(question, signal) {
        const [{ openDocumentation }, holder] = await Promise.all([
          import('../knowledge/documentation/open-documentation.ts'),
          documentation.held.open(),
        ])
        const { mayRead, store } = scope
        const { secretOf, learn } = repository
        const call = { ...documentation, holder, web, store, mayRead, secretOf, learn, sameAgain }
        return openDocumentation(call).search(question, signal)
      },
    },
    repository: {
      directories: async (path, options, signal) => (await repositoryOf(options)).directories(path, options, signal),
      list: async (path, options, signal) => (await repositoryOf(options)).list(path, options, signal),
      read: async (path, options, signal) => (await repositoryOf(options)).read(path, options, signal),
      search: async (options, signal) => (await repositoryOf(options)).search(options, signal),
      grep: async options => (await repositoryOf(options)).grep(options),
      query: async (query, options, signal) => (await repositoryOf(options)).query(query, options, signal),
    },
  }

  async function open(product: string | undefined): Promise<RepositoryEngine> {
    const { openRepositoryEngine } = await import('../knowledge/github/open-engine.ts')
    const connection = connect?.(product)
    return openRepositoryEngine({ ...scope, network, compileGlob, learn: repository.learn, connection })
  }
}

/** Opens what documentation search keeps in a workspace, with the first search. */
export const lazyDocumentation = (parts: HolderParts): OpenedOnUse<DocumentationHolder> =>
  openedOnUse(async () => (await import('../knowledge/documentation/documentation-holder.ts')).openHolder(parts))

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
