/** Remaining budget for comparisons; only decreases. */
export interface Work {
  left: number
}

const LONGEST = 1000

/**
 * Returns the similarity of two lines, 0 to 1, by edit distance. As a part, `a` may occur anywhere inside `b`. Without
 * budget, unequal lines count as dissimilar.
 */
export function similarity(a: string, b: string, part: boolean, work: Work): number {
  if (a === b) return 1
  if (a === '' || b === '') return 0
  const leftText = a.slice(0, LONGEST)
  const right = b.slice(0, LONGEST)
  work.left -= leftText.length * right.length
  if (work.left < 0) return 0
  const edits = distance(leftText, right, part)
  const longer = part ? leftText.length : Math.max(leftText.length, right.length)
  // A part is never as good as the whole line.
  return Math.max(0, 1 - edits / longer) * (part && edits === 0 ? 0.99 : 1)
}

function distance(a: string, b: string, part: boolean): number {
  let row = new Uint16Array(b.length + 1)
  let next = new Uint16Array(b.length + 1)
  if (!part) for (let j = 0; j <= b.length; j++) row[j] = j
  for (let i = 1; i <= a.length; i++) {
    next[0] = i
    const code = a.charCodeAt(i - 1)
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (code === b.charCodeAt(j - 1) ? 0 : 1)
      next[j] = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    const spare = row
    row = next
    next = spare
  }
  return part ? row.reduce((least, edits) => Math.min(least, edits)) : (row[b.length] ?? 0)
}
