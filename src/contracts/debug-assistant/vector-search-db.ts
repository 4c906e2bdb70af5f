import { defineTool, readsMemory, z } from '../tool.ts'
import { TIMEOUT_MS } from './fields.ts'

/** An answer of its own, and what is wrong, has to come before the time is over. */
const MARGIN_MS = 300

export const vectorSearchDb = defineTool({
  name: 'vector_search_db',
  version: '1.0.0',
  description: 'Query ChromaDB for past RCA solutions similar to the current error.',
  input: () =>
    z.object({
      query: z.string().describe('Error description or stack trace to search for'),
      language: z.string().optional().describe('Filter by programming language (e.g., "typescript", "python")'),
      errorType: z.string().optional().describe('Filter by error type (e.g., "TypeError", "NullPointerException")'),
      minConfidence: z.number().min(0).max(1).default(0.7).describe('Minimum confidence score for results'),
      limit: z.int().min(1).max(10).default(5).describe('Maximum number of results'),
    }),
  output: () =>
    z.strictObject({
      query: z.string(),
      results: z.array(
        z.strictObject({
          id: z.string(),
          errorDescription: z.string(),
          rootCause: z.string(),
          solution: z.string(),
          language: z.string(),
          errorType: z.string(),
          confidence: z.number(),
          userValidated: z.boolean(),
          similarity: z.number().describe('Cosine similarity to query'),
          metadata: z.strictObject({ createdAt: z.string(), fixedIn: z.string().describe('File path') }),
        }),
      ),
      totalFound: z.int(),
    }),
  effects: ['read', 'net'],
  onlyReads: true,
  plainInput: true,
  timeoutMs: TIMEOUT_MS,
  loads: 'the embedding model',
  claims: (_input, facts) => readsMemory(facts),
  async run({ query, language, errorType, minConfidence, limit }, { fixes }, { signal, timeoutMs, loading, tell }) {
    const withinMs = Math.max(timeoutMs - MARGIN_MS, timeoutMs / 2)
    const filter = { language, errorType, minConfidence }
    // The document's time is for the answer: it begins when the model is ready.
    const time = { signal, withinMs, loading, tell }
    const { results, totalFound } = await fixes.search({ text: query, filter, limit }, time)
    return {
      query,
      results: results.map(({ fix, similarity }) => ({
        id: fix.id,
        errorDescription: fix.errorDescription,
        rootCause: fix.rootCause,
        solution: fix.solution,
        language: fix.language,
        errorType: fix.errorType,
        confidence: fix.confidence,
        userValidated: fix.userValidated,
        similarity,
        metadata: { createdAt: fix.createdAt, fixedIn: fix.fixedIn },
      })),
      totalFound,
    }
  },
  examples: [
    {
      input: {
        query: "Cannot read property 'map' of undefined in React component",
        language: 'typescript',
        errorType: 'TypeError',
        minConfidence: 0.75,
        limit: 3,
      },
      fixes: [
        {
          id: 'rca-001',
          errorDescription: "TypeError: Cannot read property 'map' of undefined when rendering user list",
          rootCause: 'API response returns null when no users found, but component assumes array',
          solution: 'Add null check before mapping: users?.map(...) ?? []',
          language: 'typescript',
          errorType: 'TypeError',
          confidence: 0.89,
          userValidated: true,
          createdAt: '2025-12-01T10:30:00Z',
          fixedIn: 'src/components/UserList.tsx',
        },
      ],
    },
  ],
})
