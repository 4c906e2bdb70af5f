import { createHash } from 'node:crypto'
import { nameFromBytes } from '../../workspace/name.ts'
import { parentOf, show } from '../../workspace/path.ts'
import { findRepositoryShape, type ChangedPath, type ShapeTree } from '../../workspace/repository-shape.ts'
import { modeOf, type GitIndex, type IndexEntry } from '../../workspace/git-index.ts'

const [FILE, LINK] = [0o10, 0o12]

/**
 * Returns why checking these entries out over the existing files would create a repository or change what git follows
 * in one, or undefined. A repository that was already in the index or in the work tree stays.
 */
export function shapedByIndex(
  before: readonly GitIndex[],
  after: readonly GitIndex[],
  worktree: ShapeTree,
): string | undefined {
  const entriesBefore = new Map(before.flatMap(pathsIn))
  const newEntries = after.flatMap(pathsIn).filter(([path, entry]) => !isTwin(entry, entriesBefore.get(path)))
  if (newEntries.length === 0) return undefined
  // A checkout does not create what already stands in the work tree, regardless of the index.
  const then = { ...treeOf(entriesBefore, worktree), bytes: worktree.bytes }
  const shape = findRepositoryShape(
    changedBy(newEntries, entriesBefore),
    then,
    treeOf(new Map([...entriesBefore, ...newEntries]), worktree),
  )
  if (!shape) return undefined
  const { directory, followed } = shape
  return followed === undefined
    ? `the index gives ${directory === '.' ? 'the workspace' : show(directory)} the shape of a bare git repository`
    : `the index has another ${show(followed)}, which git follows in the repository there`
}

/** Replacements of shared entries have no path. */
const pathsIn = ({ entries }: GitIndex): [string, IndexEntry][] =>
  entries
    .map((entry): [string, IndexEntry] => [nameFromBytes(entry.path).replace(/\/$/, ''), entry])
    .filter(([path]) => path !== '')

const isTwin = (entry: IndexEntry, other: IndexEntry | undefined): boolean =>
  other !== undefined && entry.id.equals(other.id) && modeOf(entry) === modeOf(other)

/** Changed entries and their directories. */
function changedBy(
  added: readonly (readonly [string, IndexEntry])[],
  known: ReadonlyMap<string, IndexEntry>,
): readonly ChangedPath[] {
  const there = directoriesOf(known.keys())
  const fresh = [...directoriesOf(added.map(([path]) => path))].filter(path => !there.has(path))
  return [
    ...added.map(([path, entry]) => ({ path, type: typeOf(entry) })),
    ...fresh.map(path => ({ path, type: 'directory' })),
  ]
}

function directoriesOf(paths: Iterable<string>): ReadonlySet<string> {
  const directories = new Set<string>()
  for (const path of paths)
    for (let at = parentOf(path); at !== '.' && !directories.has(at); at = parentOf(at)) directories.add(at)
  return directories
}

/** A submodule is a directory, even an empty one. */
function typeOf(entry: IndexEntry): string {
  const type = modeOf(entry) >>> 12
  if (type === FILE) return 'file'
  return type === LINK ? 'symlink' : 'directory'
}

/** Returns the work tree after a checkout of these entries. */
function treeOf(entries: ReadonlyMap<string, IndexEntry>, worktree: ShapeTree): ShapeTree {
  const directories = directoriesOf(entries.keys())
  const below = Map.groupBy([...entries.keys(), ...directories], parentOf)
  return {
    names: directory => [
      ...new Set([
        ...worktree.names(directory),
        ...(below.get(directory) ?? []).map(path => path.slice(path.lastIndexOf('/') + 1)),
      ]),
    ],
    type(path) {
      const entry = entries.get(path)
      if (entry) return typeOf(entry)
      return directories.has(path) ? 'directory' : worktree.type(path)
    },
    bytes(path) {
      const bytes = worktree.bytes(path)
      const entry = entries.get(path)
      return bytes === undefined || !entry || isContent(entry.id, bytes) ? bytes : undefined
    },
  }
}

const isContent = (id: Buffer, bytes: Buffer): boolean =>
  createHash(id.length === 32 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest()
    .equals(id)
