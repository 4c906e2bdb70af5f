import type { Hunk } from './patch-types.ts'
import { bodyOf, linesOf } from './byte-lines.ts'
import { somePlaces } from './find-place.ts'
import { createLineImage } from './line-image.ts'

/** Reports whether the context and the removed lines of every hunk stand exactly once in a content. */
export function hunksStandOnce(bytes: Buffer, hunks: readonly Hunk[]): boolean {
  const lines = linesOf(bytes.toString('latin1'))
  const exact = createLineImage(lines)
  const bodies = createLineImage(lines.map(bodyOf))
  return hunks.every(hunk => {
    const old = hunk.lines.filter(line => !line.startsWith('+')).map(line => line.slice(1))
    if (old.length === 0) return false
    const places = hunk.place === 'text' ? somePlaces(bodies, old.map(bodyOf)) : somePlaces(exact, old)
    return places.length === 1
  })
}
