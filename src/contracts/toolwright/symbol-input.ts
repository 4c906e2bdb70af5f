import { z } from '../tool.ts'

/** Input that identifies a symbol. */
export const symbolInput = () => ({
  name: z.string().min(1).describe('`Class.method` and `path`, its file, say which one'),
  path: z.string().optional().describe('The file that defines it; found in the index unless given'),
})
