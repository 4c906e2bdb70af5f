/** What the document gives every tool; a configuration may give more. */
export const TIMEOUT_MS = 2_000
