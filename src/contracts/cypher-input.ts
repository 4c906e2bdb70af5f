import { z } from './tool.ts'

/** Input of a query to the code graph. */
export const cypherInput = () => ({
  query: z.string().min(1).describe('One read-only Cypher statement'),
  params: z.record(z.string(), z.unknown()).optional().describe('Values for $name in the query'),
  commit: z.string().min(1).max(500).optional().describe('A hash, branch, tag or HEAD~3; default: the workspace'),
})
