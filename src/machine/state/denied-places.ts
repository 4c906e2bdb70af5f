import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOwnFile } from './private-file.ts'

/** A new name: globs in the former file, `denied.json`, did not cover what a directory holds, so indexes start anew. */
const FILE = 'denied-places.json'
/** Caches of file contents. */
const CACHES = ['search', 'index', 'code'] as const

/** Returns the globs that rules have denied in this workspace, so that no index stores matching files. */
export function deniedPlaces(state: string): readonly string[] {
  try {
    const globs: unknown = JSON.parse(readOwnFile(join(state, FILE)).toString('utf8'))
    return Array.isArray(globs) ? globs.filter(glob => typeof glob === 'string') : []
  } catch {
    return []
  }
}

/** Returns a value that changes with the globs. */
export const deniedVersion = (state: string): string =>
  String(statSync(join(state, FILE), { throwIfNoEntry: false, bigint: true })?.mtimeNs ?? 'none')

/** Records denied globs. A new one invalidates every index on disk, which may hold now denied content. */
export function denyPlaces(state: string, globs: readonly string[]): void {
  const before = deniedPlaces(state)
  const newGlobs = globs.filter(glob => !before.includes(glob))
  if (newGlobs.length === 0) return
  mkdirSync(state, { recursive: true, mode: 0o700 })
  // Later index writers see the new globs; existing indexes are removed afterwards.
  const file = join(state, FILE)
  writeFileSync(`${file}.${process.pid}`, JSON.stringify([...before, ...newGlobs]), { mode: 0o600 })
  renameSync(`${file}.${process.pid}`, file)
  for (const cache of CACHES) rmSync(join(state, cache), { recursive: true, force: true })
}
