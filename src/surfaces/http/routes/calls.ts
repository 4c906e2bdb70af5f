import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import { CONTRACT_IDS } from '../../../toolkit.ts'
import { makeCall } from '../make-call.ts'
import { defineRoute } from '../route.ts'
import { anyObject, inWorkspace } from './in-workspace.ts'

/** The task that budgets count for, under the two names that contracts give it. */
export const taskFields = {
  component: z.string().min(1).max(200).optional().describe('The task that budgets count for'),
  task: z.string().min(1).max(200).optional().describe('The same, under another name'),
}

/** For a person at a screen who has seen what a call changes, and has pressed the button for it. */
export const confirmedField = {
  confirmed: z.boolean().default(false).describe("Answers the call's own questions with yes; needs the scope approve"),
}

interface NamedTask {
  readonly component?: string | undefined
  readonly task?: string | undefined
}

/** Returns the task that a request names. */
export function taskIn({ component, task }: NamedTask): string | undefined {
  if (component !== undefined && task !== undefined && component !== task)
    throw new ToolError('invalid_input', '"component" and "task" name the same thing', { hint: 'Give one of them' })
  return component ?? task
}

export const callRoutes = [
  defineRoute({
    id: 'makeCall',
    method: 'POST',
    path: '/v1/calls',
    about:
      "Call a tool. The answer is the contract's envelope, with status 200 also where the tool failed or was refused. With Accept: text/event-stream, 'output' and 'progress' events come as they happen, and 'answer' is the last",
    scope: 'call',
    events: 'accepted',
    body: z.strictObject({
      ...inWorkspace,
      contract: z.enum(CONTRACT_IDS).default('toolwright'),
      tool: z.string().min(1).max(200),
      input: z.unknown().default({}).describe('The input of the tool'),
      dryRun: z.boolean().default(false).describe('Change nothing; answer with the diff and the plan'),
      plan: z.string().min(1).max(200).optional().describe('Apply exactly what the dry run with this plan showed'),
      transaction: z.string().min(1).max(64).optional().describe('Stage into this transaction'),
      ...taskFields,
      agent: z.string().min(1).max(200).optional().describe('The agent within the client, if it has several'),
      ...confirmedField,
    }),
    answer: anyObject("The contract's envelope, as toolwright call --json prints it"),
    run: request => {
      const { component: _component, ...call } = request.body
      return makeCall(request, { ...call, task: taskIn(request.body) })
    },
  }),
]
