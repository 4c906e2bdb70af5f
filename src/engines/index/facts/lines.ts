/** Finds the 1-based line of a place in a text. */
export interface Lines {
  of(offset: number): number
}

export function linesOf(text: string): Lines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return {
    of(offset) {
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      return low + 1
    },
  }
}
