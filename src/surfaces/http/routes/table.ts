import type { Route } from '../route.ts'
import { callRoutes } from './calls.ts'
import { changeRoutes } from './changes.ts'
import { eventRoutes } from './events.ts'
import { journalRoutes } from './journal.ts'
import { policyRoutes } from './policy.ts'
import { toolRoutes } from './tools.ts'
import { factRoutes } from './workspace-facts.ts'

/** Every route. The router and the OpenAPI document follow this table. */
export const ROUTES: readonly Route[] = [
  ...toolRoutes,
  ...callRoutes,
  ...journalRoutes,
  ...eventRoutes,
  ...changeRoutes,
  ...policyRoutes,
  ...factRoutes,
]
