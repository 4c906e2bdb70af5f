import { defineTool, z } from '../tool.ts'
import { limit, path, REPOSITORY_MS, repositoryClaims } from './repository-tool.ts'

export const listDirs = defineTool({
  name: 'list_dirs',
  version: '1.0.0',
  description: "List directories of the product's repository, the nearest first. Files are not listed.",
  input: () =>
    z.strictObject({
      path: path.default('').describe('Where to begin; the root of the repository unless given'),
      depth: z
        .int()
        .min(1)
        .max(3, 'depth is at most 3')
        .default(1)
        .describe('How many levels down, at most 3; 1 unless given'),
      limit: limit(100),
    }),
  output: () =>
    z.strictObject({
      dirs: z.array(z.strictObject({ path: z.string(), depth: z.int() })),
      truncated: z.boolean(),
    }),
  effects: ['net'],
  timeoutMs: REPOSITORY_MS,
  claims: repositoryClaims,
  async run({ path: from, depth, limit: most }, { repository }, { signal }) {
    const { directories, truncated } = await repository.directories(from, { depth, limit: most }, signal)
    return { dirs: [...directories], truncated }
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
