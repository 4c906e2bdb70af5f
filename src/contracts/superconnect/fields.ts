import { z } from 'zod'

export const KB = 1024
export const MB = 1024 * KB

/** The document's limits. A larger value is an error and is never clamped. */
export const MOST_RESULTS = 200
export const MOST_LISTED = 100
export const LARGEST_FILE = 500 * KB

/** The document accepts paths from the repository's root, without `..` and not absolute. */
export const relativePath = () =>
  z.string().min(1).refine(isRelative, { error: 'must be relative to the repository root, without ../' })

const isRelative = (path: string): boolean =>
  !/^[/\\]|^[a-z]:/i.test(path) && !path.includes('\0') && !path.split(/[/\\]/).includes('..')

/** The reason why the index is not enough. The document demands it; the journal always records it. */
export const justification = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .optional()
    .describe('What information is needed, why queryIndex is insufficient, and how you plan to explore')
