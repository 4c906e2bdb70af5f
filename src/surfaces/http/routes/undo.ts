import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import { changedSince, commitsToUndo, commitsWithCalls, countedLines, type UndoWish } from '../commit-facts.ts'
import { makeCall } from '../make-call.ts'
import { defineRoute, type RouteRequest } from '../route.ts'
import { confirmedField, taskFields, taskIn } from './calls.ts'
import { anyObject, inWorkspace } from './in-workspace.ts'

const envelope = () => anyObject('The envelope of the call that this makes')

const commit = z.strictObject({
  id: z.string(),
  at: z.string(),
  paths: z.array(z.string()),
  undoneBy: z.string().optional().describe('The commit that undid this one'),
  call: anyObject('The call that made it, if the journal still has it').optional(),
  lines: z.strictObject({ added: z.int(), removed: z.int() }).optional(),
})

const undone = z.strictObject({
  answers: z.array(envelope()),
  left: z.array(z.string()).describe('Commits not undone'),
  commits: z.array(z.string()).describe('The commits that were chosen, the newest first'),
  paths: z.array(z.string()).describe('The files that they changed'),
  changedSince: z
    .array(anyObject('A file that another commit has changed since, which that commit is, and by whom'))
    .describe('What stands in the way'),
})

const severalFields = { ...inWorkspace, dryRun: z.boolean().default(false), ...confirmedField }

export const undoRoutes = [
  defineRoute({
    id: 'listCommits',
    method: 'GET',
    path: '/v1/commits',
    about: 'List the changes that can be undone, the newest first, each with the call that made it',
    scope: 'read',
    query: z.strictObject({
      ...inWorkspace,
      limit: z.coerce.number().int().min(1).max(500).default(50),
      skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
    }),
    answer: z.strictObject({ commits: z.array(commit), total: z.int() }),
    async run({ query: { limit, skip }, workspace }) {
      const { kit } = workspace()
      const all = commitsWithCalls(kit)
      const commits = await Promise.all(
        all.slice(skip, skip + limit).map(async each => {
          const lines = await countedLines(kit, each.id)
          return { ...each, ...(lines && { lines }) }
        }),
      )
      return { commits, total: all.length }
    },
  }),
  defineRoute({
    id: 'undoCommit',
    method: 'POST',
    path: '/v1/commits/{id}/undo',
    about: 'Undo a commit, as the tool undo does: policy decides, and files changed since are a conflict',
    scope: 'call',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
    body: z.strictObject({ ...inWorkspace, dryRun: z.boolean().default(false), ...taskFields, ...confirmedField }),
    isBodyOptional: true,
    answer: envelope(),
    run: request =>
      makeCall(request, {
        tool: 'undo',
        input: { id: request.params.id },
        dryRun: request.body.dryRun,
        task: taskIn(request.body),
        confirmed: request.body.confirmed,
      }),
  }),
  defineRoute({
    id: 'undoTask',
    method: 'POST',
    path: '/v1/tasks/{task}/undo',
    about:
      'Undo all commits of a task, the newest first. Each is a call of its own; the first that fails or is refused ends it, and is the last of the answers. With dryRun only say what would be undone, and what stands in the way',
    scope: 'call',
    params: z.strictObject({ task: z.string().min(1).max(200) }),
    body: z.strictObject(severalFields),
    isBodyOptional: true,
    answer: undone,
    run: request => undoSeveral(request, { task: request.params.task }, request.params.task),
  }),
  defineRoute({
    id: 'undoAgent',
    method: 'POST',
    path: '/v1/agents/{agent}/undo',
    about: 'Undo all commits whose records name this agent, or this client if they name no agent, as for a task',
    scope: 'call',
    params: z.strictObject({ agent: z.string().min(1).max(200) }),
    body: z.strictObject(severalFields),
    isBodyOptional: true,
    answer: undone,
    run: request => undoSeveral(request, { agent: request.params.agent }),
  }),
  defineRoute({
    id: 'undoCommits',
    method: 'POST',
    path: '/v1/undo',
    about: 'Undo several commits, as for a task',
    scope: 'call',
    body: z.strictObject({ ...severalFields, commits: z.array(z.string().min(1).max(100)).min(1).max(1000) }),
    answer: undone,
    run: request => undoSeveral(request, { commits: request.body.commits }),
  }),
]

type SeveralRequest = RouteRequest<unknown, unknown, { readonly dryRun: boolean; readonly confirmed: boolean }>

async function undoSeveral(request: SeveralRequest, wish: UndoWish, task?: string) {
  const { dryRun, confirmed } = request.body
  const all = commitsWithCalls(request.workspace().kit)
  const chosen = commitsToUndo(all, wish)
  if (confirmed && !request.caller.scopes.includes('approve'))
    throw new ToolError('denied', "'confirmed' needs a token with the scope 'approve'")
  const commits = chosen.map(({ id }) => id)
  const facts = {
    commits,
    paths: [...new Set(chosen.flatMap(({ paths }) => paths))],
    changedSince: changedSince(all, chosen),
  }
  if (dryRun) return { answers: [], left: commits, ...facts }
  const answers: unknown[] = []
  const left = [...commits]
  for (const id of commits) {
    const answer = await makeCall({ ...request, wantsEvents: false }, { tool: 'undo', input: { id }, task, confirmed })
    answers.push(answer)
    if (Object(answer).ok !== true) break
    left.shift()
  }
  return { answers, left, ...facts }
}
