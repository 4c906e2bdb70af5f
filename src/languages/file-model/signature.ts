/** Longer heads are cut: no one reads them on one line. */
const LONGEST = 400

/** The head of a declaration on one line: its text up to its body, without comments and redundant space. */
export function signatureOf(text: string, start: number, end: number): string {
  const head = text
    .slice(start, Math.min(end, start + 4 * LONGEST))
    .replaceAll(/\/\*[^]*?\*\/|(^|\s)\/\/[^\n]*/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/([([<]) | (?=[)\]])/g, '$1')
    .replaceAll(/,(?=[)\]])/g, '')
    .replace(/\s*(\{|=>|=|:|;)?\s*$/, '')
    .trim()
  return head.length > LONGEST ? `${head.slice(0, LONGEST - 1)}…` : head
}
