/** So many files that could not be parsed are named in one answer. */
export const MOST_UNPARSED = 100
