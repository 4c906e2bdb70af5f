/** Quotes a text as one word of a line. */
export const quoteWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
