import { defineTool, z } from '../tool.ts'

const item = {
  content: z.string().describe('The step, e.g. Gather context'),
  activeForm: z.string().describe('The same while it runs, e.g. Gathering context'),
  status: z.enum(['pending', 'in_progress', 'completed']),
}

export const plan = defineTool({
  name: 'plan',
  version: '1.0.0',
  description:
    'Keep the steps of a larger task. `items` is always the whole list, at most 15; at most one is in progress, otherwise the first pending one. ' +
    'Without `items` it returns the list of this session.',
  input: () => z.strictObject({ items: z.array(z.strictObject(item)).optional() }),
  output: () =>
    z.strictObject({
      items: z.array(z.strictObject({ id: z.string(), ...item })),
      maxItems: z.int(),
      currentItem: z.strictObject({ id: z.string(), ...item }).nullable(),
    }),
  effects: [],
  uses: ['plan'],
  claims: () => [],
  async run({ items }, { plan: engine }) {
    const storedPlan = await engine.keep(items)
    return { items: [...storedPlan.items], maxItems: storedPlan.maxItems, currentItem: storedPlan.currentItem }
  },
  examples: [
    {
      input: {
        items: [
          { content: 'Gather context', activeForm: 'Gathering context', status: 'completed' },
          { content: 'Write the test', activeForm: 'Writing the test', status: 'pending' },
        ],
      },
    },
    { input: {} },
  ],
})
