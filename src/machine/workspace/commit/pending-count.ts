import type { Sys } from '../sys.ts'
import type { Place } from './commit-store.ts'

/** Places whose file system counts the subdirectories of a directory; some always say the same. */
const counting = new WeakSet<Place>()

/** Looks whether the number of links tells of the first directory in `pending`, which was just made. */
export function noteCounting(sys: Sys, place: Place): void {
  if (!counting.has(place) && sys.fstat(place.pending).nlink === 3n) counting.add(place)
}

/** Reports whether `pending` is known to hold no directory, without listing it. */
export const isPendingEmpty = (sys: Sys, place: Place): boolean =>
  counting.has(place) && sys.fstat(place.pending).nlink === 2n
