import { z } from '../tool.ts'

/** The input and output of a tool with pages. */
export const pageInput = (unless: number, most: number) => ({
  limit: z.int().min(1).max(most).optional().describe(`Default ${unless}`),
  skip: z.int().min(0).max(1_000_000).optional().describe('Results to skip, from `next` of the last answer'),
})

export const pageOutput = {
  total: z.int().describe('Number of all results, including those past the limit'),
  truncated: z.boolean(),
  next: z.strictObject({ skip: z.int() }).optional().describe('Input for the next page'),
}

/** Returns where the next page starts. */
export function pageOf(total: number, count: number, skip = 0) {
  const isTruncated = skip + count < total
  return { total, truncated: isTruncated, ...(isTruncated && count > 0 && { next: { skip: skip + count } }) }
}
