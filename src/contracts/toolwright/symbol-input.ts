import { z } from '../tool.ts'

/** Input that identifies a symbol. */
export const symbolInput = () => ({
  name: z.string().min(1).describe('Qualify an ambiguous name with `Class.method` or `path`'),
  path: z.string().optional().describe('The file that defines it; default: found in the index'),
})
