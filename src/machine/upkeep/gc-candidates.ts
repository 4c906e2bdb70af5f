import { rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { droppableSegments, dropSegments } from '../journal/drop-segments.ts'
import { openJournal } from '../journal/journal.ts'
import type { WorkspaceState } from '../state/directory.ts'
import { filesBelow, namesIn, type FileFound } from './workspaces.ts'

/** A removable part of a workspace's state. */
export interface Candidate {
  /** The key of the workspace. */
  readonly key: string
  readonly what: string
  readonly mtimeMs: number
  readonly bytes: number
  /** Its payload id, and a function that records the removal of payloads in the journal. */
  readonly payload?: { readonly id: string; announce(ids: readonly string[]): void }
  /** Returns the number of freed bytes. */
  remove(): number
}

/**
 * Removes candidates of one workspace. First records the payloads on disk: a payload missing without a record
 * counts as damage.
 */
export function removeAll(candidates: readonly Candidate[], note: (what: string, bytes: number) => void): void {
  const payloads = candidates.flatMap(({ payload }) => payload ?? [])
  payloads[0]?.announce(payloads.map(({ id }) => id))
  for (const { what, remove } of candidates) note(what, remove())
}

/**
 * Caches go first when room is needed, because they can be rebuilt: each graph, segment and database separately. Files
 * that differ only in their extension belong together.
 */
export function cacheCandidates(state: WorkspaceState): Candidate[] {
  const groups = new Map<string, FileFound[]>()
  for (const file of state.caches.flatMap(cache => [...filesBelow(cache)])) {
    const [name = ''] = basename(file.path).split('.')
    const key = join(dirname(file.path), name)
    groups.set(key, [...(groups.get(key) ?? []), file])
  }
  return Array.from(groups.values(), files => ({
    key: state.key,
    what: `caches of ${state.root}`,
    mtimeMs: Math.max(...files.map(({ mtimeMs }) => mtimeMs)),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    remove: () => files.reduce((sum, { path }) => sum + removeTree(path), 0),
  }))
}

/** Removed when old or when room is needed: payloads, closed files of the journal, torn tails. */
export const expendable = (state: WorkspaceState): Candidate[] => [
  ...Array.from(filesBelow(state.payloads), file => payloadCandidate(state, file)),
  ...[...filesBelow(state.journal)]
    .filter(({ path }) => /journal\.torn-\d+$/.test(path))
    .map(file => fileCandidate(state, 'torn journal lines', file)),
  ...segments(state),
]

/** Removed only after a long time: changes that were staged and never committed. */
export const staleTransactions = (state: WorkspaceState): Candidate[] =>
  namesIn(state.transactions).map(name => treeCandidate(state, `transaction ${name}`, join(state.transactions, name)))

/** Half-written files of dead processes. */
export const leftovers = (state: WorkspaceState): Candidate[] =>
  [...filesBelow(state.path)]
    .filter(({ path }) => /[/\\](?:\.[0-9a-f]{12}|[^/\\]+\.[0-9a-f]{12}\.tmp)$/.test(path))
    .map(file => fileCandidate(state, 'half-written files', file))

/** The complete state of a workspace that is gone. */
export function everything(state: WorkspaceState): Candidate {
  const tree = treeCandidate(state, '', state.path)
  return {
    ...tree,
    what: `everything about ${state.root}, which is gone`,
    remove: () => tree.remove() + removeTree(state.head),
  }
}

function segments(state: WorkspaceState): Candidate[] {
  const options = { lock: state.journalLock, headFile: state.head }
  return droppableSegments(state.journal).flatMap(({ name, path }) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return []
    const remove = () => dropSegments(state.journal, name, options).reduce((sum, { bytes }) => sum + bytes, 0)
    return [{ key: state.key, what: `old journal of ${state.root}`, mtimeMs: stat.mtimeMs, bytes: stat.size, remove }]
  })
}

function payloadCandidate(state: WorkspaceState, file: FileFound): Candidate {
  const candidate = fileCandidate(state, 'payloads', file)
  const [id = ''] = basename(file.path).split('.')
  return id === '' ? candidate : { ...candidate, payload: { id, announce: ids => announce(state, ids) } }
}

/** Limits the length of one record. */
const NAMED_AT_ONCE = 500

function announce(state: WorkspaceState, ids: readonly string[]): void {
  const journal = openJournal(state.journal, { lock: state.journalLock, headFile: state.head })
  try {
    const entries = []
    for (let at = 0; at < ids.length; at += NAMED_AT_ONCE)
      entries.push({ type: 'gc', payloads: ids.slice(at, at + NAMED_AT_ONCE) })
    journal.appendAll(entries, { durable: true })
  } finally {
    journal.close()
  }
}

function fileCandidate({ key, root }: WorkspaceState, what: string, { path, bytes, mtimeMs }: FileFound): Candidate {
  const remove = (): number => {
    // Stored again since the listing, so it is new.
    if (statSync(path, { throwIfNoEntry: false })?.mtimeMs !== mtimeMs) return 0
    rmSync(path, { force: true })
    return bytes
  }
  return { key, what: `${what} of ${root}`, mtimeMs, bytes, remove }
}

function treeCandidate({ key, root }: WorkspaceState, what: string, path: string): Candidate {
  let mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  let bytes = 0
  for (const file of filesBelow(path)) {
    mtimeMs = Math.max(mtimeMs, file.mtimeMs)
    bytes += file.bytes
  }
  return { key, what: `${what} of ${root}`, mtimeMs, bytes, remove: () => removeTree(path) }
}

function removeTree(path: string): number {
  let bytes = statSync(path, { throwIfNoEntry: false })?.isFile() ? statSync(path).size : 0
  for (const file of filesBelow(path)) bytes += file.bytes
  rmSync(path, { recursive: true, force: true })
  return bytes
}
