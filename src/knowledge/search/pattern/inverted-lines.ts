import { lineEnd } from './literal-finder.ts'
import type { LineSink } from './types.ts'

type Find = (text: Buffer, sink: LineSink) => void

/** Finds the lines that the other does not find. */
export function invertedLines(find: Find): Find {
  return (text, sink) => {
    let at = 0
    let isDone = false
    const passUntil = (border: number): boolean => {
      while (!isDone && at < border) {
        const end = lineEnd(text, at)
        isDone = sink(at, end) === true
        at = end + 1
      }
      return isDone
    }
    find(text, (start, end) => {
      if (passUntil(start)) return true
      at = end + 1
    })
    passUntil(text.length)
  }
}
