import { CONTEXT, linesOf } from './hunks.ts'
import { lineEdits } from './line-edits.ts'

interface AcceptedText {
  readonly text: string
  readonly hunks: number
  /** The accepted places, by lines of the text before. */
  readonly places: readonly AcceptedPlace[]
}

interface AcceptedPlace {
  readonly line: number
  readonly lines: number
  readonly old: string
  readonly new: string
}

/** Returns the text in which only these hunks are changed; hunks count from 0 and are those of the unified diff. */
export function acceptHunks(before: string, after: string, isAccepted: (hunk: number) => boolean): AcceptedText {
  const [a, b] = [linesOf(before), linesOf(after)]
  const runs = lineEdits(a, b)
  const places: AcceptedPlace[] = []
  let [oldLine, newLine, hunk] = [0, 0, -1]
  let isOpen = false
  let text = ''
  /** The place that the next change continues. */
  let place: { line: number; old: string; new: string; lines: number } | undefined
  for (const [index, { kind, count }] of runs.entries()) {
    if (kind === 'keep') {
      if (index === runs.length - 1 || count > 2 * CONTEXT) isOpen = false
      text += a.slice(oldLine, oldLine + count).join('')
      oldLine += count
      newLine += count
      place = undefined
      continue
    }
    if (!isOpen) hunk++
    isOpen = true
    const isIn = isAccepted(hunk)
    if (isIn && !place) places.push((place = { line: oldLine + 1, lines: 0, old: '', new: '' }))
    if (kind === 'delete') {
      const old = a.slice(oldLine, oldLine + count).join('')
      if (place && isIn) Object.assign(place, { lines: place.lines + count, old: place.old + old })
      else text += old
      oldLine += count
    } else {
      const newText = b.slice(newLine, newLine + count).join('')
      if (place && isIn) place.new += newText
      if (isIn) text += newText
      newLine += count
    }
  }
  return { text, hunks: hunk + 1, places }
}
