import type { IndexStatus, UnparsedFile } from '../../knowledge/index/types.ts'
import { isoTime } from '../../kernel/time.ts'
import { indexWait } from '../index-wait.ts'
import { defineTool, readsBelow, ToolError, z } from '../tool.ts'
import { pageInput, pageOf, pageOutput } from './paging.ts'

const LIMIT = 100

export const index = defineTool({
  name: 'index',
  version: '1.2.0',
  description:
    'Find files `by` an exported name (`exports`), a tag such as react-component or test (`tag`), a defined symbol (`symbol`), the start of the path (`prefix`), or `all`. ' +
    'Returns the exports and tags of each; `status` returns counts.',
  input: () =>
    z.strictObject({
      by: z.enum(['exports', 'tag', 'symbol', 'prefix', 'all', 'status']),
      value: z.string().min(1).optional().describe('Not for `all` and `status`'),
      ...pageInput(LIMIT, 2_000),
    }),
  output: () =>
    z.strictObject({
      files: z.array(
        z.strictObject({
          path: z.string(),
          exports: z.array(z.string()),
          tags: z.array(z.string()),
          size: z.int(),
          modified: z.string(),
        }),
      ),
      ...pageOutput,
      repoHash: z.string(),
      status: z
        .strictObject({
          state: z.enum(['building', 'current', 'behind']),
          pending: z.int().describe('Files not read yet'),
          totalFiles: z.int(),
          totalExports: z.int(),
          byTag: z.record(z.string(), z.int()),
          generatedAt: z.string().describe('When the index last changed'),
        })
        .optional(),
      partial: z
        .boolean()
        .describe('Results may be missing: files are still being read, or could not be parsed (`unparsed`)'),
      unparsed: z
        .array(z.strictObject({ path: z.string(), why: z.string() }))
        .optional()
        .describe('Files without exports, tags and symbols, because they could not be parsed'),
      current: z.boolean().describe('false while files are still being read: ask again for the rest'),
    }),
  effects: ['read'],
  yields: true,
  timeoutMs: 60_000,
  claims: () => readsBelow('.'),
  async run({ by, value, limit = LIMIT, skip }, engines, { timeoutMs }) {
    if (by === 'status') return statusOf(await engines.index.status())
    const page = { limit, waitMs: indexWait(timeoutMs), ...(skip !== undefined && { skip }) }
    const result = await engines.index.query(queryOf(by, value), page)
    return {
      files: result.files.map(({ path, exports, tags, size, mtimeMs }) => ({
        path,
        exports: [...exports],
        tags: [...tags],
        size,
        modified: isoTime(mtimeMs),
      })),
      ...pageOf(result.total, result.files.length, skip),
      repoHash: result.repoHash,
      ...completeness(result),
    }
  },
  examples: [
    { input: { by: 'exports', value: 'hello' }, files: { 'src/hello.ts': 'export const hello = 1\n' } },
    { input: { by: 'all', limit: 1 }, files: { 'a.py': 'def one(): pass\n', 'b.py': 'def two(): pass\n' } },
  ],
})

function completeness({
  current,
  unparsed,
}: {
  readonly current: boolean
  readonly unparsed: readonly UnparsedFile[]
}) {
  const partial = !current || unparsed.length > 0
  return { current, partial, ...(unparsed.length > 0 && { unparsed: unparsed.map(file => ({ ...file })) }) }
}

function statusOf({ state, pending, totalFiles, totalExports, byTag, repoHash, generatedAt, unparsed }: IndexStatus) {
  const status = { state, pending, totalFiles, totalExports, byTag: { ...byTag }, generatedAt: isoTime(generatedAt) }
  const complete = completeness({ current: state === 'current', unparsed })
  return { files: [], total: totalFiles, truncated: false, repoHash, ...complete, status }
}

function queryOf(by: 'exports' | 'tag' | 'symbol' | 'prefix' | 'all', value: string | undefined) {
  if (by === 'all') return { by }
  if (value === undefined)
    throw new ToolError('invalid_input', `A query by ${by} needs a value`, { hint: `Give value, e.g. ${SUCH[by]}` })
  return { by: by === 'exports' ? ('export' as const) : by, value }
}

const SUCH = { exports: '"useCart"', tag: '"test"', symbol: '"Cart"', prefix: '"src/"' } as const
