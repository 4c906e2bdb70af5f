import { defineTool, readsBelow, z } from '../tool.ts'
import { relativeGlob } from './relative-glob.ts'
import { freshness } from './freshness.ts'
import { pageInput, pageOf, pageOutput } from './paging.ts'
import { unreadableOf, unreadableOutput } from './unreadable-files.ts'

const LIMIT = 200

export const find = defineTool({
  name: 'find',
  version: '1.4.0',
  description:
    'Find files by `glob`: `*.ts` anywhere, `src/**/*.{ts,js}` as the whole path below `path`, `./*.ts` or `/*.ts` only directly in it. ' +
    'Omits ignored files. `strict` bypasses the index.',
  input: () =>
    z.strictObject({
      glob: z.string().min(1).describe('The pattern: `*`, `?`, `**`, `[a-z]`, `{a,b}`'),
      path: z.string().optional().describe('Directory to search; default: the workspace'),
      hidden: z.boolean().optional().describe('false omits dot files'),
      strict: z.boolean().optional().describe('Read every directory instead of using the index'),
      ...pageInput(LIMIT, 10_000),
    }),
  output: () =>
    z.strictObject({
      files: z.array(z.string()),
      ...pageOutput,
      filesHidden: z.int().describe('All files below `path` that rules hide, regardless of the glob'),
      ...unreadableOutput('Directories'),
      timedOut: z.boolean().optional(),
      freshness: freshness(),
    }),
  trusted: true,
  effects: ['read'],
  timeoutMs: 35_000,
  claims: ({ path = '.' }) => readsBelow(path),
  async run({ glob, path = '.', hidden, strict, limit = LIMIT, skip }, { search }, { signal }) {
    const result = await search.find(path, glob.includes('/') ? relativeGlob(glob) : `**/${glob}`, {
      maxResults: limit,
      maxDepth: 100,
      signal,
      ...(hidden !== undefined && { hidden }),
      ...(strict !== undefined && { strict }),
      ...(skip !== undefined && { skip }),
    })
    return {
      files: [...result.files],
      ...pageOf(result.total, result.files.length, skip),
      filesHidden: result.filesHidden,
      ...unreadableOf(result.unreadable),
      ...(result.timedOut && { timedOut: true }),
      freshness: result.freshness,
    }
  },
  examples: [
    { input: { glob: '*.ts' }, files: { 'index.ts': '', 'src/app.ts': '', 'README.md': '' } },
    { input: { glob: 'lib/*.ts', path: 'src', limit: 1 }, files: { 'src/lib/a.ts': '', 'src/lib/b.ts': '' } },
  ],
})
