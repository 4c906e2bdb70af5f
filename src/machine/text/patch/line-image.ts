import { ToolError } from '../../../kernel/error.ts'

/** A line changed by a hunk: no later hunk may match it. */
interface Touched {
  readonly text: string
}

/** The lines of a file while hunks are applied, in any order. */
export interface LineImage {
  length(): number
  /** Returns a line that a hunk may match, or undefined if it is missing or touched. */
  line(at: number): string | undefined
  text(at: number): string
  matches(at: number, wanted: readonly string[]): boolean
  /** Replaces lines; the new ones count as touched. */
  replace(at: number, count: number, lines: readonly string[]): void
  join(): string
}

/** Limit of compared or moved lines before a patch counts as hostile; a large honest one needs a hundredth of it. */
const MOST_WORK = 30_000_000

/** Two stacks with the gap at the last hunk, so that hunks in order cost no copying. */
export function createLineImage(lines: readonly string[]): LineImage {
  const leftLines: (string | Touched)[] = []
  const right: (string | Touched)[] = lines.toReversed()
  let work = 0

  const spend = (amount: number): void => {
    work += amount
    if (work > MOST_WORK)
      throw new ToolError('too_large', 'The patch needs too much searching in one file', {
        hint: 'Make the patch again from the file as it is now.',
      })
  }
  const get = (at: number): string | Touched | undefined =>
    at < leftLines.length ? leftLines[at] : right[right.length - 1 - (at - leftLines.length)]

  const image: LineImage = {
    length: () => leftLines.length + right.length,
    line(at) {
      const line = get(at)
      return typeof line === 'string' ? line : undefined
    },
    text(at) {
      const line = get(at) ?? ''
      return typeof line === 'string' ? line : line.text
    },
    matches(at, wanted) {
      if (at < 0 || at + wanted.length > image.length()) return false
      let same = 0
      while (same < wanted.length && get(at + same) === wanted[same]) same++
      spend(same + 1)
      return same === wanted.length
    },
    replace(at, count, added) {
      spend(Math.abs(at - leftLines.length))
      moveGap(leftLines, right, at)
      right.length -= count
      for (const text of added) leftLines.push({ text })
    },
    join: () =>
      [...leftLines, ...right.toReversed()].map(line => (typeof line === 'string' ? line : line.text)).join(''),
  }
  return image
}

function moveGap<T>(left: T[], right: T[], to: number): void {
  while (left.length > to) move(left, right)
  while (left.length < to) move(right, left)
}

function move<T>(from: T[], to: T[]): void {
  const line = from.pop()
  if (line === undefined) throw new RangeError('A hunk was placed outside its file')
  to.push(line)
}
