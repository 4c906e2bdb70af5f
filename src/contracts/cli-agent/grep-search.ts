import { defineTool, readsBelow, z } from '../tool.ts'
import { answer } from './answer.ts'
import { latinPattern, linesInLatin, MOST_CANDIDATES } from './latin-search.ts'
import { printedPath } from './printed-path.ts'

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
  async run({ pattern, is_regex, file_pattern, max_results }, engines, { signal }) {
    const globs = file_pattern === undefined ? {} : { globs: [file_pattern] }
    const options = { ...globs, timeoutMs: 30_000, signal }
    const latin = latinPattern(pattern, is_regex)
    const [utf8, bytes] = await Promise.all([
      engines.search.grep({
        ...options,
        patterns: [pattern],
        regex: is_regex,
        maxResults: max_results,
        countsText: true,
      }),
      latin === undefined
        ? NONE
        : engines.search.grep({ ...options, patterns: [latin], regex: true, maxResults: MOST_CANDIDATES }),
    ])
    const result = withLatin(utf8, linesInLatin(bytes.matches, engines), bytes.timedOut, max_results)
    const lines = result.matches.map(({ path, line, text }) => `  ${printedPath(path)}:${line}: ${text}\n`).join('')
    const warning = result.timedOut ? 'Warning: Search timed out after 30s, returning partial results\n' : ''
    const more =
      result.total > result.matches.length
        ? `Warning: Found ${result.total} matches, showing first ${result.matches.length}\n`
        : ''
    return {
      output: `${warning}${more}Found ${result.total} ${result.total === 1 ? 'match' : 'matches'} for '${pattern}':\n${lines}`,
      metadata: { total_matches: result.total, files_searched: result.filesSearched, pattern },
    }
  },
  examples: [{ input: { pattern: 'TODO' }, files: { 'app.py': 'import os\n# TODO: implement\n' } }],
})

const NONE = { matches: [], timedOut: false }

interface Lines {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[]
  readonly total: number
  readonly filesSearched: number
  readonly timedOut: boolean
}

/** Merges the matches of both encodings by path and line. A line that matches in both is one match. */
function withLatin(utf8: Lines, latin: Lines['matches'], timedOut: boolean, most: number): Lines {
  if (latin.length === 0) return { ...utf8, timedOut: utf8.timedOut || timedOut }
  const key = ({ path, line }: Lines['matches'][number]): string => `${line} ${path}`
  const keysInUtf8 = new Set(utf8.matches.map(key))
  const others = latin.filter(match => !keysInUtf8.has(key(match)))
  const matches = [...utf8.matches, ...others].toSorted((one, other) =>
    one.path < other.path ? -1 : one.path > other.path ? 1 : one.line - other.line,
  )
  return {
    filesSearched: utf8.filesSearched,
    timedOut: utf8.timedOut || timedOut,
    total: utf8.total + others.length,
    matches: matches.slice(0, most),
  }
}
