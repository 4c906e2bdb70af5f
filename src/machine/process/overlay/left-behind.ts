import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { isDotGit, gitFoldedName } from '../../workspace/git-folded-name.ts'
import { nameFromBytes, onDisk } from '../../workspace/name.ts'
import { join, show } from '../../workspace/path.ts'
import type { Root } from '../../workspace/root.ts'
import { layerPath } from './layer-path.ts'

/**
 * Entries that a command with direct write access must not leave: the next program in the workspace would follow them.
 */
type Kind = 'a repository' | 'a bare repository' | 'a named pipe' | 'a file with a set-id bit'

/** By path; for a bare repository that of its HEAD, without which it is none. */
export type LeftBehind = ReadonlyMap<string, Kind>

const SET_ID = 0o6000
const REPOSITORY = '.git'

/** Searches a workspace for nested repositories, named pipes and set-id bits. Does not follow links. */
export function findLeftBehind(root: Root): LeftBehind {
  const kinds = new Map<string, Kind>()
  descend('.')
  return kinds

  function descend(directory: string): void {
    const names = new Set<string>()
    let head: string | undefined
    for (const entry of entriesOf(root, directory)) {
      const name = nameFromBytes(entry.name)
      const path = join(directory, name)
      names.add(gitFoldedName(name))
      if (gitFoldedName(name) === 'head') head = path
      if (isDotGit(name)) {
        if (path !== REPOSITORY) kinds.set(path, 'a repository')
      } else if (entry.isDirectory()) descend(path)
      else if (entry.isFIFO()) kinds.set(path, 'a named pipe')
      else if (entry.isFile() && ((statsOf(root, path)?.mode ?? 0) & SET_ID) !== 0)
        kinds.set(path, 'a file with a set-id bit')
    }
    if (head !== undefined && (names.has('commondir') || (names.has('objects') && names.has('refs'))))
      kinds.set(head, 'a bare repository')
  }
}

/** Disarms new entries: renames repositories, removes pipes and set-id bits. Returns what it did, in words. */
export function sweepLeftBehind(root: Root, before: LeftBehind): string[] {
  return [...findLeftBehind(root)].flatMap(([path, kind]) => {
    if (before.get(path) === kind) return []
    try {
      const action = disarm(root, path, kind)
      return action === undefined ? [] : [`A background command left ${kind} at ${show(path)}: ${action}`]
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return [`A background command left ${kind} at ${show(path)}, which could not be undone: ${why}`]
    }
  })
}

/** Uses held directories, since a running command may place a link at any moment. */
function disarm(root: Root, path: string, kind: Kind): string | undefined {
  const { sys } = root
  const place = root.resolve(path, { link: true })
  try {
    if (place.rel !== path || place.stats === undefined || place.name === undefined) return undefined
    const name = onDisk(place.name)
    if (kind === 'a named pipe') {
      sys.unlink(place.dir, name)
      return 'it was removed'
    }
    if (kind === 'a file with a set-id bit') {
      const entry = sys.hold(place.dir, name)
      try {
        const stats = sys.fstat(entry)
        if (stats.isFile()) sys.chmodHeld(entry, Number(stats.mode & 0o777n))
      } finally {
        sys.close(entry)
      }
      return 'the bit was removed'
    }
    const suffix = `.kept-${randomBytes(4).toString('hex')}`
    sys.rename(place.dir, name, place.dir, onDisk(`${place.name}${suffix}`))
    return `it is called ${show(`${path}${suffix}`)} now, so that git does not follow it; look into it before you use it`
  } finally {
    place.release()
  }
}

const placeOf = (root: Root, path: string): Buffer => layerPath(`/proc/self/fd/${root.fd}/.`, path)

function entriesOf(root: Root, directory: string) {
  try {
    return readdirSync(placeOf(root, directory), { withFileTypes: true, encoding: 'buffer' })
  } catch {
    // It disappeared during the walk.
    return []
  }
}

function statsOf(root: Root, path: string): Stats | undefined {
  try {
    return lstatSync(placeOf(root, path), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
