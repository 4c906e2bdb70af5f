import { z } from '../tool.ts'

/** The document counts in binary: 10MB and 1MB. */
export const MB = 1024 * 1024

/** Content of at most 10MB. */
export const contentField = z.string().refine(text => Buffer.byteLength(text) <= 10 * MB, 'Content is larger than 10MB')
