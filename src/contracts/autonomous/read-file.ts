import { defineTool, z } from '../tool.ts'
import { path, product, REPOSITORY_MS, repositoryClaims } from './repository-tool.ts'

const MOST_BYTES = 100 * 1024

export const readFile = defineTool({
  name: 'read_file',
  version: '1.1.0',
  description:
    "Read a text file of the product's repository. The content is cut above 100 KB; size is that of the whole file.",
  input: () => z.strictObject({ path: path.min(1).describe('From the root of the repository'), product }),
  output: () => z.strictObject({ path: z.string(), content: z.string(), size: z.int() }),
  effects: ['net'],
  onlyReads: true,
  timeoutMs: REPOSITORY_MS,
  claims: repositoryClaims,
  run: ({ path: file, product: named }, { repository }, { signal }) =>
    repository.read(file, { truncateAt: MOST_BYTES, product: named }, signal),
  examples: [
    {
      input: { path: 'src/components/button.tsx' },
      output: { path: 'src/components/button.tsx', content: 'export function Button() { ... }', size: 32 },
      repository: { 'src/components/button.tsx': 'export function Button() { ... }' },
    },
  ],
})
