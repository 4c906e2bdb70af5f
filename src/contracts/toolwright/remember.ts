import { defineTool, writesMemory, z } from '../tool.ts'

const WITHIN_MS = 20_000

export const remember = defineTool({
  name: 'remember',
  version: '1.0.0',
  description:
    'Record how an error was fixed, for `fixes`: `errorDescription` as seen, `rootCause`, `solution`, path `fixedIn`, `attempts` that failed. If one says the same, merge it `into` that id, or store it `evenIfSimilar`.',
  input: () =>
    z.strictObject({
      errorDescription: z.string().min(1).max(20_000).describe('The error as seen: message, stack trace, symptom'),
      rootCause: z.string().min(1).max(20_000).describe('Why it happened'),
      solution: z.string().min(1).max(20_000).describe('What fixed it'),
      language: z.string().max(60).optional().describe('Programming language'),
      errorType: z.string().max(200).optional().describe('Exception class or error code'),
      fixedIn: z.string().max(4_000).optional().describe('The file that was changed'),
      attempts: z
        .array(z.strictObject({ tried: z.string().min(1).max(4_000), failed: z.string().max(4_000) }))
        .max(50)
        .optional()
        .describe('What did not help, and why'),
      into: z.string().min(1).max(200).optional().describe('Merge it into the fix of this id'),
      evenIfSimilar: z.boolean().optional().describe('Store it though another says the same'),
    }),
  output: () =>
    z.strictObject({
      stored: z.boolean(),
      id: z.string().optional(),
      similar: z
        .array(z.strictObject({ id: z.string(), errorDescription: z.string(), similarity: z.number() }))
        .optional()
        .describe('Stored fixes that say the same'),
    }),
  effects: ['write', 'net'],
  plainInput: true,
  claims: (_input, facts) => writesMemory(facts),
  async run({ into, evenIfSimilar, ...fix }, engines, { signal, tell }) {
    const outcome = await engines.fixes.remember(fix, { into, evenIfSimilar }, { signal, withinMs: WITHIN_MS, tell })
    if ('stored' in outcome) return { stored: true, id: outcome.stored.id }
    const similar = outcome.duplicates.map(({ fix: { id, errorDescription }, similarity }) => ({
      id,
      errorDescription,
      similarity,
    }))
    return { stored: false, similar }
  },
  examples: [
    {
      input: {
        errorDescription: 'ECONNREFUSED 127.0.0.1:5432 when the tests start',
        rootCause: 'The database listens on the unix socket only',
        solution: 'Set listen_addresses in postgresql.conf',
        errorType: 'ECONNREFUSED',
        attempts: [{ tried: 'Another port', failed: 'Nothing listens on any' }],
      },
    },
  ],
})
