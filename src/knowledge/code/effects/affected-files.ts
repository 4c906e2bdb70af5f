import { keysThatMayDiffer } from './changed-map.ts'
import type { ProjectSnapshot } from './project-snapshot.ts'

export interface Affected {
  readonly path: string
  /** The number of imports between this file and a changed one; Infinity if it imports none. */
  readonly distance: number
}

/** Files whose diagnostics may differ between the two snapshots, the nearest to the change first. */
export function affectedFiles(
  before: ProjectSnapshot,
  after: ProjectSnapshot,
  changedPaths: readonly string[],
): readonly Affected[] {
  const distances = new Map<string, number>()
  let layer = changedPaths.filter(path => before.files.has(path) || after.files.has(path))
  for (let distance = 0; layer.length > 0; distance++) {
    for (const path of layer) distances.set(path, distance)
    const next = layer.flatMap(path => [...before.importersOf(path), ...after.importersOf(path)])
    layer = [...new Set(next)].filter(path => !distances.has(path))
  }
  const affectedPaths: Affected[] = []
  for (const path of keysThatMayDiffer(before.proofs, after.proofs))
    if (before.proofOf(path) !== after.proofOf(path))
      affectedPaths.push({ path, distance: distances.get(path) ?? Infinity })
  return affectedPaths.toSorted(nearestFirst)
}

const nearestFirst = (one: Affected, other: Affected): number =>
  one.distance === other.distance ? (one.path < other.path ? -1 : 1) : one.distance < other.distance ? -1 : 1
