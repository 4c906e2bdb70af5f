import { z } from '../tool.ts'

/** The input and output of a tool with pages. */
export const pageInput = (unless: number, most: number) => ({
  limit: z.int().min(1).max(most).optional().describe(`${unless} unless given`),
  skip: z.int().min(0).max(1_000_000).optional().describe('Results to leave out, as `next` of the answer says'),
})

export const pageOutput = {
  total: z.int().describe('All that there are, also those past the limit'),
  truncated: z.boolean(),
  next: z.strictObject({ skip: z.int() }).optional().describe('What gives the next page'),
}

/** Returns where the next page starts. */
export function pageOf(total: number, shown: number, skip = 0) {
  const truncated = skip + shown < total
  return { total, truncated, ...(truncated && shown > 0 && { next: { skip: skip + shown } }) }
}
