import { ToolError } from '../../../kernel/error.ts'
import type { CommitStore, Place } from './commit-store.ts'
import { readWhole } from './file-bytes.ts'
import { decodeIntent, pathsOf, type Intent } from './intent.ts'
import { withoutRepositoryFiles } from '../path.ts'
import { entriesOf, readPrunedNote } from './tally.ts'

/** A commit that can be undone. */
interface UndoEntry {
  readonly id: string
  readonly at: number
  /** Disk usage. */
  readonly bytes: number
}

interface Found extends UndoEntry {
  readonly place: Place
  readonly name: string
  readonly sequence: number
}

/** Returns every commit that can be undone, newest first. */
export const listUndo = (store: CommitStore): UndoEntry[] => find(store).map(({ id, at, bytes }) => ({ id, at, bytes }))

/** Returns the paths that undoing this commit would touch, `.git` for all in the repository. Default: the commit of `newestUndo`. */
export function undoPaths(store: CommitStore, id?: string): string[] {
  const commitId = id ?? newestUndo(store)
  return commitId === undefined ? [] : withoutRepositoryFiles(pathsOf(recordOf(store, lookUp(store, commitId)).steps))
}

/** Returns the earliest time at which git may have the change: a command may commit its files before they land. */
export function undoSince(store: CommitStore, id: string): number {
  const { at, since = at } = recordOf(store, lookUp(store, id))
  return since
}

/** Returns the newest commit that is neither an undo nor undone: the target of a plain "undo", also when repeated. */
export function newestUndo(store: CommitStore): string | undefined {
  const undone = new Set<string>()
  for (const entry of find(store)) {
    const intent = readRecord(store, entry)
    if (intent === undefined || undone.has(entry.id)) continue
    if (intent.undoes === undefined) return entry.id
    for (const id of [intent.undoes].flat()) undone.add(id)
  }
  return undefined
}

/** Returns the undone commits, each with the commit that undid it and is itself in force. */
export function undoneCommits(store: CommitStore): ReadonlyMap<string, string> {
  const undone = new Map<string, string>()
  for (const entry of find(store)) {
    const undoes = undone.has(entry.id) ? undefined : readRecord(store, entry)?.undoes
    for (const id of [undoes ?? []].flat()) if (!undone.has(id)) undone.set(id, entry.id)
  }
  return undone
}

/** Yields every commit with its steps, the newest first, and where its replaced contents lie. Skips damaged ones. */
export function* commitSteps(store: CommitStore): Generator<{
  readonly id: string
  readonly place: Place
  readonly directory: string
  readonly steps: Intent['steps']
}> {
  for (const entry of find(store)) {
    const steps = readRecord(store, entry)?.steps
    if (steps) yield { id: entry.id, place: entry.place, directory: entry.name, steps }
  }
}

function find(store: CommitStore): Found[] {
  const all = store
    .places()
    .flatMap(place =>
      entriesOf(store.sys, place).flatMap(({ name, entry }) =>
        entry.kept ? [] : [{ id: entry.id, at: entry.at, bytes: entry.bytes, sequence: entry.sequence, place, name }],
      ),
    )
  return all.toSorted((a, b) => (a.place === b.place ? b.sequence - a.sequence : b.at - a.at))
}

/** Throws `not_found` with the commits that can be undone. */
export function lookUp(store: CommitStore, id: string): Found {
  const all = find(store)
  const match = all.find(entry => entry.id === id)
  if (match === undefined) throw unknown(store, id, all)
  return match
}

/** Returns a commit's steps. */
export function recordOf(store: CommitStore, entry: Found): Intent {
  const record = readRecord(store, entry)
  if (record !== undefined) return record
  throw new ToolError('not_found', `The record of commit ${entry.id} is damaged, so it cannot be undone.`, {
    hint: `Its old contents are still in ${entry.place.path}/undo/${entry.name}.`,
    details: { id: entry.id },
  })
}

/** Returns undefined if it cannot be trusted. */
function readRecord({ sys, key }: CommitStore, { place, name }: Found): Intent | undefined {
  const commitDirectory = sys.openDirectory(place.undo, name)
  try {
    return sys.lstat(commitDirectory, 'done') === undefined
      ? undefined
      : decodeIntent(readWhole(sys, commitDirectory, 'done'), key)
  } finally {
    sys.close(commitDirectory)
  }
}

const SHOWN = 20

function unknown(store: CommitStore, id: string, all: readonly Found[]): ToolError {
  const notes = store.places().flatMap(place => readPrunedNote(store.sys, place) ?? [])
  const removedCount = notes.reduce((sum, note) => sum + note.count, 0)
  const until = new Date(Math.max(0, ...notes.map(note => note.until))).toISOString()
  const undone = undoneCommits(store)
  const open = all.filter(entry => !undone.has(entry.id))
  const more = open.length > SHOWN ? ` and ${open.length - SHOWN} older ones, back to ${open.at(-1)?.id}` : ''
  const ids = open.slice(0, SHOWN).map(entry => entry.id)
  const hint = ids.length === 0 ? 'No commit can be undone now.' : `These can be undone: ${ids.join(', ')}${more}.`
  const details = { id, reachable: ids, total: open.length, removed: removedCount }
  if (notes.some(note => note.ids.includes(id)))
    return new ToolError(
      'not_found',
      `Commit ${id} can no longer be undone: what it replaced was removed to keep the undo store within its bound.`,
      { hint, details },
    )
  const tail =
    removedCount === 0
      ? ''
      : ` ${removedCount} commits up to ${until} were removed to keep the undo store within its bound.`
  return new ToolError('not_found', `There is no commit ${JSON.stringify(id)} to undo.${tail}`, { hint, details })
}
