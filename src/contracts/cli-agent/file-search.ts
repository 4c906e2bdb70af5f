import { defineTool, readsBelow, z } from '../tool.ts'
import { answer } from './answer.ts'
import { printedPath } from './printed-path.ts'

const MOST = 1000

export const fileSearch = defineTool({
  name: 'file_search',
  version: '1.0.0',
  description: 'Search for files matching a glob pattern',
  input: () =>
    z.strictObject({
      pattern: z.string().min(1).describe("Glob pattern (e.g., '**/*.py', 'src/**/*.go')"),
      base_path: z.string().default('.').describe('Base directory to search from (default: current directory)'),
    }),
  output: () => z.strictObject({ ...answer, metadata: z.strictObject({ matches: z.int(), pattern: z.string() }) }),
  effects: ['read'],
  timeoutMs: 35_000,
  claims: ({ base_path }) => readsBelow(base_path),
  async run({ pattern, base_path }, { search }, { signal }) {
    const { files, total, timedOut } = await search.find(base_path, pattern, { maxResults: MOST, maxDepth: 20, signal })
    const late = timedOut ? 'Warning: Search timed out after 30s, returning partial results\n' : ''
    const more = total > MOST ? `Warning: Found ${total} matches, showing first ${MOST}\n` : ''
    const lines = files.map(file => `  ${printedPath(file)}\n`).join('')
    return {
      output: `${late}${more}Found ${total} ${total === 1 ? 'file' : 'files'} matching '${pattern}':\n${lines}`,
      metadata: { matches: total, pattern },
    }
  },
  examples: [
    {
      input: { pattern: '**/*.go' },
      files: { 'cmd/main.go': 'package main\n', 'internal/agent.go': 'package internal\n' },
    },
    {
      input: { pattern: '*.go', base_path: 'cmd' },
      files: { 'cmd/main.go': 'package main\n', 'internal/agent.go': 'package internal\n' },
    },
  ],
})
