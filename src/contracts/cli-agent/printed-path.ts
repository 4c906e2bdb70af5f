/** A path on a line of its own: one that holds line breaks, other controls or bytes that are no text is written as a JSON string. */
export const printedPath = (path: string): string => (PLAIN.test(path) ? path : JSON.stringify(path))

const PLAIN = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u
