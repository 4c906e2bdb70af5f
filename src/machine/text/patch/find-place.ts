import type { LineImage } from './line-image.ts'

/** Candidate places of a hunk. */
interface Place {
  /** The expected line, 0-based. */
  readonly expected: number
  readonly atStart: boolean
  readonly atEnd: boolean
}

/** Returns the place nearest to the expected one, later before earlier at equal distance, or -1. */
export function nearestPlace(image: LineImage, wantedLines: readonly string[], place: Place): number {
  const last = image.length() - wantedLines.length
  if (place.atStart && place.atEnd && last !== 0) return -1
  if (place.atStart || place.atEnd) {
    const only = place.atStart ? 0 : last
    return image.matches(only, wantedLines) ? only : -1
  }
  const start = Math.min(place.expected, image.length())
  if (image.matches(start, wantedLines)) return start
  for (let distance = 1; start + distance <= last || start - distance >= 0; distance++) {
    if (start + distance <= last && image.matches(start + distance, wantedLines)) return start + distance
    if (start - distance >= 0 && image.matches(start - distance, wantedLines)) return start - distance
  }
  return -1
}

/** Returns at most two places of a text: enough to tell one from several. */
export function somePlaces(image: LineImage, wantedLines: readonly string[], from = 0): number[] {
  const places: number[] = []
  const last = image.length() - wantedLines.length
  for (let at = from; at <= last && places.length < 2; at++) if (image.matches(at, wantedLines)) places.push(at)
  return places
}
