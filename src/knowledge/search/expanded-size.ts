/**
 * Returns the number of single steps in a regular expression after its counted repetitions are expanded: `(ab){1,9}` is
 * 18. Every line is matched against all of them, so cost follows this number and not the length.
 */
export function expandedSize(pattern: string): number {
  const above: number[] = []
  let size = 0
  /** Size of the piece that a repetition would repeat. */
  let last = 0
  for (let at = 0; at < pattern.length;) {
    const char = pattern.charAt(at)
    const repeatCount = char === '{' ? COUNTED.exec(pattern.slice(at, at + LONGEST_COUNT)) : null
    if (repeatCount) {
      const times = Math.max(1, Number(repeatCount[1] ?? 0), Number(repeatCount[2] ?? 0))
      size += last * (times - 1)
      last *= times
      at += repeatCount[0].length
      continue
    }
    if (char === '(') {
      above.push(size)
      size = 0
      last = 0
    } else if (char === ')') {
      last = Math.max(1, size)
      size = (above.pop() ?? 0) + last
    } else if (!'*+?|'.includes(char)) {
      // The expression may ignore a space (`(?x)`). A repetition then applies to the piece before it.
      last = /\s/.test(char) ? Math.max(1, last) : 1
      size++
    }
    at = endOf(pattern, at)
  }
  return above.reduce((sum, one) => sum + one, size)
}

const COUNTED = /^\{\s*(\d+)?\s*(?:,\s*(\d+)?\s*)?\}/
const LONGEST_COUNT = 100

/**
 * Returns the end of the piece that begins here. An escape such as `\p{L}` or a class such as `[[:alpha:]_]` is one
 * piece.
 */
function endOf(pattern: string, start: number): number {
  const char = pattern.charAt(start)
  if (char === '\\')
    return start + (/^\\(?:[pPxuUb]\{[^}]*\}|.)/s.exec(pattern.slice(start, start + 60))?.[0].length ?? 1)
  if (char !== '[') return start + 1
  let depth = 0
  let at = start
  while (at < pattern.length) {
    const inside = pattern.charAt(at)
    if (inside === '\\') at++
    else if (inside === '[') {
      depth++
      if (pattern.charAt(at + 1) === '^') at++
      // The first bracket in a class stands for itself.
      if (pattern.charAt(at + 1) === ']') at++
    } else if (inside === ']' && --depth === 0) return at + 1
    at++
  }
  return at
}
