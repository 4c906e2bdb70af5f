import { defineTool, readsBelow, z } from '../tool.ts'
import { answer } from './answer.ts'
import { spokenPath } from './spoken-path.ts'

export const grepSearch = defineTool({
  name: 'grep_search',
  version: '1.0.0',
  description: 'Search file contents for text or regex pattern',
  input: () =>
    z.strictObject({
      pattern: z.string().min(1).describe('Text or regex pattern to search for'),
      is_regex: z.boolean().default(false).describe('Whether pattern is regex (default: false)'),
      file_pattern: z.string().optional().describe('Glob pattern to limit files searched (default: all files)'),
      max_results: z.int().min(1).max(1000).default(100).describe('Maximum number of results to return (default: 100)'),
    }),
  output: () =>
    z.strictObject({
      ...answer,
      metadata: z.strictObject({ total_matches: z.int(), files_searched: z.int(), pattern: z.string() }),
    }),
  effects: ['read'],
  timeoutMs: 35_000,
  claims: () => readsBelow('.'),
  async run({ pattern, is_regex, file_pattern, max_results }, { search }, { signal }) {
    const found = await search.grep({
      patterns: [pattern],
      regex: is_regex,
      ...(file_pattern !== undefined && { globs: [file_pattern] }),
      maxResults: max_results,
      timeoutMs: 30_000,
      signal,
    })
    const lines = found.matches.map(({ path, line, text }) => `  ${spokenPath(path)}:${line}: ${text}\n`).join('')
    const warning = found.timedOut ? 'Warning: Search timed out after 30s, returning partial results\n' : ''
    const more =
      found.total > found.matches.length
        ? `Warning: Found ${found.total} matches, showing first ${found.matches.length}\n`
        : ''
    return {
      output: `${warning}${more}Found ${found.total} ${found.total === 1 ? 'match' : 'matches'} for '${pattern}':\n${lines}`,
      metadata: { total_matches: found.total, files_searched: found.filesSearched, pattern },
    }
  },
  examples: [{ input: { pattern: 'TODO' }, files: { 'app.py': 'import os\n# TODO: implement\n' } }],
})
