import { defineTool, reads, z } from '../tool.ts'
import { toSymbol, symbolOutput } from './symbol-output.ts'

const AROUND = 20

export const context = defineTool({
  name: 'context',
  version: '1.1.0',
  description:
    'Show `around` lines (default 20) before and after a `line` (1-based), the enclosing function with its lines and signature, and the imports that this code uses.',
  input: () =>
    z.strictObject({
      path: z.string().describe('Path relative to the workspace'),
      line: z.int().positive().describe('The line, 1-based'),
      around: z.int().min(0).max(500).optional().describe(`Lines before and after it; default ${AROUND}`),
    }),
  output: () =>
    z.strictObject({
      path: z.string(),
      line: z.int(),
      before: z.string(),
      text: z.string(),
      after: z.string(),
      function: symbolOutput().optional(),
      imports: z.array(z.strictObject({ module: z.string(), names: z.array(z.string()), line: z.int() })),
      unparsed: z.string().optional().describe('Why only the lines are known: the file could not be parsed'),
    }),
  effects: ['read'],
  claims: ({ path }) => reads(path),
  async run({ path, line, around = AROUND }, { code }) {
    const { enclosing, imports, ...contextResult } = await code.context(path, line, { around })
    return {
      ...contextResult,
      ...(enclosing && { function: toSymbol(enclosing) }),
      imports: imports.map(({ names, ...each }) => ({ ...each, names: [...names] })),
    }
  },
  examples: [
    {
      input: { path: 'src/cart.ts', line: 4, around: 1 },
      files: {
        'src/cart.ts':
          "import { round } from './round.ts'\n\nexport function total(prices: readonly number[]): number {\n  return round(prices.reduce((sum, price) => sum + price, 0))\n}\n",
      },
    },
  ],
})
