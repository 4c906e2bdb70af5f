import { methodsOnUse } from '../kernel/once.ts'
import type { SessionState } from '../kernel/open-options.ts'
import type { DocumentationEngine } from '../knowledge/documentation/types.ts'
import type { Connected } from '../knowledge/github/connect.ts'
import type { OfProduct, RepositoryEngine } from '../knowledge/github/types.ts'
import type { PlanEngine } from '../machine/plan/stored-plan.ts'
import type { ValidationEngine } from '../machine/validation/check-output.ts'
import type { WebEngine } from '../machine/web/types.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import type { FixEngine } from './fix-engine.ts'
import type { Parts } from './parts.ts'

/** What an engine is opened with: the parts of the session with its settings, and the claims of one call. */
interface EngineCall {
  readonly parts: Parts
  readonly scope: CallScope
  /** The call must leave nothing behind. */
  readonly isPreview: boolean
  /** Throws `denied` unless the tool declares that it uses this state of the session. */
  needState(state: SessionState): void
  /** Connects to the repository of a product; present if the tool may reach hosts. */
  readonly connect: ((product: string | undefined) => Connected) | undefined
}

/** Engines with a folder of their own, by the name that tools use. A folder is loaded with the first call of a method. */
const ENGINES = {
  async web({ parts: { network }, scope }: EngineCall): Promise<WebEngine> {
    return (await import('../machine/web/open-web.ts')).openWeb({ ...scope, network })
  },
  async documentation(call: EngineCall): Promise<DocumentationEngine> {
    const { documentation, repository, sameAgain } = call.parts
    const [{ openDocumentation }, holder] = await Promise.all([
      import('../knowledge/documentation/open-documentation.ts'),
      documentation.held.open(),
    ])
    const { mayRead, store } = call.scope
    const { secretOf, learn } = repository
    const web = methodsOnUse<WebEngine>(() => ENGINES.web(call))
    return openDocumentation({ ...documentation, holder, web, store, mayRead, secretOf, learn, sameAgain })
  },
  async repository({ parts, scope, connect }: EngineCall): Promise<RepositoryEngine> {
    const { openRepositoryEngine } = await import('../knowledge/github/open-engine.ts')
    const { network, compileGlob } = parts
    const { learn } = parts.repository
    const engines = new Map<string | undefined, RepositoryEngine>()
    const of = ({ product }: OfProduct): RepositoryEngine => {
      const engine =
        engines.get(product) ??
        openRepositoryEngine({ ...scope, network, compileGlob, learn, connection: connect?.(product) })
      engines.set(product, engine)
      return engine
    }
    return {
      directories: async (path, options, signal) => of(options).directories(path, options, signal),
      list: async (path, options, signal) => of(options).list(path, options, signal),
      read: async (path, options, signal) => of(options).read(path, options, signal),
      search: async (options, signal) => of(options).search(options, signal),
      grep: async options => of(options).grep(options),
      query: async (query, options, signal) => of(options).query(query, options, signal),
    }
  },
  async fixes({ parts, scope }: EngineCall): Promise<FixEngine> {
    return (await import('./open-fixes.ts')).openFixes(parts, scope)
  },
  async plan({ parts, isPreview, needState }: EngineCall): Promise<PlanEngine> {
    const { storedPlan } = await import('../machine/plan/stored-plan.ts')
    const file = parts.isOneCall && !parts.sameAgain ? parts.planFile : undefined
    return {
      async keep(steps) {
        needState('plan')
        return storedPlan(parts.memory, steps, { isTrial: isPreview, ...(file !== undefined && { file }) })
      },
    }
  },
  async validation({ parts }: EngineCall): Promise<ValidationEngine> {
    const { checkOutput, OUTPUT_TYPES } = await import('../machine/validation/check-output.ts')
    return { check: async (type, data) => checkOutput({ ...OUTPUT_TYPES, ...parts.outputs }, type, data) }
  },
}

export type RegisteredEngines = {
  readonly [Name in keyof typeof ENGINES]: Awaited<ReturnType<(typeof ENGINES)[Name]>>
}

/** Opens the engines of the registry for one call. */
export const openRegistered = (call: EngineCall): RegisteredEngines =>
  Object.fromEntries(
    Object.entries(ENGINES).map(([name, open]) => [name, methodsOnUse<object>(() => open(call))]),
  ) as RegisteredEngines
