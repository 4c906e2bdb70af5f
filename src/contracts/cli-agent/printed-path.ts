/** Formats a path for one line. A path with control characters or invalid bytes becomes a JSON string. */
export const printedPath = (path: string): string => (PLAIN.test(path) ? path : JSON.stringify(path))

const PLAIN = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u
