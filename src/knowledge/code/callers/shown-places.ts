import type { Use } from './call-node.ts'

const MOST = 5

/** The first of some places, in words. */
export function shownPlaces(places: readonly Pick<Use, 'path' | 'line'>[]): string {
  const lines = [...new Set(places.map(({ path, line }) => `${path}:${line}`))].toSorted()
  const shown = lines.slice(0, MOST).join(', ')
  return lines.length > MOST ? `${shown} and ${lines.length - MOST} more` : shown
}
