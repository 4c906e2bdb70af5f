import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOwnFile } from './private-file.ts'

const FILE = 'denied.json'
/** What is kept of the contents of files, only for speed. */
const CACHES = ['search', 'index', 'code'] as const

/** Globs that a rule has denied in this workspace, so that no index of it keeps what they name. */
export function deniedPlaces(state: string): readonly string[] {
  try {
    const globs: unknown = JSON.parse(readOwnFile(join(state, FILE)).toString('utf8'))
    return Array.isArray(globs) ? globs.filter(glob => typeof glob === 'string') : []
  } catch {
    return []
  }
}

/** Something that is another once the globs are. */
export const deniedVersion = (state: string): string =>
  String(statSync(join(state, FILE), { throwIfNoEntry: false, bigint: true })?.mtimeNs ?? 'none')

/** Notes what rules deny. With a new one every index on disk is begun anew: it may hold what is denied now. */
export function denyPlaces(state: string, globs: readonly string[]): void {
  const before = deniedPlaces(state)
  const added = globs.filter(glob => !before.includes(glob))
  if (added.length === 0) return
  mkdirSync(state, { recursive: true, mode: 0o700 })
  // Whoever writes an index from here on knows of it; what is there goes afterwards.
  const file = join(state, FILE)
  writeFileSync(`${file}.${process.pid}`, JSON.stringify([...before, ...added]), { mode: 0o600 })
  renameSync(`${file}.${process.pid}`, file)
  for (const cache of CACHES) rmSync(join(state, cache), { recursive: true, force: true })
}
