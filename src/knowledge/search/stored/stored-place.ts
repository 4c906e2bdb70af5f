import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Location of what a search is stored by: the folder of the index's segments. */
export interface StoredPlace {
  readonly directory: string
  /** Only a program with the same key reads, replaces and removes it. */
  readonly key: () => string
}

/** The file beside the segments that says which of them has which file of the workspace. */
export const imageFile = ({ directory, key }: StoredPlace): string => join(directory, `${key()}.image`)

const NUMBER = /^-(\d{10})\.segment$/

/** Returns the file of a segment. */
export const segmentFile = ({ directory, key }: StoredPlace, number: number): string =>
  join(directory, `${key()}-${String(number).padStart(10, '0')}.segment`)

/** Returns the numbers of the stored segments, highest first. */
export function storedSegments({ directory, key }: StoredPlace): readonly number[] {
  const currentKey = key()
  return namesIn(directory)
    .flatMap(name => (name.startsWith(currentKey) ? (NUMBER.exec(name.slice(currentKey.length)) ?? []).slice(1) : []))
    .map(Number)
    .toSorted((one, other) => other - one)
}

const WEEK_MS = 7 * 24 * 3600 * 1000

/** Removes what other programs stored and have not added to for a week. They may still run. */
export function removeLeftovers({ directory, key }: StoredPlace, now: number): void {
  const groups = Map.groupBy(namesIn(directory), name => /^[^-.]*/.exec(name)?.[0])
  groups.delete(key())
  for (const names of groups.values()) {
    const paths = names.map(name => join(directory, name))
    const newest = Math.max(...paths.map(path => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0))
    if (now - newest > WEEK_MS) for (const path of paths) rmSync(path, { force: true })
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
