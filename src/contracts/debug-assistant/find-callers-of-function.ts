import { defineTool, readsBelow, z } from '../tool.ts'
import { TIMEOUT_MS } from './fields.ts'

/** An answer of its own, and what is wrong, has to come before the time is over. */
const MARGIN_MS = 150

export const findCallersOfFunction = defineTool({
  name: 'find_callers_of_function',
  version: '1.0.0',
  description:
    'Use VS Code LSP to find all functions/methods that call the specified function. Useful for tracing error propagation.',
  input: () =>
    z.strictObject({
      functionName: z.string().min(1).describe('Name of the function to find callers for'),
      filePath: z.string().describe('File where function is defined'),
      maxDepth: z.int().min(1).max(5).default(2).describe('Maximum call chain depth to traverse'),
    }),
  output: () =>
    z.strictObject({
      functionName: z.string(),
      filePath: z.string(),
      callers: z.array(
        z.strictObject({
          callerName: z.string(),
          filePath: z.string(),
          line: z.int(),
          callChain: z.array(z.string()),
          depth: z.int(),
        }),
      ),
      totalCallers: z.int(),
    }),
  effects: ['read'],
  timeoutMs: TIMEOUT_MS,
  claims: () => readsBelow('.'),
  async run({ functionName, filePath, maxDepth }, { code }, { timeoutMs, signal }) {
    const found = await code.callers({
      name: functionName,
      path: filePath,
      depth: maxDepth,
      deadlineMs: Math.max(timeoutMs - MARGIN_MS, timeoutMs / 2),
      signal,
    })
    // The document names whoever calls the function itself, with the whole chain that leads there.
    const callers = found.callers.flatMap(({ outermost, steps, chain, depth }) => {
      const direct = steps.at(-1)
      if (!outermost || !direct) return []
      return { callerName: direct.name, filePath: direct.path, line: direct.line, callChain: [...chain], depth }
    })
    return { functionName, filePath, callers, totalCallers: callers.length }
  },
  codes: { timeout: 'TIMEOUT' },
  examples: [
    {
      input: { functionName: 'fetchUserData', filePath: 'src/api/User.kt', maxDepth: 2 },
      files: {
        'src/api/User.kt': 'package api\n\nfun fetchUserData(id: String) = id\n',
        'src/ui/Profile.kt':
          'package ui\n\nimport api.fetchUserData\n\nclass Profile {\n    fun load() {\n        fetchUserData("1")\n    }\n\n    fun render() {\n        load()\n    }\n}\n',
      },
    },
  ],
})
