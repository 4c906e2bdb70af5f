import { PLAN_ITEMS, planOf, planWarnings } from '../../machine/plan/plan-of.ts'
import { defineTool, z } from '../tool.ts'

const status = z.enum(['pending', 'in_progress', 'completed'])
const words = z.string().trim().min(1).max(1_000)
const planItem = z.strictObject({ id: z.string(), content: z.string(), activeForm: z.string(), status })

export const todo = defineTool({
  name: 'todo_manager',
  version: '1.0.0',
  description:
    'Keep the plan of the work. Always give the whole list: it replaces the previous one. Only one item is in_progress; ' +
    'without one, the first pending item becomes so.',
  input: () =>
    z.strictObject({
      items: z
        .array(
          z.strictObject({
            id: z.string().optional().describe('As returned; items are numbered by position'),
            content: words.describe('What is to be done'),
            activeForm: words.describe("The same in the present, such as 'Gathering context'"),
            status: status.default('pending'),
          }),
        )
        .max(PLAN_ITEMS, `a plan has at most ${PLAN_ITEMS} items`)
        .describe('The whole list'),
    }),
  output: () =>
    z.strictObject({
      items: z.array(planItem),
      maxItems: z.int(),
      currentItem: planItem.nullable().describe('null if all items are done'),
    }),
  effects: [],
  claims: () => [],
  run({ items }, _engines, { warn }) {
    for (const warning of planWarnings(items)) warn?.(warning)
    const { items: itemsWithIds, ...plan } = planOf(items)
    return { items: [...itemsWithIds], ...plan }
  },
  examples: [
    {
      input: {
        items: [
          { content: 'Gather context', activeForm: 'Gathering context', status: 'pending' },
          { content: 'Map domains', activeForm: 'Mapping domains', status: 'pending' },
        ],
      },
      output: {
        items: [
          { id: 'step-1', content: 'Gather context', activeForm: 'Gathering context', status: 'in_progress' },
          { id: 'step-2', content: 'Map domains', activeForm: 'Mapping domains', status: 'pending' },
        ],
        maxItems: 15,
        currentItem: {
          id: 'step-1',
          content: 'Gather context',
          activeForm: 'Gathering context',
          status: 'in_progress',
        },
      },
    },
  ],
})
