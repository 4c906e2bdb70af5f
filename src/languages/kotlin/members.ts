const OPENS_MEMBER =
  /^[ \t](?:(?:public|private|protected|internal|abstract|final|open|override|lateinit|const|suspend|inline|operator|infix|tailrec|external|inner|data|sealed|enum|companion)\s+)*(?:fun|val|var|class|interface|object|init|constructor)\b/
/** After these a body or list continues, and no member ends. */
const GOES_ON = /(?:^|[{;,]|->)[ \t]*$/

/**
 * Kotlin lets the last member of a one-line body end at its `}`, but the grammar requires a `;`. Replaces the blank
 * there by one, so that nothing moves.
 */
export function endedMembers(text: string): string {
  const ends: number[] = []
  const templateStack: boolean[] = []
  let line = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\n') line = at + 1
    else if (sign === '{') templateStack.push(text[at - 1] === '$')
    else if (sign === '}') {
      const isTemplate = templateStack.pop() ?? false
      if (!isTemplate && /[ \t]/.test(text[at - 1] ?? '') && !GOES_ON.test(text.slice(line, at))) ends.push(at - 1)
      if (OPENS_MEMBER.test(text.slice(at + 1, at + 200))) ends.push(at + 1)
    }
  }
  if (ends.length === 0) return text
  return (
    ends.map((end, at) => `${text.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end)};`).join('') +
    text.slice((ends.at(-1) ?? 0) + 1)
  )
}
