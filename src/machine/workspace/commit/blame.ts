import { hash } from 'node:crypto'
import { lineEdits } from '../diff/line-edits.ts'
import type { FileVersion } from './file-history.ts'

/**
 * Returns for each line of a text the commit that wrote it; undefined for lines from before the first commit, and for
 * all lines that cannot be followed because something else has changed the file.
 */
export function blameLines(content: Buffer, history: readonly FileVersion[]): readonly (string | undefined)[] {
  let lines = linesOf(content)
  const blamed = lines.map((): string | undefined => undefined)
  /** Where each line of the version at hand stands in the text. */
  let places = lines.map((_, at) => at)
  let now = hash('sha256', content)
  for (let at = 0; at < history.length; at++) {
    const restored = history.findLastIndex(({ before }, place) => place >= at && hashOf(before) === now)
    // What was undone since left no line.
    if (restored >= 0) {
      at = restored
      continue
    }
    const version = history[at]
    if (!version || version.after !== now) break
    const before = version.before ? linesOf(version.before) : []
    const kept: number[] = []
    let place = 0
    for (const { kind, count } of lineEdits(before, lines)) {
      if (kind === 'delete') kept.push(...Array.from({ length: count }, () => -1))
      else {
        const own = places.slice(place, place + count)
        if (kind === 'keep') kept.push(...own)
        else for (const line of own) if (line >= 0) blamed[line] = version.commit
        place += count
      }
    }
    if (!version.before) return blamed
    lines = before
    places = kept
    now = hash('sha256', version.before)
  }
  return blamed
}

const hashOf = (content: Buffer | undefined): string | undefined => content && hash('sha256', content)

/** The lines of a text without their ends; a last end begins no line. */
function linesOf(content: Buffer): string[] {
  const text = content.toString('latin1')
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
