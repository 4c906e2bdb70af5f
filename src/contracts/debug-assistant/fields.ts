/** The document's timeout for every tool; a configuration may extend it. */
export const TIMEOUT_MS = 2_000
