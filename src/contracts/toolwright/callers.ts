import { defineTool, readsBelow, z } from '../tool.ts'
import { basisOf, basisOutput, deadlineWithin, partialOutput, unreadOf, unreadOutput } from './basis.ts'
import { declaredOf, declaredOutput } from './declared.ts'
import { pageInput, pageOf, pageOutput } from './paging.ts'
import { symbolInput } from './symbol-input.ts'

const LIMIT = 200
const DEPTH = 2

export const callers = defineTool({
  name: 'callers',
  version: '1.1.0',
  description:
    'Find whoever calls a function, method or class, and whoever calls those, up to `depth`: each caller with the line of its call and the chain of names from it to the function. ' +
    'From a language server, or where none serves the language from scopes, imports and written types (`basis`: syntax). An empty list means that somebody looked.',
  input: () =>
    z.strictObject({
      ...symbolInput(),
      depth: z.int().min(1).max(10).optional().describe(`How many calls away; ${DEPTH} unless given`),
      ...pageInput(LIMIT, 5_000),
    }),
  output: () =>
    z.strictObject({
      target: declaredOutput(),
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
      basis: basisOutput(),
      partial: partialOutput(),
      unread: unreadOutput(),
    }),
  effects: ['read'],
  timeoutMs: 30_000,
  claims: () => readsBelow('.'),
  async run({ name, path, depth = DEPTH, limit = LIMIT, skip = 0 }, { code }, { timeoutMs, signal }) {
    const found = await code.callers({
      name,
      depth,
      deadlineMs: deadlineWithin(timeoutMs),
      signal,
      ...(path !== undefined && { path }),
    })
    const shown = found.callers.slice(skip, skip + limit)
    return {
      target: declaredOf(found.target),
      callers: shown.map(each => ({
        name: each.name,
        path: each.path,
        line: each.line,
        chain: [...each.chain],
        depth: each.depth,
      })),
      ...pageOf(found.callers.length, shown.length, skip),
      basis: basisOf(found.basis),
      partial: found.partial,
      ...unreadOf(found.unread),
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
