import { isReference } from '../../kernel/reference.ts'
import { defineTool, reads, readsBelow, z } from '../tool.ts'
import { relativeGlob } from './relative-glob.ts'
import { freshness } from './freshness.ts'
import { grepInput } from './grep-input.ts'
import { pageOf, pageOutput } from './paging.ts'
import { unreadableOf, unreadableOutput } from './unreadable-files.ts'

const LIMIT = 100

export const grep = defineTool({
  name: 'grep',
  version: '1.6.0',
  description:
    "Search text files for `pattern`, or any of `patterns`: plain text, or ripgrep's syntax with `regex`. " +
    '`ignoreCase`, `word`, `invert`, `multiline`, `onlyMatching`, `types`, `before` and `after` are as in ripgrep. ' +
    '`only` returns files or counts instead of lines. Omits binary and ignored files. `strict` bypasses the index.',
  input: () => grepInput(LIMIT),
  output: () =>
    z.strictObject({
      matches: z.array(
        z.strictObject({
          path: z.string(),
          line: z.int(),
          text: z.string(),
          before: z.array(z.string()).optional(),
          after: z.array(z.string()).optional(),
          symbol: z.string().optional().describe('The enclosing symbol, if known'),
        }),
      ),
      files: z
        .array(z.strictObject({ path: z.string(), count: z.int().optional() }))
        .optional()
        .describe('With `only`'),
      ...pageOutput,
      lines: z.int().describe('Number of matching lines; with `onlyMatching`, of matches'),
      filesFound: z.int(),
      filesSearched: z.int(),
      filesHidden: z.int().describe('All files below `path` that rules hide, regardless of the globs'),
      secretFilesLeftOut: z
        .int()
        .describe('All files below `path` that may hold secrets and need approval to read, regardless of the globs'),
      ...unreadableOutput('Files and directories'),
      timedOut: z.boolean().optional().describe('Time ran out; these are the results so far'),
      freshness: freshness(),
    }),
  trusted: true,
  effects: ['read'],
  timeoutMs: 35_000,
  claims: ({ path = '.' }) => (isReference(path) ? reads(path) : readsBelow(path)),
  async run({ pattern, patterns = [], path, limit = LIMIT, skip, only, globs, ...how }, { search, index }, { signal }) {
    const result = await search.grep({
      ...how,
      ...(globs && { globs: globs.map(relativeGlob) }),
      patterns: pattern === undefined ? patterns : [pattern, ...patterns],
      ...(path !== undefined && { directory: path }),
      ...(only && { only }),
      ...(skip !== undefined && { skip }),
      maxResults: limit,
      names: true,
      timeoutMs: 30_000,
      signal,
    })
    const symbols = result.isNamed
      ? result.matches.map(({ name }) => name)
      : await index.around(result.matches.map(({ path: at, line }) => ({ path: at, from: line, to: line })))
    const files = result.files?.map(one =>
      only === 'files' ? { path: one.path } : { path: one.path, count: one.count },
    )
    const [all, resultCount] = files ? [result.filesFound, files.length] : [result.total, result.matches.length]
    return {
      matches: result.matches.map(({ path: at, line, text, context }, place) => ({
        path: at,
        line,
        text,
        ...(how.before && { before: [...(context?.before ?? [])] }),
        ...(how.after && { after: [...(context?.after ?? [])] }),
        ...(symbols[place] !== undefined && { symbol: symbols[place] }),
      })),
      ...(files && { files }),
      ...pageOf(all, resultCount, skip),
      lines: result.total,
      filesFound: result.filesFound,
      filesSearched: result.filesSearched,
      filesHidden: result.filesHidden,
      secretFilesLeftOut: result.secretsLeftOut,
      ...unreadableOf(result.unreadable),
      ...(result.timedOut && { timedOut: true }),
      freshness: result.freshness,
    }
  },
  examples: [
    { input: { pattern: 'TODO' }, files: { 'app.py': 'import os\n# TODO: implement\n' } },
    {
      input: { pattern: 'function\\s+\\w+', regex: true, globs: ['*.ts', '!*.test.ts'], before: 1 },
      files: { 'src/a.ts': '// one\nfunction one() {}\n', 'src/a.test.ts': 'function two() {}\n' },
    },
    { input: { patterns: ['one', 'two'], only: 'counts' }, files: { 'a.txt': 'one\ntwo\n', 'b.txt': 'three\n' } },
    { input: { pattern: 'total', path: 'src' }, files: { 'src/cart.py': 'total = 0\n', 'notes.md': 'total\n' } },
  ],
})
