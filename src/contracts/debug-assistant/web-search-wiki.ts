import type { Facts } from '../../kernel/claim.ts'
import { originsOf, type DocumentationSource } from '../../kernel/documentation-sources.ts'
import type { DocumentationHit } from '../../knowledge/documentation/types.ts'
import { CUT_MARK } from '../../kernel/sanitize.ts'
import { defineTool, nets, readsBelow, z, type Claim } from '../tool.ts'
import { TIMEOUT_MS } from './fields.ts'

const SOURCES = ['stackoverflow', 'github', 'docs', 'mdn'] as const
type Source = (typeof SOURCES)[number]

const DEFAULT_SOURCES: readonly Source[] = ['stackoverflow', 'github']

const LONGEST_SNIPPET = 200
/** The part of the tool's time that one source may take: 1.2 s of 2 s. */
const SOURCE_SHARE = 0.6

/** The printed schema takes an empty list, and names no other meaning for it than that of none. */
const askedOf = (sources: readonly Source[]): readonly Source[] => (sources.length > 0 ? sources : DEFAULT_SOURCES)

const claimsOf = (sources: readonly Source[], facts: Facts): Claim[] => [
  ...(sources.includes('docs') ? readsBelow('.') : []),
  ...nets(...originsOf(facts.documentation?.(), sources)),
]

/** The document knows one source for what is installed here and what DevDocs has. */
const sourceOf = (source: DocumentationSource): Source =>
  source === 'installed' || source === 'devdocs' || source === 'web' ? 'docs' : source

/** A file of the workspace is named as `read_file` takes it. */
const urlOf = ({ url, path = '', line }: DocumentationHit): string =>
  url ?? (line === undefined ? path : `${path}#L${line}`)

/** Returns the beginning of a text in one line, cut at a word, and before the middle of a line that lost it. */
function snippetOf(text: string): string {
  const [before = '', ...more] = text.split(CUT_MARK)
  const line = before.replace(/\s+/g, ' ').trim()
  if (more.length === 0 && line.length <= LONGEST_SNIPPET) return line
  // What was cut may end within a word.
  const fitting = line.slice(0, LONGEST_SNIPPET)
  const lastSpace = fitting.lastIndexOf(' ')
  // A word as long as half of a snippet is cut as well.
  const wholeWords =
    lastSpace > LONGEST_SNIPPET / 2 ? fitting.slice(0, lastSpace) : fitting.slice(0, LONGEST_SNIPPET - 1)
  return `${wholeWords.replace(/[\uD800-\uDBFF]$/, '')}…`
}

export const webSearchWiki = defineTool({
  name: 'web_search_wiki',
  version: '1.1.0',
  description: 'Search external documentation (Stack Overflow, GitHub issues, official docs) for error solutions.',
  input: () =>
    z.object({
      query: z.string().min(3).max(200).describe('Search query (error message, function name, or concept)'),
      sources: z
        .array(z.enum(SOURCES))
        .default([...DEFAULT_SOURCES])
        .describe('Which sources to search'),
      maxResults: z.int().min(1).max(10).default(5).describe('Maximum number of results to return'),
    }),
  output: () =>
    z.strictObject({
      query: z.string(),
      results: z.array(
        z.strictObject({
          title: z.string(),
          url: z.string(),
          snippet: z.string().describe('200 char excerpt'),
          source: z.enum(SOURCES),
          relevanceScore: z.number().min(0).max(1).describe('0.0-1.0'),
        }),
      ),
      totalFound: z.int(),
      unanswered: z
        .array(z.strictObject({ source: z.enum(SOURCES), message: z.string() }))
        .optional()
        .describe('Added to the document: left out where every source answered in full'),
    }),
  effects: ['read', 'net'],
  timeoutMs: TIMEOUT_MS,
  claims: ({ sources }, facts) => claimsOf(askedOf(sources), facts),
  async run({ query, sources, maxResults }, { documentation }, { signal, timeoutMs }) {
    // Indexing and downloads continue after the answer.
    const sourceMs = SOURCE_SHARE * timeoutMs
    const question = {
      query,
      sources: askedOf(sources),
      limit: maxResults,
      sourceMs,
      patienceMs: sourceMs,
      needsHit: true,
    }
    const { hits, total, failed, notes } = await documentation.search(question, signal)
    const silentSources = [
      ...failed.map(each => ({ source: sourceOf(each.source), message: each.message })),
      ...notes.map(message => ({ source: 'docs' as const, message })),
    ]
    return {
      query,
      results: hits.map(hit => ({
        title: hit.title,
        url: urlOf(hit),
        snippet: snippetOf(hit.text),
        source: sourceOf(hit.source),
        relevanceScore: hit.relevance,
      })),
      totalFound: total,
      ...(silentSources.length > 0 && { unanswered: silentSources }),
    }
  },
  codes: { quota: 'RATE_LIMIT_EXCEEDED', io: 'API_ERROR', unavailable: 'API_ERROR', no_match: 'NO_RESULTS' },
  examples: [
    {
      input: { query: 'retry with backoff', sources: ['docs'] },
      files: {
        'node_modules/resend/package.json': '{ "name": "resend", "version": "1.2.0" }',
        'node_modules/resend/README.md': '# resend\n\n## Retries\n\nA failed request is sent again with a backoff.\n',
      },
    },
    {
      input: { query: 'Array.prototype.map', sources: ['mdn'], maxResults: 3 },
      web: {
        'https://developer.mozilla.org/api/v1/search?q=Array.prototype.map&locale=en-US': JSON.stringify({
          documents: [
            {
              mdn_url: '/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/map',
              score: 70.1,
              title: 'Array.prototype.map()',
              locale: 'en-us',
              slug: 'web/javascript/reference/global_objects/array/map',
              popularity: 0.002,
              summary: 'The map() method creates a new array populated with the results of calling a function.',
              highlight: { body: ['creates a new <mark>array</mark>'], title: ['<mark>Array</mark>.prototype.map()'] },
            },
          ],
          metadata: { took_ms: 8, total: { value: 1, relation: 'eq' }, size: 10, page: 1 },
          suggestions: [],
        }),
      },
    },
  ],
})
