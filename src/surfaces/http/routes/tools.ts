import { z } from 'zod'
import { WIRE_FORMS, wireForm } from '../../../kernel/wire-forms.ts'
import { CONTRACT_IDS } from '../../../toolkit.ts'
import { defineRoute } from '../route.ts'
import { anyObject, inWorkspace } from './in-workspace.ts'

export const toolRoutes = [
  defineRoute({
    id: 'listWorkspaces',
    method: 'GET',
    path: '/v1/workspaces',
    about: 'List the workspaces that this server serves',
    scope: 'read',
    answer: z.strictObject({
      workspaces: z.array(z.strictObject({ name: z.string(), root: z.string() })),
    }),
    run: ({ workspaces }) => ({ workspaces: workspaces.all().map(({ name, kit }) => ({ name, root: kit.root })) }),
  }),
  defineRoute({
    id: 'listTools',
    method: 'GET',
    path: '/v1/tools',
    about: 'List the tools of a contract that can be called here, as the policy leaves them',
    scope: 'read',
    query: z.strictObject({
      ...inWorkspace,
      contract: z.enum(CONTRACT_IDS).default('toolwright'),
      format: z.enum(WIRE_FORMS).default('json').describe('The form that a model or client expects'),
    }),
    answer: z.strictObject({ contract: z.string(), tools: z.array(anyObject('A tool in the wanted form')) }),
    async run({ query: { contract: id, format }, workspace }) {
      const { contract, tools } = await workspace().kit.offer(id)
      return { contract: contract.id, tools: tools.map(tool => wireForm(tool, format, contract)) }
    },
  }),
]
