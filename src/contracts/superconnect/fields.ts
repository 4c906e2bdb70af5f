import { z } from 'zod'

export const KB = 1024
export const MB = 1024 * KB

/** The document's limits: more is an error, and never clamped. */
export const MOST_RESULTS = 200
export const MOST_LISTED = 100
export const LARGEST_FILE = 500 * KB

/** The document takes paths from the root of the repository, and neither climbs nor roots of their own. */
export const relativePath = () =>
  z.string().min(1).refine(isRelative, { error: 'must be relative to the repository root, without ../' })

const isRelative = (path: string): boolean =>
  !/^[/\\]|^[a-z]:/i.test(path) && !path.includes('\0') && !path.split(/[/\\]/).includes('..')

/** Asked for where the document wants to know why the index is not enough; always kept with the call. */
export const justification = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .optional()
    .describe('What information is needed, why queryIndex is insufficient, and how you plan to explore')
