import { defineTool, readsBelow, z } from '../tool.ts'
import { unreadOf, unreadOutput } from './basis.ts'
import { toSymbol, symbolOutput } from './symbol-output.ts'
import { pageInput, pageOf, pageOutput } from './paging.ts'
import { symbolInput } from './symbol-input.ts'
import { waitOf, basisValues, basisFields, WAIT_HELP, waitInput } from './server-wait.ts'

const LIMIT = 200
const DEPTH = 2

export const callers = defineTool({
  name: 'callers',
  version: '1.3.0',
  description:
    'Find the callers of a function, method or class, and their callers, up to `depth` calls away (default 2): each with the line of its call and the chain of names. ' +
    '`callers` are certain, `possible` may call it, `unknown` says why there may be more. ' +
    'Asks the language server, otherwise reads scopes, imports and types (`basis`: syntax).',
  input: () =>
    z.strictObject({
      ...symbolInput(),
      depth: z.int().min(1).max(10).optional().describe(`How many calls away; default ${DEPTH}`),
      ...waitInput(WAIT_HELP),
      ...pageInput(LIMIT, 5_000),
    }),
  output: () =>
    z.strictObject({
      target: symbolOutput(),
      callers: z.array(
        z.strictObject({
          name: z.string(),
          path: z.string(),
          line: z.int().describe('Of the call'),
          chain: z.array(z.string()).describe('From this caller to the function'),
          depth: z.int(),
        }),
      ),
      ...pageOutput,
      possible: z
        .array(z.strictObject({ name: z.string(), path: z.string(), line: z.int(), why: z.string() }))
        .describe('Call sites that may call it, with the reason; the same page as `callers`'),
      possibleTotal: z.int(),
      unknown: z.array(z.string()).describe('Why there may be more callers'),
      ...basisFields(),
      unread: unreadOutput(),
    }),
  effects: ['read'],
  yields: true,
  timeoutMs: 30_000,
  waitMs: ({ waitMs }) => waitMs,
  claims: () => readsBelow('.'),
  async run({ name, path, depth = DEPTH, waitMs, limit = LIMIT, skip = 0 }, { code }, call) {
    const callersResult = await code.callers({
      name,
      depth,
      ...waitOf(call, waitMs),
      ...(path !== undefined && { path }),
    })
    const page = callersResult.callers.slice(skip, skip + limit)
    return {
      target: toSymbol(callersResult.target),
      callers: page.map(each => ({
        name: each.name,
        path: each.path,
        line: each.line,
        chain: [...each.chain],
        depth: each.depth,
      })),
      ...pageOf(callersResult.callers.length, page.length, skip),
      possible: callersResult.possible
        .slice(skip, skip + limit)
        .map(each => ({ name: each.name, path: each.path, line: each.line, why: each.why })),
      possibleTotal: callersResult.possible.length,
      unknown: [...callersResult.unknown],
      ...basisValues(callersResult),
      ...unreadOf(callersResult.unread),
    }
  },
  examples: [
    {
      input: { name: 'load', path: 'data/Users.kt' },
      files: {
        'data/Users.kt': 'package data\n\nfun load(id: Int) = id\n',
        'ui/Profile.kt':
          'package ui\n\nimport data.load\n\nfun show() {\n    load(1)\n}\n\nfun main() {\n    show()\n}\n',
      },
    },
  ],
})
