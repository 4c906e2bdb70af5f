import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import { isoTime } from '../../../kernel/time.ts'
import { listTransactions } from '../../../machine/workspace/transactions.ts'
import type { Toolkit } from '../../../toolkit.ts'
import { makeCall } from '../make-call.ts'
import { defineRoute } from '../route.ts'
import { confirmedField, taskFields, taskIn } from './calls.ts'
import { anyObject, inWorkspace } from './in-workspace.ts'

const envelope = () => anyObject('The envelope of the call that this makes')
const id = z.strictObject({ id: z.string().min(1).max(100) })

/** A stage of one transaction, by the tool of that name. */
const stageRoute = (action: 'validate' | 'rollback', about: string) =>
  defineRoute({
    id: `${action}Transaction`,
    method: 'POST',
    path: `/v1/transactions/{id}/${action}`,
    about,
    scope: 'call',
    params: id,
    body: z.strictObject({ ...inWorkspace, ...taskFields, ...confirmedField }),
    isBodyOptional: true,
    answer: envelope(),
    run(request) {
      const transaction = openTransaction(request.workspace().kit, request.params.id)
      const { confirmed } = request.body
      return makeCall(request, { tool: 'stage', input: { action }, transaction, task: taskIn(request.body), confirmed })
    },
  })

const commitRoute = defineRoute({
  id: 'commitTransaction',
  method: 'POST',
  path: '/v1/transactions/{id}/commit',
  about:
    "Land all that a transaction has staged, or nothing: policy decides once for all of it. With hunks and the plan of a dry run only those land, and the rest is dropped: this is a person's answer, and needs the scope 'approve', too",
  scope: 'call',
  params: id,
  body: z.strictObject({
    ...inWorkspace,
    ...taskFields,
    dryRun: z.boolean().default(false).describe('Land nothing; answer with the diff and the plan'),
    plan: z.string().min(1).max(200).optional().describe('Land exactly what the dry run with this plan showed'),
    hunks: z.array(z.int().min(1)).min(1).optional().describe('Numbers from 1, over all hunks of the diff'),
    ...confirmedField,
  }),
  isBodyOptional: true,
  answer: envelope(),
  run(request) {
    const { dryRun, plan, hunks, confirmed } = request.body
    if (hunks && (plan === undefined || dryRun))
      throw new ToolError('invalid_input', 'Hunks are counted in what a dry run showed', {
        hint: 'Send dryRun first, and then hunks with its plan (meta.plan)',
      })
    if (hunks && !request.caller.scopes.includes('approve'))
      throw new ToolError('denied', `The token '${request.caller.name}' may not choose what lands`, {
        hint: "Choosing hunks needs the scope 'approve'",
      })
    const transaction = openTransaction(request.workspace().kit, request.params.id)
    const landing = { dryRun, plan, hunks, confirmed, transaction, task: taskIn(request.body) }
    return makeCall(request, { tool: 'stage', input: { action: 'commit' }, ...landing })
  },
})

export const changeRoutes = [
  defineRoute({
    id: 'listTransactions',
    method: 'GET',
    path: '/v1/transactions',
    about: 'List the transactions that are open, with what they have staged',
    scope: 'read',
    query: z.strictObject(inWorkspace),
    answer: z.strictObject({
      transactions: z.array(
        z.strictObject({
          id: z.string(),
          at: z.string().describe('When something was staged last'),
          paths: z.array(z.string()).nullable().describe('null if the transaction is damaged'),
        }),
      ),
    }),
    run: ({ workspace }) => ({
      transactions: listTransactions(workspace().kit.state.transactions).map(({ at, paths, ...rest }) => ({
        ...rest,
        at: isoTime(at),
        paths: paths ?? null,
      })),
    }),
  }),
  defineRoute({
    id: 'beginTransaction',
    method: 'POST',
    path: '/v1/transactions',
    about: 'Begin a transaction. Calls that name it stage their changes, and nothing lands before its commit',
    scope: 'call',
    body: z.strictObject(inWorkspace),
    isBodyOptional: true,
    answer: envelope(),
    run: request => makeCall(request, { tool: 'stage', input: { action: 'begin' } }),
  }),
  defineRoute({
    id: 'readTransaction',
    method: 'GET',
    path: '/v1/transactions/{id}',
    about: 'Show what a transaction has staged, with the diff',
    scope: 'read',
    params: id,
    query: z.strictObject(inWorkspace),
    answer: envelope(),
    run(request) {
      const transaction = openTransaction(request.workspace().kit, request.params.id)
      return makeCall(request, { tool: 'stage', input: { action: 'diff' }, transaction })
    },
  }),
  stageRoute('validate', 'Run the validators on what a transaction has staged'),
  commitRoute,
  stageRoute('rollback', 'Drop all that a transaction has staged'),
]

function openTransaction({ state }: Toolkit, wanted: string): string {
  if (listTransactions(state.transactions).some(one => one.id === wanted)) return wanted
  throw new ToolError('not_found', `There is no open transaction '${wanted}'`, {
    hint: 'GET /v1/transactions lists them',
  })
}
