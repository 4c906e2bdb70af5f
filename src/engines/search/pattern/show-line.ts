const [NEWLINE, RETURN] = [10, 13]

/** A line as an answer shows it. */
export function showLine(text: Buffer, start: number, end: number): string {
  const hasReturn = text[end] === NEWLINE && end > start && text[end - 1] === RETURN
  return text.toString('utf8', start, hasReturn ? end - 1 : end)
}
