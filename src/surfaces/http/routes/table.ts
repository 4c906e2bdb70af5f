import { z } from 'zod'
import { openApiOf } from '../openapi.ts'
import { defineRoute, type Route } from '../route.ts'
import { approvalRoutes } from './approvals.ts'
import { blameRoutes } from './blame.ts'
import { callRoutes } from './calls.ts'
import { changeRoutes } from './changes.ts'
import { eventRoutes } from './events.ts'
import { anyObject } from './in-workspace.ts'
import { journalRoutes } from './journal.ts'
import { pageRoutes } from './page-sessions.ts'
import { policyRoutes } from './policy.ts'
import { toolRoutes } from './tools.ts'
import { undoRoutes } from './undo.ts'
import { factRoutes } from './workspace-facts.ts'

const documentedRoutes: readonly Route[] = [
  ...toolRoutes,
  ...callRoutes,
  ...approvalRoutes,
  ...journalRoutes,
  ...eventRoutes,
  ...changeRoutes,
  ...undoRoutes,
  ...blameRoutes,
  ...policyRoutes,
  ...factRoutes,
  ...pageRoutes,
]

const documentRoute = defineRoute({
  id: 'describeRoutes',
  method: 'GET',
  path: '/v1/openapi.json',
  about: 'Describe every route as an OpenAPI 3.1 document',
  scope: 'read',
  query: z.strictObject({}),
  answer: anyObject('The document'),
  run: () => openApiOf(ROUTES),
})

/** Every route. The router and the OpenAPI document follow this table. */
export const ROUTES: readonly Route[] = [...documentedRoutes, documentRoute]
