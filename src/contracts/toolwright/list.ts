import type { ListedTree } from '../../knowledge/search/list-tree.ts'
import { defineTool, readsBelow, z } from '../tool.ts'
import { freshness } from './freshness.ts'
import { pageInput, pageOf, pageOutput } from './paging.ts'
import { unreadableOf, unreadableOutput } from './unreadable-files.ts'

const LIMIT = 500

export const list = defineTool({
  name: 'list',
  version: '1.3.0',
  description:
    'List a directory, `depth` levels deep (default 1): paths and types, with `sizes` also sizes. Omits and counts ignored files unless `all` is set.',
  input: () =>
    z.strictObject({
      path: z.string().optional().describe('Directory relative to the workspace; default: the workspace itself'),
      depth: z.int().min(1).max(20).optional().describe('Levels to list; default 1'),
      all: z.boolean().optional().describe('Also list ignored files and .git'),
      sizes: z.boolean().optional().describe('Also the size of each file, in bytes'),
      ...pageInput(LIMIT, 10_000),
    }),
  output: () =>
    z.strictObject({
      path: z.string(),
      entries: z.array(
        z.strictObject({
          path: z.string(),
          type: z.enum(['file', 'directory', 'symlink', 'other']),
          size: z.int().optional(),
        }),
      ),
      ...pageOutput,
      ignored: z.int().describe('Ignored names; a directory counts as one'),
      filesHidden: z.int().describe('Names that rules hide'),
      ...unreadableOutput('Directories'),
      freshness: freshness(),
    }),
  trusted: true,
  effects: ['read'],
  claims: ({ path = '.' }) => readsBelow(path),
  run({ path = '.', depth = 1, all, sizes, limit = LIMIT, skip }, { files }) {
    const page = { limit, ...(skip !== undefined && { skip }) }
    const tree = files.tree(path, { depth, ...(all && { all }), ...(sizes && { sizes }), ...page })
    // A call that waits for nothing costs no timer.
    return tree instanceof Promise ? tree.then(listed => answerOf(listed, skip)) : answerOf(tree, skip)
  },
  examples: [
    { input: {}, files: { 'README.md': '# App\n', 'src/app.ts': 'export const app = 1\n' } },
    { input: { path: 'src', depth: 3 }, files: { 'src/app.ts': '', 'src/lib/deep/x.ts': '' } },
  ],
})

const answerOf = (tree: ListedTree, skip: number | undefined) => ({
  path: tree.path,
  entries: [...tree.entries],
  ...pageOf(tree.total, tree.entries.length, skip),
  ...(tree.isPart && { truncated: true }),
  ignored: tree.ignored,
  filesHidden: tree.filesHidden,
  ...unreadableOf(tree.unreadable),
  // Reading a few directories costs no more than asking the index.
  freshness: { source: 'scan' as const },
})
