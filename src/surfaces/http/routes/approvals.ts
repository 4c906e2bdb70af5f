import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import type { PendingApproval, PendingApprovals } from '../../../kernel/pending-approval.ts'
import { alwaysImpact } from '../always-impact.ts'
import { defineRoute } from '../route.ts'
import { writerOf } from '../writer.ts'
import { inWorkspace } from './in-workspace.ts'

const id = z.strictObject({ id: z.string().min(1).max(100) })

const text = () => z.string()

const change = z.looseObject({
  path: text(),
  kind: text(),
  from: text().optional().describe('Where a moved file was'),
  diff: text().describe('Empty if it is too large'),
  hunks: z
    .array(z.strictObject({ number: z.int(), text: text() }))
    .describe('What can be accepted alone; empty if the question is answered as a whole'),
})

const approval = z
  .looseObject({
    id: text(),
    digest: text().describe('An answer repeats it'),
    state: z.enum(['open', 'answered', 'withdrawn', 'expired', 'abandoned']),
    askedAt: text(),
    until: text().optional().describe('Absent if it is open for as long as its asker waits'),
    asker: z.looseObject({
      client: text().optional(),
      agent: text().optional(),
      session: text(),
      task: text(),
      contract: text(),
      tool: text(),
      call: text().describe('The id of the call in the journal'),
    }),
    why: text(),
    rule: text().optional().describe('The rule that asks'),
    always: text().optional().describe('What always would remember; absent if it is not offered'),
    risk: text(),
    input: z.unknown().describe('The frozen input'),
    claims: z.array(z.looseObject({ action: text(), resource: text() })),
    changes: z.array(change),
    whole: text().optional().describe('The reference to all of it, if this leaves something out'),
    answer: z
      .looseObject({ answer: z.enum(['yes', 'no', 'always']), by: text(), at: text() })
      .optional()
      .describe('The answer that won'),
    closed: text().optional().describe('Why it was withdrawn'),
  })
  .meta({ description: 'What will happen, who asks, why, and until when' })

function questionNamed(pending: PendingApprovals, wanted: string): PendingApproval {
  const question = pending.get(wanted)
  if (question) return question
  throw new ToolError('not_found', `There is no question '${wanted}'`, {
    hint: 'GET /v1/approvals lists those that are open',
  })
}

export const approvalRoutes = [
  defineRoute({
    id: 'listApprovals',
    method: 'GET',
    path: '/v1/approvals',
    about: 'List the questions that wait for an answer, the oldest first',
    scope: 'read',
    query: z.strictObject(inWorkspace),
    answer: z.strictObject({ approvals: z.array(approval) }),
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
    answer: approval,
    async run({ params, workspace }) {
      const pending = await workspace().kit.workspace.pending()
      return questionNamed(pending, params.id)
    },
  }),
  defineRoute({
    id: 'previewAlways',
    method: 'GET',
    path: '/v1/approvals/{id}/always',
    about: "Say what an answer 'always' would remember, and which of the last 1,000 calls that would have allowed",
    scope: 'read',
    params: id,
    query: z.strictObject(inWorkspace),
    answer: z.strictObject({
      rule: z.string().describe('The rule in words'),
      days: z.number().describe('How long it is remembered'),
      looked: z.int().describe('Calls that were looked at'),
      allowed: z.int(),
      refused: z.int().describe('Those of the allowed that a person refused'),
    }),
    async run({ params, workspace }) {
      const { kit } = workspace()
      const pending = await kit.workspace.pending()
      return alwaysImpact(kit, questionNamed(pending, params.id))
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
    answer: approval,
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
