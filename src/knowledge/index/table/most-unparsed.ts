/** Most unparsed files to name in one answer. */
export const MOST_UNPARSED = 100
