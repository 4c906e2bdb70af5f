import { ToolError } from '../../kernel/error.ts'
import type { Callers } from '../../knowledge/code/types.ts'
import { defineTool, readsBelow, z } from '../tool.ts'
import { TIMEOUT_MS } from './fields.ts'

/** Leaves time to answer, with the reason, before the timeout. */
const MARGIN_MS = 150
/** The document has no parameter for it. */
const MORE_TIME = '"timeouts" of the configuration'

function certaintyOf({ basis, possible, unknown }: Callers) {
  return {
    restsOn: basis.by === 'server' ? basis.server : 'text',
    possibleCallers: possible.map(({ name, path, line, why }) => ({ callerName: name, filePath: path, line, why })),
    unknown: [...unknown],
  }
}

/** Without a server, an empty list would claim that there are no callers, which the text cannot prove. */
function nothingCertain(name: string, { possible, unknown }: Callers): ToolError {
  const places = possible.map(({ path, line }) => `${path}:${line}`).slice(0, 5)
  const may = places.length > 0 ? [`These may call it: ${places.join(', ')}`] : []
  return new ToolError('unavailable', `No language server answered, and the text shows no certain call of '${name}'`, {
    hint: [...may, ...unknown].join('. '),
  })
}

export const findCallersOfFunction = defineTool({
  name: 'find_callers_of_function',
  version: '1.2.0',
  description:
    'Use VS Code LSP to find all functions/methods that call the specified function. Useful for tracing error propagation.',
  input: () =>
    z.object({
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
      totalCallers: z.int().describe('Functions and methods that call it, each counted once'),
      certainty: z
        .strictObject({
          restsOn: z.string().describe('The language server that answered, or `text` if none did'),
          possibleCallers: z.array(
            z.strictObject({ callerName: z.string(), filePath: z.string(), line: z.int(), why: z.string() }),
          ),
          unknown: z.array(z.string()).describe('Why there may be more callers'),
        })
        .optional()
        .describe('Absent if a language server answered and nothing else may call it'),
    }),
  effects: ['read'],
  yields: true,
  timeoutMs: TIMEOUT_MS,
  loads: 'the language server',
  claims: () => readsBelow('.'),
  async run({ functionName, filePath, maxDepth }, { code }, { timeoutMs, signal, loading, tell }) {
    const waiting = { signal, ...(tell && { onProgress: tell }) }
    // The document's time is for the answer: it begins when the server is ready.
    if (loading) await code.awaitServer(filePath, { loading, ...waiting })
    const result = await code.callers({
      name: functionName,
      path: filePath,
      depth: maxDepth,
      deadlineMs: Math.max(timeoutMs - MARGIN_MS, timeoutMs / 2),
      ...waiting,
      moreTime: MORE_TIME,
    })
    // The document lists direct callers, each with the whole chain that leads to it.
    const callers = result.callers.flatMap(({ outermost, steps, chain, depth }) => {
      const direct = steps.at(-1)
      if (!outermost || !direct) return []
      return { callerName: direct.name, filePath: direct.path, line: direct.line, callChain: [...chain], depth }
    })
    const isText = result.basis.by === 'syntax'
    if (isText && result.partial && callers.length === 0) throw nothingCertain(functionName, result)
    return {
      functionName,
      filePath,
      callers,
      totalCallers: new Set(callers.map(each => `${each.filePath} ${each.callerName}`)).size,
      ...((isText || result.partial) && { certainty: certaintyOf(result) }),
    }
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
