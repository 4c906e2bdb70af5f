import { defineTool, z } from '../tool.ts'
import { cursor, limit, pageOf, path, product, REPOSITORY_MS, repositoryClaims } from './repository-tool.ts'

export const listDirs = defineTool({
  name: 'list_dirs',
  version: '1.2.0',
  description: "List directories of the product's repository, the nearest first. Files are not listed.",
  input: () =>
    z.strictObject({
      path: path.default('').describe('Directory to start from; default: the root of the repository'),
      depth: z
        .int()
        .min(1)
        .max(3, 'depth is at most 3')
        .default(1)
        .describe('How many levels down, at most 3; default: 1'),
      limit: limit(100),
      cursor,
      product,
    }),
  output: () =>
    z.strictObject({
      dirs: z.array(z.strictObject({ path: z.string(), depth: z.int() })),
      truncated: z.boolean(),
      nextCursor: z.string().optional().describe('The `cursor` of the next page, if there is one'),
    }),
  effects: ['net'],
  onlyReads: true,
  timeoutMs: REPOSITORY_MS,
  claims: repositoryClaims,
  async run({ path: from, depth, limit: most, cursor: after, product: named }, { repository }, { signal }) {
    const { skip, end } = pageOf(most, after)
    const { directories, truncated } = await repository.directories(from, { depth, limit: end, product: named }, signal)
    return { dirs: directories.slice(skip), truncated, ...(truncated && { nextCursor: String(end) }) }
  },
  examples: [
    {
      input: { path: 'apps/webapp/src', depth: 2, limit: 50 },
      output: {
        dirs: [
          { path: 'apps/webapp/src/domains', depth: 1 },
          { path: 'apps/webapp/src/routes', depth: 1 },
        ],
        truncated: false,
      },
      repository: { 'apps/webapp/src/domains/sales.ts': '', 'apps/webapp/src/routes/index.ts': '' },
    },
  ],
})
