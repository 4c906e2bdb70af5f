import type { LineImage } from './line-image.ts'

/** Where a hunk may stand. */
interface Place {
  /** The line it is expected on, from 0. */
  readonly expected: number
  readonly atStart: boolean
  readonly atEnd: boolean
}

/** The place nearest to the expected one, a line after it before the line before it; -1 if there is none. */
export function nearestPlace(image: LineImage, wanted: readonly string[], place: Place): number {
  const last = image.length() - wanted.length
  if (place.atStart && place.atEnd && last !== 0) return -1
  if (place.atStart || place.atEnd) {
    const only = place.atStart ? 0 : last
    return image.matches(only, wanted) ? only : -1
  }
  const start = Math.min(place.expected, image.length())
  if (image.matches(start, wanted)) return start
  for (let distance = 1; start + distance <= last || start - distance >= 0; distance++) {
    if (start + distance <= last && image.matches(start + distance, wanted)) return start + distance
    if (start - distance >= 0 && image.matches(start - distance, wanted)) return start - distance
  }
  return -1
}

/** All places of a text, two at most: enough to tell one from several. */
export function somePlaces(image: LineImage, wanted: readonly string[], from = 0): number[] {
  const places: number[] = []
  const last = image.length() - wanted.length
  for (let at = from; at <= last && places.length < 2; at++) if (image.matches(at, wanted)) places.push(at)
  return places
}
