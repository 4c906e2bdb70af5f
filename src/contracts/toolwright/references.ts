import { defineTool, readsBelow, z } from '../tool.ts'
import { unreadOf, unreadOutput } from './basis.ts'
import { pageInput, pageOf, pageOutput } from './paging.ts'
import { symbolInput } from './symbol-input.ts'
import { waitOf, basisValues, basisFields, WAIT_HELP, waitInput } from './server-wait.ts'

const LIMIT = 200

export const references = defineTool({
  name: 'references',
  version: '1.2.0',
  description:
    'Find where a symbol is used (`references`), defined (`definition`) or implemented (`implementations`) with its language server: each place with its line.',
  input: () =>
    z.strictObject({
      ...symbolInput(),
      kind: z.enum(['references', 'definition', 'implementations']).optional().describe('Default references'),
      ...waitInput(WAIT_HELP),
      ...pageInput(LIMIT, 5_000),
    }),
  output: () =>
    z.strictObject({
      places: z.array(z.strictObject({ path: z.string(), line: z.int(), column: z.int(), text: z.string() })),
      ...pageOutput,
      ...basisFields(),
      unread: unreadOutput(),
    }),
  effects: ['read'],
  yields: true,
  timeoutMs: 30_000,
  waitMs: ({ waitMs }) => waitMs,
  claims: () => readsBelow('.'),
  async run({ name, path, kind = 'references', waitMs, limit = LIMIT, skip = 0 }, { code }, call) {
    const result = await code[kind]({ name, ...waitOf(call, waitMs), ...(path !== undefined && { path }) })
    const page = result.places.slice(skip, skip + limit)
    return {
      places: page.map(({ path: at, line, column, text }) => ({ path: at, line, column, text })),
      ...pageOf(result.places.length, page.length, skip),
      ...basisValues(result),
      ...unreadOf(result.unread),
    }
  },
  examples: [
    {
      input: { name: 'hello', path: 'src/hello.ts' },
      files: {
        'src/hello.ts': 'export const hello = () => 1\n',
        'src/main.ts': "import { hello } from './hello.ts'\n\nhello()\n",
        'tsconfig.json': '{ "compilerOptions": { "allowImportingTsExtensions": true, "noEmit": true } }\n',
      },
    },
  ],
})
