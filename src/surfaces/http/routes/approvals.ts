import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import { defineRoute } from '../route.ts'
import { writerOf } from '../writer.ts'
import { anyObject, inWorkspace } from './in-workspace.ts'

const id = z.strictObject({ id: z.string().min(1).max(100) })
const approval = () =>
  anyObject('A question: what will happen, who asks, why, until when, and the digest that an answer repeats')

export const approvalRoutes = [
  defineRoute({
    id: 'listApprovals',
    method: 'GET',
    path: '/v1/approvals',
    about: 'List the questions that wait for an answer, the oldest first',
    scope: 'read',
    query: z.strictObject(inWorkspace),
    answer: z.strictObject({ approvals: z.array(approval()) }),
    async run({ workspace }) {
      const pending = await workspace().kit.workspace.pending()
      return { approvals: pending.list() }
    },
  }),
  defineRoute({
    id: 'readApproval',
    method: 'GET',
    path: '/v1/approvals/{id}',
    about: 'Read one question, also after it was answered',
    scope: 'read',
    params: id,
    query: z.strictObject(inWorkspace),
    answer: approval(),
    async run({ params, workspace }) {
      const pending = await workspace().kit.workspace.pending()
      const question = pending.get(params.id)
      if (question) return question
      throw new ToolError('not_found', `There is no question '${params.id}'`, {
        hint: 'GET /v1/approvals lists those that are open',
      })
    },
  }),
  defineRoute({
    id: 'answerApproval',
    method: 'POST',
    path: '/v1/approvals/{id}',
    about: 'Answer a question. The first answer wins; who answered is known from the token',
    scope: 'approve',
    params: id,
    body: z.strictObject({
      ...inWorkspace,
      answer: z.enum(['yes', 'no', 'always']),
      hunks: z.array(z.int().min(1)).min(1).optional().describe('The accepted hunks, if not all; only with yes'),
      scope: z
        .enum(['task', 'session', 'workspace', 'user'])
        .optional()
        .describe('How far an always reaches; the workspace by default'),
      reason: z.string().min(1).max(2000).optional().describe('Given to the model'),
      digest: z.string().min(1).max(200).describe('The digest of the question that this answers'),
    }),
    answer: approval(),
    async run({ params, body: { workspace: _workspace, answer, digest, hunks, scope, reason }, workspace, caller }) {
      const pending = await workspace().kit.workspace.pending()
      const answerInput = {
        answer,
        digest,
        ...(hunks && { hunks }),
        ...(scope && { scope }),
        ...(reason && { reason }),
      }
      return pending.answer(params.id, answerInput, writerOf(caller))
    },
  }),
]
