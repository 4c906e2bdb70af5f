import { z } from '../tool.ts'

/** How closely an answer reflects the current files. */
export const freshness = () =>
  z
    .strictObject({ source: z.enum(['scan', 'index']), checked: z.enum(['watch', 'stat']).optional() })
    .describe('Read from the files now (scan), or from an index known to be current')
