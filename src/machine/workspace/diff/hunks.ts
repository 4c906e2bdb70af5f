import { lineEdits, type Run } from './line-edits.ts'

/** Unchanged lines around a change; two changes that share them are one hunk. */
export const CONTEXT = 3

/**
 * Returns the hunks of a unified diff between two texts, and how much text they share. `visibleTexts` are the same
 * texts, line by line, as a reader may see them.
 */
export function hunksOf(
  before: string,
  after: string,
  visibleTexts: readonly [before: string, after: string] = [before, after],
): { readonly text: string; readonly kept: number } {
  const a = linesOf(before)
  const b = linesOf(after)
  const runs = lineEdits(a, b)
  const [shownA, shownB] = [linesOf(visibleTexts[0]), linesOf(visibleTexts[1])]
  let oldLine = 0
  let newLine = 0
  let unchangedLength = 0
  let text = ''
  let hunk: Hunk | undefined
  for (const [index, { kind, count }] of runs.entries()) {
    if (kind === 'keep') {
      for (let at = oldLine; at < oldLine + count; at++) unchangedLength += a[at]?.length ?? 0
      const last = index === runs.length - 1
      if (hunk !== undefined) {
        const ends = last || count > 2 * CONTEXT
        const length = ends ? Math.min(count, CONTEXT) : count
        hunk.lines.push(...shownA.slice(oldLine, oldLine + length).map(line => ` ${line}`))
        hunk.oldCount += length
        hunk.newCount += length
        if (ends) {
          text += render(hunk)
          hunk = undefined
        }
      }
      oldLine += count
      newLine += count
      continue
    }
    hunk ??= openHunk(shownA, oldLine, newLine, runs[index - 1])
    if (kind === 'delete') {
      for (const line of shownA.slice(oldLine, oldLine + count)) hunk.lines.push(`-${line}`)
      hunk.oldCount += count
      oldLine += count
    } else {
      for (const line of shownB.slice(newLine, newLine + count)) hunk.lines.push(`+${line}`)
      hunk.newCount += count
      newLine += count
    }
  }
  if (hunk !== undefined) text += render(hunk)
  return { text, kept: unchangedLength }
}

interface Hunk {
  readonly oldStart: number
  readonly newStart: number
  oldCount: number
  newCount: number
  readonly lines: string[]
}

/** Opens a hunk with the last lines of the preceding unchanged run. */
function openHunk(a: readonly string[], oldLine: number, newLine: number, previous: Run | undefined): Hunk {
  const context = previous?.kind === 'keep' ? Math.min(previous.count, CONTEXT) : 0
  const lines = a.slice(oldLine - context, oldLine).map(line => ` ${line}`)
  return { oldStart: oldLine - context, newStart: newLine - context, oldCount: context, newCount: context, lines }
}

function render({ oldStart, newStart, oldCount, newCount, lines }: Hunk): string {
  const body = lines.map(line => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('')
  return `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@\n${body}`
}

/** An empty range names the line before it, as in every diff. */
const range = (start: number, count: number): string => {
  if (count === 1) return String(start + 1)
  return `${count === 0 ? start : start + 1},${count}`
}

/** Splits into lines with their line feeds; the last one may have none. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  const rest = lines.pop()
  const whole = lines.map(line => `${line}\n`)
  return rest === undefined || rest === '' ? whole : [...whole, rest]
}
