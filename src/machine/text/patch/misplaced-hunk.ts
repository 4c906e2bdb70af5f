import { ToolError } from '../../../kernel/error.ts'
import type { LineImage } from './line-image.ts'
import { show } from '../../workspace/path.ts'
import { toText } from './byte-lines.ts'

/** Reason why a hunk has no place. */
export type Misplaced = 'absent' | 'ambiguous' | 'not-at-end' | 'past-end'

interface Miss {
  readonly image: LineImage
  readonly file: string
  /** Its number within the file, 1-based. */
  readonly hunk: number
  readonly patchLine: number
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** The expected line, 0-based. */
  readonly expected: number
}

/** Error for a hunk without a place, with the file's text where the hunk comes nearest. */
export function misplacedHunk(why: Misplaced, miss: Miss): ToolError {
  const { image, file, hunk, patchLine, before, after, expected } = miss
  const line = expected + 1
  const where = `Hunk ${hunk} does not apply to ${show(file)} at line ${line}`
  const details = { file, hunk, line, patchLine }
  if (why === 'ambiguous')
    return new ToolError('ambiguous', `${where}, and its text is in several other places`, {
      hint: 'Make the patch again with lines of context around the change.',
      details: { ...details, rule: 'place' },
    })
  if (why === 'not-at-end')
    return new ToolError('no_match', `${where}: it expects the end of the file there, but the file continues`, {
      hint: 'Read the file and make the patch again.',
      details: { ...details, rule: 'no-newline' },
    })
  if (why === 'past-end')
    return new ToolError('no_match', `${where}: the file has only ${image.length()} lines`, {
      hint: 'Make the patch again with lines of context around the change.',
      details: { ...details, rule: 'place' },
    })
  const nearest = nearestText(image, before, expected)
  const isApplied = after.length > 0 && image.matches(expected, after)
  return new ToolError('no_match', isApplied ? `${where}: it is applied already` : where, {
    hint: isApplied ? 'Nothing is left to do for this hunk.' : 'Read the file there and make the patch again.',
    details: { ...details, wanted: excerpt(before), nearest, ...(isApplied ? { alreadyApplied: true } : {}) },
  })
}

/** Returns the lines that share most with the wanted ones, near the expected place. */
function nearestText(image: LineImage, wanted: readonly string[], expected: number) {
  const start = Math.min(expected, Math.max(0, image.length() - wanted.length))
  const firstWanted = wanted.slice(0, 50)
  let best = { at: start, same: 0 }
  for (let distance = 0; distance <= 200; distance++)
    for (const at of [start + distance, start - distance]) {
      if (at < 0 || at >= image.length()) continue
      const same = firstWanted.filter((line, index) => image.text(at + index).trim() === line.trim()).length
      if (same > best.same) best = { at, same }
    }
  const last = Math.min(image.length(), best.at + Math.max(wanted.length, 1))
  const lines = Array.from({ length: Math.max(0, last - best.at) }, (_, index) => image.text(best.at + index))
  return { from: best.at + 1, to: Math.max(last, best.at + 1), text: excerpt(lines) }
}

const excerpt = (lines: readonly string[]): string => {
  const text = toText(lines.slice(0, 40).join(''))
  return text.length > 4000 ? `${text.slice(0, 4000)}…` : text
}
