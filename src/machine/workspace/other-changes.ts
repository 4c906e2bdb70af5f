import { lineEdits } from './diff/line-edits.ts'
import { show } from './path.ts'

const SHOWN = 5

/** Says which lines of a file others changed since the session read it. */
export function otherChanges(path: string, read: Buffer | undefined, now: Buffer): string {
  const what = `${show(path)} was changed by someone else since it was read`
  if (read === undefined) return `${what}. The edit kept that change; read the file to see it`
  const places = changedPlaces(linesOf(read), linesOf(now))
  const more = places.length > SHOWN ? [`${places.length - SHOWN} more places`] : []
  return `${what}: ${[...places.slice(0, SHOWN), ...more].join(', ')}. The edit kept that; these lines count before it`
}

const linesOf = (bytes: Buffer): string[] => bytes.toString('latin1').split('\n')

/** Returns the changed places, by the line numbers of the later text. */
function changedPlaces(before: readonly string[], after: readonly string[]): string[] {
  const places: string[] = []
  let line = 0
  for (const { kind, count } of lineEdits(before, after)) {
    if (kind === 'delete') {
      // A replacement is named by its new lines, which come next.
      places.push(line === 0 ? 'lines removed at the start' : `lines removed after line ${line}`)
      continue
    }
    if (kind === 'insert') {
      if (places.at(-1)?.endsWith(line === 0 ? 'at the start' : `after line ${line}`)) places.pop()
      places.push(count === 1 ? `line ${line + 1}` : `lines ${line + 1}-${line + count}`)
    }
    line += count
  }
  return places
}
