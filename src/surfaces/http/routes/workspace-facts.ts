import { z } from 'zod'
import { resetBudget } from '../../cli/budget.ts'
import { findingsOf } from '../../cli/doctor.ts'
import { clientSetups } from '../../mcp/client-setup.ts'
import { makeCall } from '../make-call.ts'
import { defineRoute } from '../route.ts'
import { writerOf } from '../writer.ts'
import { anyObject, inWorkspace } from './in-workspace.ts'

const envelope = () => anyObject('The envelope of the call that this makes')
const words = () => z.string().min(1).max(20_000).optional()

/** Leaves out the fields that are undefined, which a tool's input may not have. */
const inputOf = ({ workspace: _workspace, ...fields }: object & { readonly workspace?: unknown }): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const knowledgeRoutes = [
  defineRoute({
    id: 'queryIndex',
    method: 'GET',
    path: '/v1/index',
    about: 'Find files by what they export, define or are tagged with; or count the index',
    scope: 'read',
    query: z.strictObject({
      ...inWorkspace,
      by: z.enum(['exports', 'tag', 'symbol', 'prefix', 'all', 'status']).default('status'),
      value: words(),
      limit: z.coerce.number().int().min(1).max(2000).optional(),
      skip: z.coerce.number().int().min(0).max(1_000_000).optional(),
    }),
    answer: envelope(),
    run: request => makeCall(request, { tool: 'index', input: inputOf(request.query) }),
  }),
  defineRoute({
    id: 'queryGraph',
    method: 'POST',
    path: '/v1/graph',
    about: 'Query the code graph in Cypher, or list what changed between two commits',
    scope: 'read',
    body: z.strictObject({
      ...inWorkspace,
      query: words(),
      params: z.record(z.string(), z.unknown()).optional(),
      commit: words(),
      diff: z.strictObject({ from: z.string(), to: z.string().optional() }).optional(),
      limit: z.int().min(1).max(5000).optional(),
      waitMs: z.int().min(0).optional(),
    }),
    answer: envelope(),
    run: request => makeCall(request, { tool: 'graph', input: inputOf(request.body) }),
  }),
  defineRoute({
    id: 'findFixes',
    method: 'GET',
    path: '/v1/memory',
    about: 'Find past fixes by an error message or a description, or read one by its id',
    scope: 'read',
    query: z.strictObject({
      ...inWorkspace,
      query: words(),
      id: words(),
      limit: z.coerce.number().int().min(1).max(20).optional(),
    }),
    answer: envelope(),
    run: request => makeCall(request, { tool: 'fixes', input: inputOf(request.query) }),
  }),
]

const step = {
  content: z.string(),
  activeForm: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
}

const planRoutes = [
  defineRoute({
    id: 'readPlan',
    method: 'GET',
    path: '/v1/plan',
    about: "Read the plan of this token's calls",
    scope: 'read',
    query: z.strictObject(inWorkspace),
    answer: envelope(),
    run: request => makeCall(request, { tool: 'plan', input: {} }),
  }),
  defineRoute({
    id: 'writePlan',
    method: 'POST',
    path: '/v1/plan',
    about: "Replace the plan of this token's calls",
    scope: 'call',
    body: z.strictObject({ ...inWorkspace, items: z.array(z.strictObject(step)) }),
    answer: envelope(),
    run: request => makeCall(request, { tool: 'plan', input: { items: request.body.items } }),
  }),
]

const budgetRoutes = [
  defineRoute({
    id: 'readBudgets',
    method: 'GET',
    path: '/v1/budgets',
    about: 'Read the budgets, and what each task has spent of them',
    scope: 'read',
    query: z.strictObject(inWorkspace),
    answer: z.strictObject({
      budgets: z.array(anyObject('A budget as configured')),
      spent: z.array(anyObject('What a task has spent with a tool')),
    }),
    run({ workspace }) {
      const { kit } = workspace()
      return { budgets: kit.config.config.budgets, spent: kit.workspace.ledger.all() }
    },
  }),
  defineRoute({
    id: 'resetBudget',
    method: 'POST',
    path: '/v1/budgets/{task}/reset',
    about: 'Give a task its budgets back; the journal records who did',
    scope: 'approve',
    params: z.strictObject({ task: z.string().min(1).max(200) }),
    body: z.strictObject(inWorkspace),
    isBodyOptional: true,
    answer: z.strictObject({ returned: z.array(anyObject('What the task had spent with a tool')) }),
    run: ({ params: { task }, workspace, caller }) => ({
      returned: resetBudget(workspace().kit, task, writerOf(caller)),
    }),
  }),
]

const doctorRoutes = [
  defineRoute({
    id: 'listSetups',
    method: 'GET',
    path: '/v1/setup',
    about: 'Say how clients are connected to this workspace: a command to run, or the content of a file',
    scope: 'read',
    query: z.strictObject(inWorkspace),
    answer: z.strictObject({
      setups: z.array(z.strictObject({ client: z.string(), file: z.string().optional(), text: z.string() })),
    }),
    run({ workspace }) {
      const command: [string, ...string[]] = [process.execPath, process.argv[1] ?? 'toolwright']
      return { setups: clientSetups(command, workspace().kit.root) }
    },
  }),
  defineRoute({
    id: 'runDoctor',
    method: 'GET',
    path: '/v1/doctor',
    about: 'Say what protects you on this machine, and what does not',
    scope: 'read',
    query: z.strictObject(inWorkspace),
    answer: z.strictObject({
      findings: z.array(
        z.strictObject({ state: z.enum(['good', 'limited', 'bad']), about: z.string(), text: z.string() }),
      ),
    }),
    async run({ workspace }) {
      const { kit, env } = workspace()
      return { findings: await findingsOf(kit, env) }
    },
  }),
]

export const factRoutes = [...knowledgeRoutes, ...planRoutes, ...budgetRoutes, ...doctorRoutes]
