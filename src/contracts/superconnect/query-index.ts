import type { IndexQuery } from '../../knowledge/index/types.ts'
import { isoTime } from '../../kernel/time.ts'
import { indexWait } from '../index-wait.ts'
import { defineTool, readsBelow, z } from '../tool.ts'
import { MOST_RESULTS } from './fields.ts'

const TYPES = ['exports', 'tag', 'pathPrefix', 'listAll'] as const

export const queryIndex = defineTool({
  name: 'queryIndex',
  version: '1.2.0',
  description:
    'Query the pre-built repository index to find candidate files without filesystem crawls. Use it before reading files: ' +
    'by exported identifier (exports), by framework or kind (tag, e.g. react-component), by path (pathPrefix), or everything (listAll).',
  input: () =>
    z.strictObject({
      query: z
        .strictObject({
          type: z.enum(TYPES).describe('What to look for'),
          value: z.string().optional().describe('Required for exports, tag and pathPrefix'),
        })
        .refine(({ type, value }) => type === 'listAll' || (value !== undefined && value !== ''), {
          path: ['value'],
          error: 'is required for this query type',
        }),
      limit: z.int().min(1).max(MOST_RESULTS).default(50).describe('Default: 50, Max: 200'),
    }),
  output: () =>
    z.strictObject({
      files: z.array(
        z.strictObject({
          path: z.string(),
          exports: z.array(z.string()),
          tags: z.array(z.string()),
          size_bytes: z.int(),
          last_modified: z.string(),
        }),
      ),
      total_matches: z.int(),
      truncated: z.boolean().describe('True if the limit cut the list'),
    }),
  effects: ['read'],
  yields: true,
  claims: () => readsBelow('.'),
  async run({ query, limit }, { index }, { timeoutMs, warn }) {
    const wait = { waitMs: indexWait(timeoutMs), isQuick: true }
    const { files, total, current, unchecked } = await index.query(queryFrom(query), { limit, ...wait })
    // The document has no field for it: it goes to the journal.
    if (!current) warn?.(unchecked ? UNCHECKED : UNREAD)
    return {
      files: files.map(({ path, exports, tags, size, mtimeMs }) => ({
        path,
        exports: [...exports],
        tags: [...tags],
        size_bytes: size,
        last_modified: isoTime(mtimeMs),
      })),
      total_matches: total,
      truncated: total > files.length,
    }
  },
  examples: [
    {
      input: { query: { type: 'exports', value: 'Button' }, limit: 10 },
      files: { 'src/components/Button.tsx': 'export const Button = () => <button />\n' },
    },
    {
      input: { query: { type: 'tag', value: 'react-component' } },
      files: { 'src/components/Button.tsx': 'export const Button = () => <button />\n' },
    },
    {
      input: { query: { type: 'pathPrefix', value: 'src/components/' } },
      files: { 'src/components/Button.tsx': 'export const Button = () => <button />\n', 'src/main.ts': '' },
    },
    { input: { query: { type: 'listAll' }, limit: 100 }, files: { 'src/main.ts': 'export const main = 1\n' } },
  ],
})

const UNREAD = 'Files were still being read into the index, so the answer may lack some: ask again'
const UNCHECKED =
  'Only the files of this answer were checked; it may lack others that changed since the index was stored, which is ' +
  'brought up to date now'

function queryFrom({
  type,
  value = '',
}: {
  readonly type: (typeof TYPES)[number]
  readonly value?: string | undefined
}): IndexQuery {
  if (type === 'listAll') return { by: 'all' }
  return { by: type === 'exports' ? 'export' : type === 'tag' ? 'tag' : 'prefix', value }
}
