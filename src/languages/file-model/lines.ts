/** Finds the 1-based line of an offset in a text. */
export interface Lines {
  of(offset: number): number
}

export function linesOf(text: string): Lines {
  const starts = [0]
  /** The end of the searched part: the rest is searched on demand. */
  let next = text.indexOf('\n')
  return {
    of(offset) {
      for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) starts.push(next + 1)
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
