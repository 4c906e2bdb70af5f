import { defineTool, readsBelow, z } from '../tool.ts'
import { unreadOf, unreadOutput } from './basis.ts'
import { toSymbol, symbolOutput } from './symbol-output.ts'
import { LONGEST_MS } from './server-wait.ts'

const LIMIT = 50

export const symbols = defineTool({
  name: 'symbols',
  version: '1.2.0',
  description:
    'Find functions, methods, classes, types and variables by name, with their exact lines and signatures; `path` limits it to one file.',
  input: () =>
    z.strictObject({
      query: z.string().describe('A name or part; empty: all symbols of `path`'),
      path: z.string().optional().describe('Only symbols of this file'),
      limit: z.int().min(1).max(1_000).optional().describe(`Default ${LIMIT}`),
      waitMs: z.int().min(0).max(LONGEST_MS).optional().describe('How long to wait for files that are not read yet'),
    }),
  output: () =>
    z.strictObject({
      symbols: z.array(symbolOutput()),
      truncated: z.boolean(),
      partial: z.boolean().describe('Results may be missing: files are still being read, or could not be parsed'),
      unread: unreadOutput(),
    }),
  effects: ['read'],
  yields: true,
  timeoutMs: 30_000,
  waitMs: ({ waitMs }) => waitMs,
  claims: () => readsBelow('.'),
  async run({ query, path, limit = LIMIT, waitMs }, { code }, call) {
    const wait = waitMs ?? call.waitMs
    const result = await code.symbols(query, {
      limit: limit + 1,
      ...(path !== undefined && { path }),
      ...(wait !== undefined && { waitMs: wait }),
    })
    return {
      symbols: result.symbols.slice(0, limit).map(toSymbol),
      truncated: result.symbols.length > limit,
      partial: result.partial,
      ...unreadOf(result.unread),
    }
  },
  examples: [
    {
      input: { query: 'hello' },
      files: { 'src/hello.ts': 'export function hello(name: string) {\n  return name\n}\n' },
    },
    {
      input: { query: '', path: 'src/cart.ts' },
      files: { 'src/cart.ts': 'export const total = () => 0\n', 'src/shop.ts': 'export const open = () => 1\n' },
    },
  ],
})
